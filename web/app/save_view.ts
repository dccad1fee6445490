// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The timelines as a picture, as they are on the page: names, ruler and rows; several reports below each other.
import { SvgSurface } from '../draw/svg_surface.ts';
import { kDark, kFont, kLight } from '../draw/theme.ts';
import { isDark } from '../model/settings.ts';
import { save } from '../panels/csv.ts';
import { type PageSurface, pageSize, paintPage } from '../timeline/page_picture.ts';
import { openStages } from '../timeline/stage.ts';

interface Paper {
  width: number;
  height: number;
  name: string;
  paint: (surface: PageSurface) => void;
}

function paper(): Paper | null {
  const stages = openStages();
  const sizes = stages.map(pageSize);
  if (!stages.length) return null;
  const theme = isDark() ? kDark : kLight;
  return {
    width: Math.max(...sizes.map((size) => size.width)),
    height: sizes.reduce((sum, size) => sum + size.height, 0),
    name: stages.map((stage) => stage.viewer.report.value?.name ?? 'sextant').join('-'),
    paint: (surface) => {
      let top = 0;
      stages.forEach((stage, i) => {
        surface.save();
        surface.translate(0, top);
        paintPage(stage, surface, theme);
        surface.restore();
        top += sizes[i]?.height ?? 0;
      });
    },
  };
}

export async function savePng(): Promise<void> {
  const page = paper();
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!page || !context) return;
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(page.width * ratio);
  canvas.height = Math.round(page.height * ratio);
  context.scale(ratio, ratio);
  page.paint(context);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (blob) save(`${page.name}.png`, blob);
}

function measurer(): (text: string, font: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  return (text, font) => {
    if (!context) return text.length * 6;
    context.font = font || kFont;
    return context.measureText(text).width;
  };
}

async function dataUrl(image: CanvasImageSource): Promise<string> {
  const blob = await (image as OffscreenCanvas).convertToBlob({ type: 'image/png' });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return `data:image/png;base64,${btoa(text)}`;
}

export async function saveSvg(): Promise<void> {
  const page = paper();
  if (!page) return;
  const svg = new SvgSurface(page.width, page.height, measurer());
  page.paint(svg.surface());
  save(`${page.name}.svg`, new Blob([await svg.toText(page.name, dataUrl)], { type: 'image/svg+xml' }));
}
