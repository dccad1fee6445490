// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Durations in steps of the same width.

/** At most so many events of a name are looked at; the panel says so when there are more. */
export const kHistogramLimit = 10000;
const kBins = 40;

export interface Histogram {
  from: number;
  to: number;
  step: number;
  median: number;
  counts: number[];
}

/** Null: nothing to show with fewer than two values. */
export function histogram(values: readonly number[]): Histogram | null {
  if (values.length < 2) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const from = sorted[0] as number;
  const to = sorted[sorted.length - 1] as number;
  const step = Math.max(1, Math.ceil((to - from + 1) / kBins));
  const counts = new Array<number>(Math.min(kBins, Math.ceil((to - from + 1) / step))).fill(0);
  for (const value of sorted) {
    const bin = Math.floor((value - from) / step);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { from, to, step, median: sorted[Math.floor(sorted.length / 2)] as number, counts };
}
