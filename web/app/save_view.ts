// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The timeline as a picture: names, ruler and rows as they are on the page.
import { kDark, kFont, kLight } from '../draw/theme.ts';
import { rowsBetween } from '../model/layout.ts';
import { isDark, labelWidth } from '../model/settings.ts';
import type { Viewer } from '../model/viewer.ts';
import { save } from '../panels/csv.ts';

export async function saveView(viewer: Viewer): Promise<void> {
  const rows = document.querySelector<HTMLCanvasElement>('canvas.rows');
  const ruler = document.querySelector<HTMLCanvasElement>('canvas.ruler');
  const scroll = document.querySelector<HTMLElement>('.tl-scroll');
  if (!rows || !ruler || !scroll) return;
  const ratio = window.devicePixelRatio || 1;
  const theme = isDark() ? kDark : kLight;
  const left = labelWidth.value;
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(left * ratio) + rows.width;
  canvas.height = ruler.height + rows.height;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(ruler, left * ratio, 0);
  context.drawImage(rows, left * ratio, ruler.height);
  context.scale(ratio, ratio);
  context.font = kFont;
  context.textBaseline = 'middle';
  context.fillStyle = theme.text;
  const top = ruler.height / ratio;
  context.fillText(viewer.report.value?.name ?? '', 6, top / 2, left - 12);
  for (const placed of rowsBetween(viewer.layout.value, scroll.scrollTop, scroll.scrollTop + scroll.clientHeight)) {
    if (placed.row.kind !== 'track') continue;
    const y = top + placed.top - scroll.scrollTop + 11;
    if (y > top)
      context.fillText(placed.row.node.track.name, 8 + placed.row.depth * 12, y, left - 20 - placed.row.depth * 12);
  }
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (blob) save(`${viewer.report.value?.name ?? 'sextant'}.png`, blob);
}
