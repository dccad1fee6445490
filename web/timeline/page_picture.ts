// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// One timeline as a picture for a file: title, ruler, names and rows of what is in sight.
import type { Surface } from '../draw/surface.ts';
import { type Theme, kFont } from '../draw/theme.ts';
import { rowsBetween } from '../model/layout.ts';
import { texts } from '../model/text.ts';
import { duration, instant } from '../model/units.ts';
import { noteText, rowShare } from './labels.tsx';
import { pinnedHeight } from './picture.ts';
import { type Stage, kRulerHeight } from './stage.ts';

export type PageSurface = Surface & Pick<CanvasRenderingContext2D, 'translate'>;

const kTitleHeight = 22;

export const pageSize = (stage: Stage): { width: number; height: number } => ({
  width: stage.labels.value + stage.width.value,
  height: kTitleHeight + kRulerHeight + stage.size.value.height,
});

export function paintPage(stage: Stage, surface: PageSurface, theme: Theme): void {
  const { viewer } = stage;
  const { width, height } = pageSize(stage);
  const left = stage.labels.value;
  const top = kTitleHeight + kRulerHeight;
  surface.font = kFont;
  surface.textBaseline = 'middle';
  surface.fillStyle = theme.background;
  surface.fillRect(0, 0, width, height);
  surface.fillStyle = theme.text;
  const { from, to } = viewer.view.value;
  const span = `${instant(from, (to - from) / 1000)} – ${instant(to, (to - from) / 1000)} (${duration(to - from)})`;
  surface.fillText(`${viewer.report.value?.name ?? ''} · ${span}`, 6, kTitleHeight / 2, width - 12);
  part(surface, left, kTitleHeight, stage.width.value, kRulerHeight, () => stage.paintRuler(surface, theme));
  part(surface, left, top, stage.width.value, height - top, () => stage.paint(surface, theme));
  part(surface, 0, top, left, height - top, () => paintNames(stage, surface, theme, left));
  surface.fillStyle = theme.grid;
  surface.fillRect(left - 1, kTitleHeight, 1, height);
}

function part(surface: PageSurface, x: number, y: number, width: number, height: number, body: () => void): void {
  surface.save();
  surface.translate(x, y);
  surface.beginPath();
  surface.rect(0, 0, width, height);
  surface.clip();
  body();
  surface.restore();
}

function paintNames(stage: Stage, surface: Surface, theme: Theme, width: number): void {
  const { viewer } = stage;
  const scroll = stage.scrollTop.value;
  const pinned = pinnedHeight(viewer);
  const rows = [
    ...rowsBetween(viewer.layout.value, 0, pinned).map((placed) => ({ placed, y: placed.top })),
    ...rowsBetween(viewer.layout.value, scroll + pinned, scroll + stage.size.value.height)
      .filter((placed) => placed.row.kind === 'note' || !placed.row.pinned)
      .map((placed) => ({ placed, y: placed.top - scroll })),
  ];
  surface.font = kFont;
  surface.textBaseline = 'middle';
  for (const { placed, y } of rows) {
    const indent = 8 + placed.row.depth * 12;
    const isTrack = placed.row.kind === 'track';
    const text = placed.row.kind === 'track' ? placed.row.node.track.name : noteText(texts(), placed.row);
    const share = placed.row.kind === 'track' ? rowShare(viewer, placed.row.node.track) : '';
    surface.fillStyle = isTrack ? theme.text : theme.faint;
    surface.fillText(text, indent, y + 11, Math.max(20, width - indent - 60));
    surface.fillStyle = theme.faint;
    surface.textAlign = 'right';
    surface.fillText(share, width - 8, y + 11);
    surface.textAlign = 'left';
    surface.fillStyle = theme.grid;
    surface.fillRect(0, y + placed.height - 1, width, 1);
  }
}
