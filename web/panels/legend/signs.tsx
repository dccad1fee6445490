// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The signs of the timeline in little, drawn by the same code that draws the timeline.
import { useEffect, useRef } from 'preact/hooks';
import { Labels } from '../../draw/label.ts';
import { drawLink, drawRange, drawSelected } from '../../draw/overlay.ts';
import { sampleBuckets, sampleEvents } from '../../draw/samples.ts';
import { Strips } from '../../draw/strip.ts';
import { browserBitmap } from '../../draw/surface.ts';
import { type Theme, kDark, kLight } from '../../draw/theme.ts';
import { type Pen, drawLost, drawPieces } from '../../draw/track.ts';
import { Names } from '../../model/names.ts';
import { isDark } from '../../model/settings.ts';
import { texts } from '../../model/text.ts';
import { Scale } from '../../model/time_view.ts';
import { sized } from '../../timeline/surface_element.ts';

const kWidth = 76;
const kHeight = 20;
const names = new Names(async () => ['step', 'gemm', 'copy']);

type Sign = (pen: Pen, theme: Theme) => void;
const place = { y: 2, height: 16, lane: 16, flat: false };
const kFirst = { start: 6, end: 24, y: 9, height: 12 };
const kSecond = { start: 46, end: 70, y: 9, height: 12 };

const box = (pen: Pen, start: number, duration: number, name = 1): void =>
  drawPieces(pen, [{ from: 0, to: 1024, tile: sampleEvents([{ start, duration, name }]), settled: true }], place);

const kSigns: {
  text:
    | 'signEvent'
    | 'signMark'
    | 'signOpen'
    | 'signDense'
    | 'signLost'
    | 'signRange'
    | 'signSelected'
    | 'signLink'
    | 'signLoading';
  draw: Sign;
}[] = [
  { text: 'signEvent', draw: (pen) => box(pen, 8, 56) },
  { text: 'signMark', draw: (pen) => box(pen, 36, 0) },
  { text: 'signOpen', draw: (pen) => box({ ...pen, end: 70 }, 8, -1) },
  {
    text: 'signDense',
    draw: (pen) => drawPieces(pen, [{ from: 0, to: kWidth, tile: sampleBuckets(kWidth), settled: true }], place),
  },
  {
    text: 'signLost',
    draw: (pen) => drawLost(pen, [[12, 60]], place),
  },
  { text: 'signRange', draw: (pen, theme) => drawRange(pen.surface, pen.scale, theme, { from: 14, to: 60 }, kHeight) },
  {
    text: 'signSelected',
    draw: (pen, theme) => {
      box(pen, 20, 34);
      drawSelected(pen.surface, pen.scale, theme, { start: 20, end: 54, y: 9, height: 13 });
    },
  },
  {
    text: 'signLink',
    draw: (pen, theme) => {
      box(pen, kFirst.start, kFirst.end - kFirst.start, 2);
      box(pen, kSecond.start, kSecond.end - kSecond.start);
      drawLink(pen.surface, pen.scale, theme, kFirst, kSecond);
    },
  },
  { text: 'signLoading', draw: (pen) => drawPieces(pen, [{ from: 6, to: 70, tile: null, settled: false }], place) },
];

function SignPicture({ draw }: { draw: Sign }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const dark = isDark();
  useEffect(() => {
    void names.need([0]).then(() => {
      const surface = sized(canvas.current, kWidth, kHeight);
      if (!surface) return;
      const theme = dark ? kDark : kLight;
      surface.fillStyle = theme.background;
      surface.fillRect(0, 0, kWidth, kHeight);
      const scale = new Scale({ from: 0, to: kWidth }, kWidth);
      const tools = { names, labels: new Labels(), strips: new Strips(browserBitmap), thin: null };
      draw({ surface, scale, theme, ...tools, emphasis: null, end: kWidth }, theme);
    });
  }, [draw, dark]);
  return <canvas ref={canvas} width={kWidth} height={kHeight} aria-hidden="true" />;
}

export function Signs() {
  const t = texts();
  return (
    <ul class="legend-signs">
      {kSigns.map(({ text, draw }) => (
        <li key={text}>
          <SignPicture draw={draw} /> {t[text]}
        </li>
      ))}
    </ul>
  );
}
