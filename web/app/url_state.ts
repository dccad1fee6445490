// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The address holds the state of the view: a link shows what its sender saw. Unknown or broken parts are
// ignored, so that an old link never fails.
import type { RulerMode } from '../model/ruler.ts';
import { type Snapshot, kEmptySnapshot } from '../model/snapshot.ts';
import type { TimeView } from '../model/time_view.ts';

/** Reports that can be looked at beside each other. */
export const kMostReports = 6;

/** The page of a folder: what is filtered for, sorted and grouped by. */
export interface ListState {
  filter: string;
  sort: string;
  down: boolean;
  group: string;
}

export interface Address {
  page: 'reports' | 'report';
  ids: string[];
  /** One for each of `ids`. */
  snapshots: Snapshot[];
  /** How much later than the first each of `ids` is shown, ns; null: nobody chose, so that their first events are aligned. */
  offsets: number[] | null;
  /** Which of them the pane is about. */
  active: number;
  list: ListState;
}

export const kEmptyList: ListState = { filter: '', sort: 'started', down: true, group: '' };

export const listAddress = (list: ListState = kEmptyList): Address => ({
  page: 'reports',
  ids: [],
  snapshots: [],
  offsets: null,
  active: 0,
  list,
});

export const reportAddress = (ids: readonly string[]): Address => {
  const kept = ids.slice(0, kMostReports);
  return {
    ...listAddress(),
    page: 'report',
    ids: kept,
    snapshots: kept.map(() => kEmptySnapshot),
  };
};

/** 1, 2, 3, 7 as 1-3.7 */
export function packIds(ids: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < ids.length; ) {
    let j = i;
    while (j + 1 < ids.length && ids[j + 1] === (ids[j] as number) + 1) j++;
    parts.push(i === j ? `${ids[i]}` : `${ids[i]}-${ids[j]}`);
    i = j + 1;
  }
  return parts.join('.');
}

export function unpackIds(text: string): number[] {
  const ids: number[] = [];
  for (const part of text.split('.')) {
    const match = /^(\d+)(?:-(\d+))?$/.exec(part);
    if (!match) continue;
    const from = Number(match[1]);
    const to = Math.min(Number(match[2] ?? match[1]), from + 100000);
    for (let id = from; id <= to; id++) ids.push(id);
  }
  return ids;
}

const packTimes = (view: TimeView): string => `${Math.round(view.from)}_${Math.round(view.to)}`;

function unpackTimes(text: string | null): TimeView | null {
  const match = /^(-?\d+)_(-?\d+)$/.exec(text ?? '');
  if (!match) return null;
  const [from, to] = [Number(match[1]), Number(match[2])];
  return from < to ? { from, to } : null;
}

/** Row and height: 4_1.5-9_2 */
const packHeights = (heights: Snapshot['heights']): string =>
  Object.entries(heights)
    .map(([row, height]) => `${row}_${height}`)
    .join('-');

function unpackHeights(text: string | null): Snapshot['heights'] {
  const heights: Record<number, number> = {};
  for (const part of (text ?? '').split('-').slice(0, 1000)) {
    const match = /^(\d+)_(\d+(?:\.\d+)?)$/.exec(part);
    if (match) heights[Number(match[1])] = Math.min(8, Math.max(0.3, Number(match[2])));
  }
  return heights;
}

function writeSnapshot(parameters: URLSearchParams, prefix: string, snapshot: Snapshot): void {
  const set = (key: string, value: string): void => {
    if (value) parameters.set(prefix + key, value);
  };
  if (snapshot.view) set('v', packTimes(snapshot.view));
  if (snapshot.range) set('r', packTimes(snapshot.range));
  if (snapshot.selected) set('e', `${snapshot.selected.track}.${snapshot.selected.event}`);
  if (snapshot.collapsed) parameters.set(`${prefix}c`, packIds(snapshot.collapsed));
  set('h', packIds(snapshot.hidden));
  set('pin', packIds(snapshot.pinned));
  set('q', snapshot.filter);
  if (snapshot.showEmpty) set('all', '1');
  if (snapshot.rowScale !== 1) set('s', String(snapshot.rowScale));
  set('rh', packHeights(snapshot.heights));
  if (snapshot.row !== null) set('row', String(snapshot.row));
  set('m', packIds(snapshot.marked));
  if (snapshot.ruler !== kEmptySnapshot.ruler) set('t', snapshot.ruler);
  if (snapshot.panel !== kEmptySnapshot.panel) set('p', snapshot.panel);
  for (const [key, value] of Object.entries(snapshot.panelState)) set(`p.${key}`, value);
}

