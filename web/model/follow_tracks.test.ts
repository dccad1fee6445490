// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { Track } from '../api/types.ts';
import { followTracks } from './follow_tracks.ts';

/** parent, kind, name; numbered in their order. */
const tree = (...rows: [number | null, string, string][]): Track[] =>
  rows.map(([parent, kind, name], id) => ({
    ...{ id, parent, kind, name, events: 1, busy_ns: 1, first_ns: 0, last_ns: 1, rows: 1 },
    ...{ unit: null, top: [], lost: [] },
  }));

describe('rows of a report that grows', () => {
  const before = tree(
    [null, 'process', 'sh [7]'],
    [0, 'thread', 'thread [7]'],
    [1, 'nvtx', 'NVTX'],
    [null, 'process', 'worker [8]'],
    [3, 'thread', 'worker [8]'],
    [4, 'nvtx', 'NVTX'],
  );
  it('are followed by where they are, whatever their processes are called by now', () => {
    const after = tree(
      [null, 'device', 'GPU 0'],
      [null, 'process', 'train [7]'],
      [1, 'thread', 'main [7]'],
      [2, 'nvtx', 'NVTX'],
      [2, 'nvtx', 'NVTX: io'],
      [null, 'process', 'worker [8]'],
      [5, 'thread', 'worker [8]'],
      [6, 'osrt', 'OS runtime'],
    );
    expect(followTracks(before, after)).toEqual(
      new Map([
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 5],
        [4, 6],
      ]),
    );
  });
  it('are the same where more come behind them', () => {
    expect(
      followTracks(before, [...before, ...tree([null, 'process', 'late [9]']).map((t) => ({ ...t, id: 6 }))]),
    ).toBe(null);
  });
  it('are told apart where several have one name', () => {
    const two = tree([null, 'group', 'x'], [null, 'group', 'x']);
    expect(followTracks(two, tree([null, 'group', 'w'], [null, 'group', 'x'], [null, 'group', 'x']))).toEqual(
      new Map([
        [0, 1],
        [1, 2],
      ]),
    );
  });
});
