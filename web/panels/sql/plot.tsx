// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// A SQL answer as bars, lines or points. Series differ by their sign and line as well as by colour.
import { useRef } from 'preact/hooks';
import { kPalette } from '../../model/palette.ts';
import { niceStep } from '../../model/ruler.ts';
import { texts } from '../../model/text.ts';
import { count } from '../../model/units.ts';
import { useSize } from '../../timeline/surface_element.ts';
import { type Form, type PlotData, kMostPoints } from './plot_data.ts';

const kLeft = 70;
const kBottom = 34;
const kTop = 8;
const kDashes = ['', '6 3', '2 2', '8 2 2 2', '1 3', '10 4'];
const kSigns = ['●', '■', '▲', '◆', '✕', '○'];
const kColours = [0, 6, 2, 8, 1, 5].map((i) => kPalette[i]?.fill ?? '#888');

interface Frame {
  x: (row: number) => number;
  y: (value: number) => number;
  width: number;
  height: number;
}

function frameOf(data: PlotData, form: Form, width: number, height: number): Frame {
  const inner = Math.max(10, width - kLeft - 10);
  const first = Math.min(...data.x.at);
  const last = Math.max(...data.x.at);
  const slot = inner / data.x.at.length;
  const span = last - first || 1;
  return {
    x: (row) => kLeft + (form === 'bars' ? (row + 0.5) * slot : (((data.x.at[row] ?? 0) - first) / span) * inner),
    y: (value) => kTop + ((data.high - value) / (data.high - data.low)) * (height - kTop - kBottom),
    width: slot,
    height: height - kBottom,
  };
}

function Axis({ data, frame, width }: { data: PlotData; frame: Frame; width: number }) {
  const step = niceNumber((data.high - data.low) / 5);
  const marks: number[] = [];
  for (let value = Math.ceil(data.low / step) * step; value <= data.high && marks.length < 20; value += step)
    marks.push(value);
  // As many names as there is room for.
  const every = Math.max(1, Math.ceil((data.x.labels.length * 90) / Math.max(1, width - kLeft)));
  return (
    <g class="axis">
      {marks.map((value) => (
        <g key={value}>
          <line x1={kLeft} x2={width} y1={frame.y(value)} y2={frame.y(value)} />
          <text x={kLeft - 6} y={frame.y(value)} text-anchor="end" dominant-baseline="central">
            {Number(value.toPrecision(6)).toLocaleString('en-US')}
          </text>
        </g>
      ))}
      {data.x.labels.map((label, i) =>
        i % every === 0 ? (
          <text key={i} x={frame.x(i)} y={frame.height + 14} text-anchor="middle">
            {label.length > 14 ? `${label.slice(0, 13)}…` : label}
          </text>
        ) : null,
      )}
      <text x={kLeft} y={frame.height + 30}>
        {data.x.name}
      </text>
    </g>
  );
}

/** 1, 2 or 5 times a power of ten, below one, too. */
function niceNumber(wish: number): number {
  const power = 10 ** Math.floor(Math.log10(wish || 1));
  return (niceStep((wish / power) * 1e3) / 1e3) * power;
}

function Marks({ data, frame, form, series }: { data: PlotData; frame: Frame; form: Form; series: number }) {
  const colour = kColours[series] ?? '#888';
  const one = data.series[series];
  if (!one) return null;
  const title = (i: number, value: number): string =>
    `${data.x.labels[i]}: ${one.name} ${value.toLocaleString('en-US')}`;
  const shown = one.values.flatMap((value, i) => (value === null ? [] : [{ i, value }]));
  if (form === 'bars') {
    const width = Math.max(1, (frame.width * 0.8) / data.series.length);
    return (
      <g fill={colour}>
        {shown.map(({ i, value }) => (
          <rect
            key={i}
            x={frame.x(i) - frame.width * 0.4 + series * width}
            y={Math.min(frame.y(value), frame.y(0))}
            width={width}
            height={Math.max(1, Math.abs(frame.y(value) - frame.y(0)))}
          >
            <title>{title(i, value)}</title>
          </rect>
        ))}
      </g>
    );
  }
  const points = shown.map(({ i, value }) => `${frame.x(i)},${frame.y(value)}`).join(' ');
  return (
    <g>
      {form === 'line' && (
        <polyline points={points} stroke={colour} stroke-dasharray={kDashes[series]} class="plot-line" />
      )}
      {(form === 'points' || shown.length <= 100) &&
        shown.map(({ i, value }) => (
          <text key={i} x={frame.x(i)} y={frame.y(value)} fill={colour} class="plot-sign">
            {kSigns[series]}
            <title>{title(i, value)}</title>
          </text>
        ))}
    </g>
  );
}

export function Plot({ data, form, rows }: { data: PlotData; form: Form; rows: number }) {
  const t = texts();
  const element = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(element).value;
  const frame = frameOf(data, form, width, height);
  return (
    <>
      <div class="plot-names">
        {data.series.map((one, i) => (
          <span key={one.name}>
            <b style={{ color: kColours[i] }} aria-hidden="true">
              {kSigns[i]}
            </b>{' '}
            {one.name}
          </span>
        ))}
        {data.leftOut > 0 && <span class="faint">{t.columnsLeftOut(count(data.leftOut))}</span>}
        {rows > kMostPoints && <span class="faint">{t.onlyFirst(count(kMostPoints), count(rows))}</span>}
      </div>
      <div class="plot" ref={element}>
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`${t.plot}: ${data.series.map((one) => one.name).join(', ')}`}
        >
          <Axis data={data} frame={frame} width={width} />
          {data.series.map((one, i) => (
            <Marks key={one.name} data={data} frame={frame} form={form} series={i} />
          ))}
        </svg>
      </div>
    </>
  );
}
