// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The address holds the state of the view: a link shows what its sender saw. Unknown or broken parts are
// ignored, so that an old link never fails.
import { type Snapshot, kEmptySnapshot } from '../model/snapshot.ts';
import type { TimeView } from '../model/time_view.ts';

export interface Address {
  page: 'reports' | 'report';
  ids: string[];
  snapshot: Snapshot;
}

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

export function formatAddress(address: Address): string {
  if (address.page === 'reports') return '#/';
  const { snapshot } = address;
  const parameters = new URLSearchParams();
  const set = (key: string, value: string): void => {
    if (value) parameters.set(key, value);
  };
  if (snapshot.view) set('v', packTimes(snapshot.view));
  if (snapshot.range) set('r', packTimes(snapshot.range));
  if (snapshot.selected) set('e', `${snapshot.selected.track}.${snapshot.selected.event}`);
  if (snapshot.collapsed) parameters.set('c', packIds(snapshot.collapsed));
  set('h', packIds(snapshot.hidden));
  set('pin', packIds(snapshot.pinned));
  set('q', snapshot.filter);
  if (snapshot.showEmpty) set('all', '1');
  if (snapshot.panel !== kEmptySnapshot.panel) set('p', snapshot.panel);
  for (const [key, value] of Object.entries(snapshot.panelState)) set(`p.${key}`, value);
  const query = parameters.toString();
  return `#/report/${address.ids.map(encodeURIComponent).join('/')}${query ? `?${query}` : ''}`;
}

export function parseAddress(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  const parts = path.split('/').filter(Boolean);
  if (parts[0] !== 'report' || parts.length < 2) return { page: 'reports', ids: [], snapshot: kEmptySnapshot };
  const parameters = new URLSearchParams(query);
  const event = /^(\d+)\.(.+)$/.exec(parameters.get('e') ?? '');
  const panelState: Record<string, string> = {};
  for (const [key, value] of parameters) if (key.startsWith('p.')) panelState[key.slice(2)] = value;
  const collapsed = parameters.get('c');
  return {
    page: 'report',
    ids: parts.slice(1).map(decode),
    snapshot: {
      view: unpackTimes(parameters.get('v')),
      range: unpackTimes(parameters.get('r')),
      selected: event ? { track: Number(event[1]), event: event[2] as string } : null,
      collapsed: collapsed === null ? null : unpackIds(collapsed),
      hidden: unpackIds(parameters.get('h') ?? ''),
      pinned: unpackIds(parameters.get('pin') ?? ''),
      filter: parameters.get('q') ?? '',
      showEmpty: parameters.get('all') === '1',
      panel: parameters.get('p') ?? kEmptySnapshot.panel,
      panelState,
    },
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
