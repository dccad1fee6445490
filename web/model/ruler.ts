// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Where the ruler has its marks, and what stands at them.
import { type TimeView, spanOf } from './time_view.ts';
import { duration, instant, utc } from './units.ts';

export type RulerMode = 'absolute' | 'relative' | 'utc';

export interface Mark {
  time: number;
  label: string;
}

/** 1, 2 or 5 times a power of ten, at least a nanosecond; above a second: units of minutes and hours. */
export function niceStep(wish: number): number {
  for (const step of [10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200]) {
    if (wish > 5e9 && wish <= step * 1e9) return step * 1e9;
  }
  const power = 10 ** Math.floor(Math.log10(Math.max(wish, 1)));
  for (const factor of [1, 2, 5, 10]) if (factor * power >= wish * 0.999999) return Math.max(1, factor * power);
  return 10 * power;
}

export function marks(view: TimeView, width: number, mode: RulerMode, origin: number, utcStart: string): Mark[] {
  const step = niceStep((spanOf(view) / Math.max(width, 1)) * 110);
  const base = mode === 'relative' ? origin : 0;
  const first = Math.ceil((view.from - base) / step);
  const last = Math.floor((view.to - base) / step);
  const result: Mark[] = [];
  for (let i = first; i <= last && result.length < 200; i++) {
    const time = base + i * step;
    result.push({ time, label: label(time - base, time, step, mode, utcStart) });
  }
  return result;
}

function label(relative: number, time: number, step: number, mode: RulerMode, utcStart: string): string {
  if (mode === 'utc') return utc(utcStart, time, step);
  if (mode === 'relative')
    return relative === 0 ? '0' : `${relative > 0 ? '+' : '−'}${exact(Math.abs(relative), step)}`;
  return exact(relative, step);
}

/** Short where it can be, with as many digits as neighbours need to differ. */
function exact(time: number, step: number): string {
  if (time === 0) return '0';
  if (time < 1e9) {
    const text = duration(time);
    const unit = text.split(' ')[1] ?? 'ns';
    const factor = { ms: 1e6, µs: 1e3, ns: 1 }[unit];
    if (factor) return `${Number((time / factor).toFixed(Math.max(0, Math.ceil(Math.log10(factor / step)))))} ${unit}`;
  }
  return instant(time, step);
}
