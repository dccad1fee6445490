// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What of a SQL answer is drawn: its first column along the bottom, its columns of numbers upwards.
import type { Cell, SqlResult } from '../../api/types.ts';

export interface Series {
  name: string;
  /** Null: no number there. */
  values: (number | null)[];
}

export interface PlotData {
  /** Numbers lie where they are; texts one after the other. */
  x: { name: string; labels: string[]; at: number[]; numeric: boolean };
  series: Series[];
  low: number;
  high: number;
  /** Columns of numbers that are not drawn. */
  leftOut: number;
}

export const kMostSeries = 6;
export const kMostPoints = 2000;

const numberOf = (cell: Cell | undefined): number | null => {
  const value = typeof cell === 'string' && /^-?\d+$/.test(cell) ? Number(cell) : cell;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
};

const isNumeric = (rows: readonly (readonly Cell[])[], column: number): boolean =>
  rows.some((row) => numberOf(row[column]) !== null) &&
  rows.every((row) => (row[column] ?? null) === null || numberOf(row[column]) !== null);

/** Null: no column of numbers. */
export function plotData(answer: Pick<SqlResult, 'columns' | 'rows'>): PlotData | null {
  const rows = answer.rows.slice(0, kMostPoints);
  const numeric = answer.columns.map((_, i) => i).filter((i) => isNumeric(rows, i));
  if (!rows.length || !numeric.length) return null;
  const alone = answer.columns.length === 1;
  const upwards = alone ? numeric : numeric.filter((i) => i !== 0);
  // Only the first one is of numbers: it is drawn over the row's number.
  const columns = upwards.length ? upwards : numeric;
  const byNumber = !alone && upwards.length > 0 && numeric.includes(0);
  const series = columns.slice(0, kMostSeries).map((i) => ({
    name: answer.columns[i] ?? '',
    values: rows.map((row) => numberOf(row[i])),
  }));
  const all = series.flatMap((one) => one.values.filter((value) => value !== null));
  const high = all.reduce((a, b) => Math.max(a, b), 0);
  const low = all.reduce((a, b) => Math.min(a, b), 0);
  return {
    x: {
      name: columns.includes(0) ? '#' : (answer.columns[0] ?? ''),
      labels: rows.map((row, i) => (columns.includes(0) ? String(i + 1) : String(row[0] ?? ''))),
      at: rows.map((row, i) => (byNumber ? (numberOf(row[0]) ?? 0) : i)),
      numeric: byNumber,
    },
    series,
    low,
    high: high > low ? high : low + 1,
    leftOut: columns.length - series.length,
  };
}

export type Form = 'bars' | 'line' | 'points';

/** Points and lines for numbers, bars for names, unless somebody chose. */
export const defaultForm = (data: PlotData): Form =>
  !data.x.numeric ? 'bars' : data.x.at.every((at, i) => i === 0 || at >= (data.x.at[i - 1] ?? 0)) ? 'line' : 'points';
