// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The whole run in little: the busiest tracks as lines. Kept as a picture, and drawn again when what it shows has
// changed, not with every step of the view.
import { Labels } from '../draw/label.ts';
import { Strips } from '../draw/strip.ts';
import { type Surface, browserBitmap } from '../draw/surface.ts';
import type { Theme } from '../draw/theme.ts';
import { drawPieces } from '../draw/track.ts';
import { planTiles } from '../model/tile_plan.ts';
import type { Scale } from '../model/time_view.ts';
import { byWork, isCurve, isWork } from '../model/track_tree.ts';
import type { Viewer } from '../model/viewer.ts';
import { openEnd } from './picture.ts';
import { pixelRatio } from './surface_element.ts';

const kTracks = 5;

export class WholeRun {
  private readonly strips = new Strips(browserBitmap);
  private readonly labels = new Labels();
  private readonly kept = new OffscreenCanvas(1, 1);
  private shown: unknown[] = [];

  constructor(private readonly viewer: Viewer) {}

  paint(surface: Surface, scale: Scale, height: number, theme: Theme): void {
    const { viewer } = this;
    const ratio = pixelRatio();
    const { from, to } = scale.view;
    const wanted = [
      ...[from, to, scale.width, height, theme, ratio],
      ...[viewer.arrivals.value, viewer.tracks.value, viewer.emphasis.value, viewer.length.value],
    ];
    if (wanted.some((value, i) => value !== this.shown[i])) {
      this.shown = wanted;
      this.kept.width = Math.max(1, Math.round(scale.width * ratio));
      this.kept.height = Math.round(height * ratio);
      const context = this.kept.getContext('2d', { alpha: false });
      context?.scale(ratio, ratio);
      if (context) this.draw(context as unknown as Surface, scale, height, theme);
    }
    surface.drawImage(this.kept, 0, 0, scale.width, height);
  }

  private draw(surface: Surface, scale: Scale, height: number, theme: Theme): void {
    const { viewer, strips, labels } = this;
    surface.fillStyle = theme.stripe;
    surface.fillRect(0, 0, scale.width, height);
    const busiest = viewer.tracks.value
      .filter((track) => track.events > 0 && isWork(track) && !isCurve(track))
      .sort(byWork)
      .slice(0, kTracks);
    const lane = Math.floor((height - 2) / Math.max(1, busiest.length));
    const emphasis = viewer.emphasis.value;
    viewer.tiles.beginFrame('whole run');
    busiest.forEach((track, i) => {
      const pen = { surface, scale, theme, names: viewer.names, labels, strips, thin: null, emphasis };
      drawPieces(
        { ...pen, end: openEnd(viewer, track) },
        planTiles(viewer.tiles, track.id, scale.view, scale.width, viewer.length.value),
        { y: 1 + i * lane, height: lane, lane, flat: true },
      );
    });
    viewer.tiles.endFrame();
  }
}
