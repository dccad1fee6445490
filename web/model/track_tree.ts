// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The tracks as a tree, and which rows of it are shown: collapsed, hidden, pinned, filtered, empty ones folded.
// Whatever hides rows leaves a row that says so.
import type { Track } from '../api/types.ts';

export interface TrackNode {
  track: Track;
  depth: number;
  children: TrackNode[];
  parent: TrackNode | null;
  /** Events here and below. */
  events: number;
}

export interface RowChoice {
  collapsed: ReadonlySet<number>;
  hidden: ReadonlySet<number>;
  pinned: ReadonlySet<number>;
  filter: string;
  showEmpty: boolean;
}

export type HiddenCause = 'empty' | 'hidden' | 'filter';

export type Row =
  | { kind: 'track'; node: TrackNode; depth: number; collapsed: boolean; pinned: boolean; branch: boolean }
  | { kind: 'note'; cause: HiddenCause; count: number; depth: number; key: string };

export function buildTree(tracks: readonly Track[]): TrackNode[] {
  const nodes = new Map<number, TrackNode>();
  for (const track of tracks)
    nodes.set(track.id, { track, depth: 0, children: [], parent: null, events: track.events });
  const roots: TrackNode[] = [];
  for (const track of tracks) {
    const node = nodes.get(track.id) as TrackNode;
    const parent = track.parent === null ? undefined : nodes.get(track.parent);
    // A parent that is missing or comes later (a loop) must not hide the row.
    if (parent && parent !== node && !isBelow(parent, node)) {
      node.parent = parent;
      parent.children.push(node);
    } else roots.push(node);
  }
  for (const root of roots) finish(root, 0);
  return roots;
}

function isBelow(node: TrackNode, ancestor: TrackNode): boolean {
  for (let at: TrackNode | null = node; at; at = at.parent) if (at === ancestor) return true;
  return false;
}

function finish(node: TrackNode, depth: number): number {
  node.depth = depth;
  for (const child of node.children) node.events += finish(child, depth + 1);
  return node.events;
}

function matches(node: TrackNode, filter: string): boolean {
  return (
    node.track.name.toLowerCase().includes(filter) ||
    node.track.kind.includes(filter) ||
    node.children.some((child) => matches(child, filter))
  );
}

function ownMatch(node: TrackNode, filter: string): boolean {
  return node.track.name.toLowerCase().includes(filter) || node.track.kind.includes(filter);
}

export function visibleRows(roots: readonly TrackNode[], choice: RowChoice): Row[] {
  const rows: Row[] = [];
  for (const root of roots) collectPinned(root, choice, rows);
  addLevel(roots, null, choice, choice.filter.trim().toLowerCase(), rows);
  return rows;
}

function collectPinned(node: TrackNode, choice: RowChoice, rows: Row[]): void {
  if (choice.pinned.has(node.track.id)) rows.push(trackRow(node, choice, true));
  for (const child of node.children) collectPinned(child, choice, rows);
}

function trackRow(node: TrackNode, choice: RowChoice, pinned: boolean): Row {
  return {
    kind: 'track',
    node,
    depth: pinned ? 0 : node.depth,
    collapsed: choice.collapsed.has(node.track.id),
    pinned,
    branch: node.children.length > 0,
  };
}

function addLevel(
  nodes: readonly TrackNode[],
  parent: TrackNode | null,
  choice: RowChoice,
  filter: string,
  rows: Row[],
): void {
  const folded: Record<HiddenCause, number> = { empty: 0, hidden: 0, filter: 0 };
  for (const node of nodes) {
    const cause = hiddenBy(node, choice, filter);
    if (cause) {
      folded[cause]++;
      continue;
    }
    rows.push(trackRow(node, choice, false));
    const below = filter && ownMatch(node, filter) ? '' : filter;
    if (node.children.length && !choice.collapsed.has(node.track.id))
      addLevel(node.children, node, choice, below, rows);
  }
  const depth = parent ? parent.depth + 1 : 0;
  for (const cause of ['empty', 'hidden', 'filter'] as const) {
    if (folded[cause])
      rows.push({ kind: 'note', cause, count: folded[cause], depth, key: `${cause}-${parent?.track.id ?? 'top'}` });
  }
}

function hiddenBy(node: TrackNode, choice: RowChoice, filter: string): HiddenCause | null {
  if (choice.hidden.has(node.track.id)) return 'hidden';
  if (filter && !matches(node, filter)) return 'filter';
  if (!choice.showEmpty && node.events === 0 && node.track.lost.length === 0) return 'empty';
  return null;
}

/** Values over time, not events that take time. */
export const isCurve = (track: Track): boolean => track.unit !== null && track.unit !== 'ns';

/** Rows that are full of something at all times, or of the profiler's own: their busy time says nothing of work. */
const kNoWork = new Set(['state', 'overhead', 'samples']);
/** Mostly waiting: a thread that sleeps in poll() is not what one looks for. */
const kWaiting = new Set(['osrt', 'syscall', 'sync']);

/** 2: work, 1: mostly waiting, 0: neither. */
export const workRank = (track: Track): number => (kNoWork.has(track.kind) ? 0 : kWaiting.has(track.kind) ? 1 : 2);
export const isWork = (track: Track): boolean => workRank(track) > 0;

/** The more worth looking at first. */
export const byWork = (a: Track, b: Track): number =>
  workRank(b) - workRank(a) || (b.busy_ns ?? b.events) - (a.busy_ns ?? a.events);

/** The node and those below it that have events. */
export function* withEvents(node: TrackNode): Generator<TrackNode> {
  if (node.track.events > 0) yield node;
  for (const child of node.children) yield* withEvents(child);
}

/** What a collapsed branch stands for: the busiest tracks below it that have events. */
export const busiestBelow = (node: TrackNode, limit: number): TrackNode[] =>
  [...withEvents(node)].sort((a, b) => byWork(a.track, b.track)).slice(0, limit);
