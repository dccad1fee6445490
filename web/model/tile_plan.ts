// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Which tiles a view of a track is drawn from: those of the level whose buckets are about a pixel wide, or an
// exact tile above them, or, until they have come, whatever is there that covers the same time.
import { type Tile, type TileAddress, isExact, tileSpan } from '../api/tile.ts';
import { type TimeView, spanOf } from './time_view.ts';

/** A piece of time and the tile it is drawn from (null: nothing is known yet). */
export interface Piece {
  from: number;
  to: number;
  tile: Tile | null;
  /** False while a better tile is under way. */
  settled: boolean;
}

export interface TileSource {
  ready(track: number, level: number, index: number): Tile | undefined;
  want(address: TileAddress): void;
  /** One that may be wanted next: to be fetched when there is nothing else to do. */
  guess(address: TileAddress): void;
}

/** The level at which one tile holds the whole report. */
export const topLevel = (length: number): number => Math.max(0, Math.ceil(Math.log2(Math.max(length, 1) / 1024)));

export function levelFor(view: TimeView, width: number, length: number): number {
  const level = Math.round(Math.log2(spanOf(view) / Math.max(width, 1)));
  return Math.min(Math.max(level, 0), topLevel(length));
}

/** Anything above (level, index) that covers it: an exact one if there is one, else the finest. */
function ancestor(source: TileSource, track: number, level: number, index: number, top: number): Tile | undefined {
  let finest: Tile | undefined;
  for (let up = level + 1, at = Math.floor(index / 2); up <= top; up++, at = Math.floor(at / 2)) {
    const tile = source.ready(track, up, at);
    if (tile && isExact(tile)) return tile;
    finest ??= tile;
  }
  return finest;
}

/** What is there for a place at its level or above it; settled: no better tile is to be had. */
function best(
  source: TileSource,
  track: number,
  level: number,
  index: number,
  top: number,
): { tile: Tile | null; settled: boolean } {
  const exact = source.ready(track, level, index);
  if (exact) return { tile: exact, settled: true };
  const above = ancestor(source, track, level, index, top);
  return { tile: above ?? null, settled: above !== undefined && isExact(above) };
}

/** Whoever looks at a place will look closer: the tiles of the next level around it, as many as its picture will have. */
export function guessTiles(
  source: TileSource,
  track: number,
  view: TimeView,
  width: number,
  length: number,
  around: number,
): void {
  const level = levelFor(view, width, length) - 1;
  if (level < 0) return;
  const span = tileSpan(level);
  // the widest view of that level (levelFor) about the same place
  const share = Math.min(1, (2 ** (level + 0.5) * width) / spanOf(view));
  const first = Math.max(0, Math.floor((around - (around - view.from) * share) / span));
  const last = Math.min(Math.floor((around + (view.to - around) * share) / span), Math.floor(length / span));
  const top = topLevel(length);
  for (let index = first; index <= last; index++)
    if (!best(source, track, level, index, top).settled) source.guess({ track, level, index });
}

function push(pieces: Piece[], piece: Piece): void {
  const last = pieces[pieces.length - 1];
  if (last && last.tile === piece.tile && last.settled === piece.settled && last.to === piece.from) last.to = piece.to;
  else pieces.push(piece);
}

export function planTiles(source: TileSource, track: number, view: TimeView, width: number, length: number): Piece[] {
  const level = levelFor(view, width, length);
  const top = topLevel(length);
  const span = tileSpan(level);
  const first = Math.max(0, Math.floor(view.from / span));
  const last = Math.min(Math.floor(view.to / span), Math.floor(length / span));
  const pieces: Piece[] = [];
  for (let index = first; index <= last; index++) {
    const [from, to] = [index * span, (index + 1) * span];
    const there = best(source, track, level, index, top);
    if (!there.settled) source.want({ track, level, index });
    if (there.tile || level === 0) push(pieces, { from, to, ...there });
    else
      for (const half of [0, 1]) {
        const below = source.ready(track, level - 1, 2 * index + half) ?? null;
        push(pieces, {
          from: from + (half * span) / 2,
          to: from + ((half + 1) * span) / 2,
          tile: below,
          settled: false,
        });
      }
  }
  return pieces;
}
