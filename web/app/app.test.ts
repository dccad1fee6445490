// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { kEmptySnapshot } from '../model/snapshot.ts';
import { type Address, formatAddress, packIds, parseAddress, unpackIds } from './url_state.ts';

describe('the address', () => {
  const full: Address = {
    page: 'report',
    ids: ['r0123', 'a b/c?'],
    snapshot: {
      view: { from: -5, to: 123456789012345 },
      range: { from: 10, to: 20 },
      selected: { track: 4, event: '515396075521' },
      collapsed: [1, 2, 3, 9],
      hidden: [7],
      pinned: [],
      filter: 'a&b=c #%',
      showEmpty: true,
      panel: 'sql',
      panelState: { sql: "SELECT 'ä' + 1\nFROM t" },
    },
  };
  it('comes back as it was', () => {
    expect(parseAddress(formatAddress(full))).toEqual(full);
    const bare: Address = { page: 'report', ids: ['x'], snapshot: kEmptySnapshot };
    expect(formatAddress(bare)).toBe('#/report/x');
    expect(parseAddress('#/report/x')).toEqual(bare);
  });
  it('tells nothing collapsed from what is collapsed at first', () => {
    const open = { ...full, snapshot: { ...kEmptySnapshot, collapsed: [] } };
    expect(parseAddress(formatAddress(open)).snapshot.collapsed).toEqual([]);
    expect(parseAddress('#/report/x').snapshot.collapsed).toBeNull();
  });
  it('ignores what it does not understand', () => {
    for (const hash of ['', '#', '#/', '#/nonsense', '#/report', '#/report/'])
      expect(parseAddress(hash).page).toBe('reports');
    expect(parseAddress('#/report/x?v=9_1&r=a_b&e=zz&c=q&h=-&new=1').snapshot).toEqual({
      ...kEmptySnapshot,
      collapsed: [],
    });
    expect(parseAddress('#/report/%E0%A4%A').ids).toEqual(['%E0%A4%A']);
  });
  it('writes many rows shortly and bounds what it reads', () => {
    const ids = Array.from({ length: 300 }, (_, i) => i);
    expect(packIds(ids)).toBe('0-299');
    expect(unpackIds('0-299')).toEqual(ids);
    expect(unpackIds('0-99999999999').length).toBeLessThanOrEqual(100001);
  });
});