function readSnapshot(parameters: ReadonlyMap<string, string>): Snapshot {
  const get = (key: string): string | null => parameters.get(key) ?? null;
  const event = /^(\d+)\.(.+)$/.exec(get('e') ?? '');
  const panelState: Record<string, string> = {};
  for (const [key, value] of parameters) if (key.startsWith('p.')) panelState[key.slice(2)] = value;
  const collapsed = get('c');
  const scale = Number(get('s') ?? 1);
  const ruler = get('t');
  return {
    view: unpackTimes(get('v')),
    range: unpackTimes(get('r')),
    selected: event ? { track: Number(event[1]), event: event[2] as string } : null,
    collapsed: collapsed === null ? null : unpackIds(collapsed),
    hidden: unpackIds(get('h') ?? ''),
    pinned: unpackIds(get('pin') ?? ''),
    filter: get('q') ?? '',
    showEmpty: get('all') === '1',
    rowScale: scale >= 0.4 && scale <= 3 ? scale : 1,
    heights: unpackHeights(get('rh')),
    row: /^\d+$/.test(get('row') ?? '') ? Number(get('row')) : null,
    marked: unpackIds(get('m') ?? ''),
    ruler: ruler === 'relative' || ruler === 'utc' ? (ruler as RulerMode) : 'absolute',
    panel: get('p') ?? kEmptySnapshot.panel,
    panelState,
  };
}

/** What belongs to the second report on is written with its number before it: `2.v=...`. */
const prefixOf = (index: number): string => (index === 0 ? '' : `${index + 1}.`);

export function formatAddress(address: Address): string {
  const parameters = new URLSearchParams();
  if (address.page === 'reports') {
    const { filter, sort, down, group } = address.list;
    if (filter) parameters.set('q', filter);
    if (sort !== kEmptyList.sort || down !== kEmptyList.down) parameters.set('sort', (down ? '-' : '') + sort);
    if (group) parameters.set('group', group);
  } else {
    address.snapshots.forEach((snapshot, i) => writeSnapshot(parameters, prefixOf(i), snapshot));
    if (address.offsets && address.ids.length > 1) parameters.set('o', address.offsets.map(Math.round).join('_'));
    if (address.active) parameters.set('a', String(address.active + 1));
  }
  const query = parameters.toString();
  const path = address.page === 'reports' ? '#/' : `#/report/${address.ids.map(encodeURIComponent).join('/')}`;
  return `${path}${query ? `?${query}` : ''}`;
}

export function parseAddress(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  const parts = path.split('/').filter(Boolean);
  const parameters = new URLSearchParams(query);
  if (parts[0] !== 'report' || parts.length < 2) return listAddress(readList(parameters));
  const address = reportAddress(parts.slice(1).map(decode));
  const groups = address.ids.map(() => new Map<string, string>());
  for (const [key, value] of parameters) {
    const match = /^(\d)\.(.+)$/.exec(key);
    groups[match ? Number(match[1]) - 1 : 0]?.set(match ? (match[2] as string) : key, value);
  }
  const offsets = parameters.get('o')?.split('_').map(Number);
  const active = Number(parameters.get('a') ?? 1) - 1;
  return {
    ...address,
    snapshots: groups.map(readSnapshot),
    offsets: offsets
      ? address.ids.map((_, i) => (i > 0 && Number.isSafeInteger(offsets[i]) ? (offsets[i] as number) : 0))
      : null,
    active: address.ids[active] === undefined ? 0 : active,
  };
}

function readList(parameters: URLSearchParams): ListState {
  const sort = /^(-?)([a-z_]+)$/.exec(parameters.get('sort') ?? '');
  return {
    filter: parameters.get('q') ?? '',
    sort: sort?.[2] ?? kEmptyList.sort,
    down: sort ? sort[1] === '-' : kEmptyList.down,
    group: parameters.get('group') ?? '',
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
