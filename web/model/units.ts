// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them.
import type { Cell } from '../api/types.ts';

const kDurations: [number, string][] = [
  [3600e9, 'h'],
  [60e9, 'min'],
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
  [1, 'ns'],
];

function digits(value: number): string {
  const size = Math.abs(value);
  if (size >= 100 || Number.isInteger(value)) return value.toFixed(0);
  return size >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** A length of time in its fitting unit: `4.90 µs`. */
export function duration(ns: number): string {
  if (!Number.isFinite(ns)) return '…';
  const size = Math.abs(ns);
  // 0.9995: what would be rounded to 1000 takes the next unit.
  const [factor, unit] = kDurations.find(([limit]) => size >= limit * 0.9995) ?? [1, 'ns'];
  return `${digits(ns / factor)} ${unit}`;
}

/** A point in time, exact enough to tell apart what lies `resolution` ns apart: `1.234567 s`. */
export function instant(ns: number, resolution: number): string {
  const decimals = Math.min(9, Math.max(0, Math.ceil(9 - Math.log10(Math.max(resolution, 1)))));
  return `${(ns / 1e9).toFixed(decimals)} s`;
}

export const count = (value: number): string => Math.round(value).toLocaleString('en-US');

export function percent(share: number): string {
  const value = share * 100;
  if (value === 0) return '0 %';
  if (value < 0.1) return '<0.1 %';
  return `${value >= 99.95 ? '100' : value.toFixed(value < 10 ? 1 : 0)} %`;
}

export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let index = 0;
  let rest = value;
  while (Math.abs(rest) >= 1000 && index < units.length - 1) {
    rest /= 1000;
    index++;
  }
  return `${index === 0 ? rest : digits(rest)} ${units[index]}`;
}

/** A value of a column whose unit the server named. */
export function withUnit(value: Cell, unit: string | null | undefined): string {
  if (value === null) return '–';
  if (typeof value === 'object') return `0x${value.hex}`;
  if (typeof value !== 'number') return String(value);
  if (unit === 'ns') return duration(value);
  if (unit === 'B' || unit === 'bytes') return bytes(value);
  if (unit === '%') return `${Number(value.toFixed(1))} %`;
  const text = Number.isInteger(value)
    ? value.toLocaleString('en-US')
    : value.toLocaleString('en-US', { maximumFractionDigits: 3 });
  return unit ? `${text} ${unit}` : text;
}

/** Wall-clock time of a point in the report; the start is text since it does not fit a double. */
export function utc(startNs: string, ns: number, resolution: number): string {
  const total = BigInt(startNs) + BigInt(Math.round(ns));
  const date = new Date(Number(total / 1000000n)).toISOString();
  const fraction = (total % 1000000000n).toString().padStart(9, '0');
  const decimals = Math.min(9, Math.max(0, Math.ceil(9 - Math.log10(Math.max(resolution, 1)))));
  return `${date.slice(11, 19)}${decimals ? `.${fraction.slice(0, decimals)}` : ''}`;
}
