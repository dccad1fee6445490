// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Durations in steps of the same width, as the server makes them, for a page without one.
import type { HistogramAnswer } from './types.ts';

export function histogram(values: readonly number[], bins: number): HistogramAnswer {
  const sorted = [...values].sort((a, b) => a - b);
  const [from, to] = [sorted[0] ?? 0, sorted[sorted.length - 1] ?? 0];
  const step = Math.max(1, Math.ceil((to - from + 1) / bins));
  const counts = new Array<number>(Math.ceil((to - from + 1) / step)).fill(0);
  for (const value of sorted) {
    const bin = Math.floor((value - from) / step);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const middle = sorted.length / 2;
  const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
  return { from, to, step, counts, median, total: sorted.length };
}
