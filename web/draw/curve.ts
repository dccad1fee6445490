// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Curves: the band between minimum and maximum of each bucket, and the mean as a line.
import { type CurveTile, bucketSpan } from '../api/tile.ts';
import type { Piece } from '../model/tile_plan.ts';
import type { Pen, Place } from './track.ts';

const curves = (pieces: readonly Piece[]): { piece: Piece; tile: CurveTile }[] =>
  pieces.flatMap((piece) => (piece.tile?.kind === 'curve' ? [{ piece, tile: piece.tile }] : []));

/** What the curve's axis runs to: the largest value in sight, or 100 where that is the natural end. */
export function curveTop(pieces: readonly Piece[], unit: string | null): number {
  let top = 0;
  for (const { tile } of curves(pieces))
    for (let i = 0; i < tile.count; i++) top = Math.max(top, tile.max[i] as number);
  return unit === '%' ? Math.max(100, top) : top || 1;
}

export function drawCurve(pen: Pen, pieces: readonly Piece[], place: Place, top: number): void {
  const { surface, scale, theme } = pen;
  const bottom = place.y + place.lane;
  const y = (value: number): number => bottom - (Math.max(0, value) / top) * (place.lane - 2);
  surface.strokeStyle = theme.curve;
  // No wider: a browser draws a hairline of thousands of points in a tenth of the time that another line takes.
  surface.lineWidth = 1;
  surface.beginPath();
  let penDown = false;
  for (const { piece, tile } of curves(pieces)) {
    const bucket = bucketSpan(tile.address.level);
    surface.fillStyle = theme.curveBand;
    for (let i = 0; i < tile.count; i++) {
      const from = tile.from + (tile.bucket[i] as number) * bucket;
      if (
        from + bucket < Math.max(piece.from, scale.view.from - bucket) ||
        from > Math.min(piece.to, scale.view.to + bucket)
      )
        continue;
      const x = scale.x(from);
      const width = Math.max(1, bucket / scale.perPixel);
      const high = y(tile.max[i] as number);
      surface.fillRect(x, high, width, Math.max(1, y(tile.min[i] as number) - high));
      const middle = x + width / 2;
      if (penDown) surface.lineTo(middle, y(tile.mean[i] as number));
      else surface.moveTo(middle, y(tile.mean[i] as number));
      penDown = true;
    }
  }
  surface.stroke();
}
