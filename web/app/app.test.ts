// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { Track } from '../api/types.ts';
import { type Snapshot, kEmptySnapshot } from '../model/snapshot.ts';
import type { Viewer } from '../model/viewer.ts';
import { alignedOffsets } from './linked_views.ts';
import { type Address, formatAddress, packIds, parseAddress, reportAddress, unpackIds } from './url_state.ts';

describe('the address', () => {
  const snapshot: Snapshot = {
    view: { from: -5, to: 123456789012345 },
    range: { from: 10, to: 20 },
    selected: { track: 4, event: '515396075521' },
    collapsed: [1, 2, 3, 9],
    hidden: [7],
    pinned: [],
    filter: 'a&b=c #%',
    showEmpty: true,
    rowScale: 1.25,
    heights: { 4: 1.5, 9: 0.4 },
    row: 0,
    marked: [5, 6, 99],
    ruler: 'utc',
    panel: 'sql',
    panelState: { sql: "SELECT 'ä' + 1\nFROM t" },
  };
  const full: Address = {
    ...reportAddress(['r0123', 'a b/c?', 'third']),
    snapshots: [snapshot, { ...kEmptySnapshot, panel: 'stats', panelState: { '2.v': 'odd' } }, snapshot],
    offsets: [0, -500, 12],
    active: 2,
  };
  it('comes back as it was', () => {
    expect(parseAddress(formatAddress(full))).toEqual(full);
    const bare = reportAddress(['x']);
    expect(formatAddress(bare)).toBe('#/report/x');
    expect(parseAddress('#/report/x')).toEqual(bare);
  });
  it('tells nothing collapsed from what is collapsed at first', () => {
    const open = { ...reportAddress(['x']), snapshots: [{ ...kEmptySnapshot, collapsed: [] }] };
    expect(parseAddress(formatAddress(open)).snapshots[0]?.collapsed).toEqual([]);
    expect(parseAddress('#/report/x').snapshots[0]?.collapsed).toBeNull();
  });
  it('holds what a folder is filtered, sorted and grouped by', () => {
    const list = { filter: 'train #good', sort: 'length_ns', down: false, group: 'folder' };
    const address = { ...parseAddress('#/'), list };
    expect(parseAddress(formatAddress(address))).toEqual(address);
    expect(formatAddress(parseAddress('#/'))).toBe('#/');
  });
  it('ignores what it does not understand', () => {
    for (const hash of ['', '#', '#/', '#/nonsense', '#/report', '#/report/', '#/?sort=%00'])
      expect(formatAddress(parseAddress(hash))).toBe('#/');
    const odd = '#/report/x?v=9_1&r=a_b&e=zz&c=q&h=-&new=1&s=99&rh=a_b&row=-1&m=x&t=moon&o=1_2&a=7&9.v=1_2';
    const address = parseAddress(odd);
    expect(address.snapshots).toEqual([{ ...kEmptySnapshot, collapsed: [] }]);
    expect([address.active, address.offsets]).toEqual([0, [0]]);
    expect(parseAddress('#/report/a/b').offsets).toBeNull();
    expect(parseAddress('#/report/%E0%A4%A').ids).toEqual(['%E0%A4%A']);
    expect(parseAddress(`#/report/${'x/'.repeat(50)}`).ids).toHaveLength(6);
  });
  it('writes many rows shortly and bounds what it reads', () => {
    const ids = Array.from({ length: 300 }, (_, i) => i);
    expect(packIds(ids)).toBe('0-299');
    expect(unpackIds('0-299')).toEqual(ids);
    expect(unpackIds('0-99999999999').length).toBeLessThanOrEqual(100001);
  });
});

describe('reports beside each other', () => {
  const report = (...tracks: [kind: string, events: number, first_ns: number][]): Viewer =>
    ({
      tracks: { value: tracks.map(([kind, events, first_ns]) => ({ kind, events, first_ns }) as Track) },
      length: { value: 1000 },
    }) as unknown as Viewer;
  it('begin with the first events of their programs, not with those of the profiler', () => {
    const reports = [
      report(['overhead', 3, 0], ['nvtx', 2, 100], ['process', 0, 0]),
      report(['overhead', 1, 0], ['osrt', 9, 340], ['nvtx', 2, 400]),
      report(['overhead', 1, 0]),
    ];
    expect(alignedOffsets(reports, 'first')).toEqual([0, 240, 900]);
  });
});
