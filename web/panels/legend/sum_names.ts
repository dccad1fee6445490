// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The time of names in all rows together.
import type { Summed } from '../../model/sums.ts';

export interface NameSum {
  name: number;
  ns: number;
  events: number;
  rows: number;
}

/** Every name that is among the first of some row, the one with most time first. */
export function sumNames(summed: Pick<Summed, 'tracks'>): NameSum[] {
  const sums = new Map<number, NameSum>();
  for (const track of summed.tracks) {
    for (const top of track.top) {
      const sum = sums.get(top.name) ?? { name: top.name, ns: 0, events: 0, rows: 0 };
      sums.set(top.name, { name: top.name, ns: sum.ns + top.ns, events: sum.events + top.events, rows: sum.rows + 1 });
    }
  }
  return [...sums.values()].sort((a, b) => b.ns - a.ns);
}
