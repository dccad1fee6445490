// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { Track } from '../api/types.ts';
import { kLane, layoutRows, rowsBetween } from './layout.ts';
import { type RowChoice, buildTree, busiestBelow, visibleRows } from './track_tree.ts';

const track = (id: number, parent: number | null, name: string, events = 10, more: Partial<Track> = {}): Track => ({
  id,
  parent,
  kind: 'nvtx',
  name,
  events,
  busy_ns: events * 100,
  first_ns: 0,
  last_ns: 1,
  rows: 1,
  unit: null,
  top: [],
  lost: [],
  ...more,
});
const none: RowChoice = { collapsed: new Set(), hidden: new Set(), pinned: new Set(), filter: '', showEmpty: false };
const tracks = [
  track(0, null, 'process', 0),
  track(1, 0, 'main', 0),
  track(2, 1, 'NVTX', 10, { rows: 3 }),
  track(3, 0, 'idle', 0),
  track(4, 0, 'worker', 5),
  track(5, null, 'GPU', 0),
  track(6, 5, 'Kernels', 50),
];
const shown = (choice: Partial<RowChoice>): string[] =>
  visibleRows(buildTree(tracks), { ...none, ...choice }).map((row) =>
    row.kind === 'track' ? `${row.pinned ? '*' : ''}${row.node.track.name}` : `${row.cause} ${row.count}`,
  );

describe('track tree', () => {
  it('folds rows without events and says so', () => {
    expect(shown({})).toEqual(['process', 'main', 'NVTX', 'worker', 'empty 1', 'GPU', 'Kernels']);
    expect(shown({ showEmpty: true })).toContain('idle');
  });
  it('shows where events were lost even if none is left', () => {
    const lossy = [...tracks.slice(0, 3), track(3, 0, 'idle', 0, { lost: [[1, 2]] })];
    expect(
      visibleRows(buildTree(lossy), none).some((row) => row.kind === 'track' && row.node.track.name === 'idle'),
    ).toBe(true);
  });
  it('collapses, hides and pins', () => {
    expect(shown({ collapsed: new Set([0]) })).toEqual(['process', 'GPU', 'Kernels']);
    expect(shown({ hidden: new Set([0]) })).toEqual(['GPU', 'Kernels', 'hidden 1']);
    expect(shown({ pinned: new Set([6]) })[0]).toBe('*Kernels');
  });
  it('filters by name, keeps what leads there and what lies below, and says what is gone', () => {
    expect(shown({ filter: 'WORK' })).toEqual(['process', 'worker', 'filter 2', 'filter 1']);
    expect(shown({ filter: 'gpu' })).toEqual(['GPU', 'Kernels', 'filter 1']);
  });
  it('survives parents that are missing or loops', () => {
    const odd = [track(1, 2, 'a'), track(2, 1, 'b'), track(3, 99, 'c'), track(4, 4, 'd')];
    expect(visibleRows(buildTree(odd), none)).toHaveLength(4);
  });
  it('finds what a collapsed branch stands for', () => {
    const [process] = buildTree(tracks);
    expect(process && busiestBelow(process, 5).map((node) => node.track.name)).toEqual(['NVTX', 'worker']);
  });
});

describe('layout', () => {
  const layout = layoutRows(visibleRows(buildTree(tracks), none), 1);
  it('gives nested rows a lane for each level, one after the other without gaps', () => {
    const nvtx = layout.rows.find((placed) => placed.row.kind === 'track' && placed.row.node.track.name === 'NVTX');
    expect(nvtx?.height).toBeGreaterThanOrEqual(3 * kLane);
    layout.rows
      .slice(1)
      .forEach((placed, i) => expect(placed.top).toBe((layout.rows[i]?.top ?? 0) + (layout.rows[i]?.height ?? 0)));
  });
  it('finds the rows in sight', () => {
    expect(rowsBetween(layout, 0, layout.height)).toHaveLength(layout.rows.length);
    expect(rowsBetween(layout, 1, 2)).toHaveLength(1);
    expect(rowsBetween(layout, layout.height, layout.height + 10)).toEqual([]);
    for (const placed of layout.rows) expect(rowsBetween(layout, placed.top, placed.top + 1)).toEqual([placed]);
  });
});
