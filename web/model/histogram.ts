// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Durations in steps of the same width. The server makes these; this does where there is none.
import type { HistogramAnswer } from '../api/types.ts';

export const kBins = 40;
export type Histogram = HistogramAnswer;

export function histogram(values: readonly number[], bins = kBins): Histogram {
  const sorted = [...values].sort((a, b) => a - b);
  const from = sorted[0] ?? 0;
  const to = sorted[sorted.length - 1] ?? 0;
  const step = Math.max(1, Math.ceil((to - from + 1) / bins));
  const counts = new Array<number>(Math.min(bins, Math.ceil((to - from + 1) / step))).fill(0);
  for (const value of sorted) {
    const bin = Math.floor((value - from) / step);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { from, to, step, median: sorted[Math.floor(sorted.length / 2)] ?? 0, counts, total: sorted.length };
}
