// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Where rows lie on the canvas, in CSS pixels from the top of the first row.
import { type Row, type TrackNode, busiestBelow, isCurve } from './track_tree.ts';

export const kLane = 18;
const kNoteHeight = 20;
const kPadding = 3;
const kSummaryLanes = 6;

export interface PlacedRow {
  row: Row;
  top: number;
  height: number;
  /** Height of one nesting level. */
  lane: number;
  /** The tracks that are drawn in it: its own, or those below a collapsed branch. */
  shown: TrackNode[];
}

export interface Layout {
  rows: PlacedRow[];
  height: number;
}

/** Lower than its text no row becomes. */
const kLeastText = 20;

function place(row: Row, top: number, scale: number): PlacedRow {
  if (row.kind === 'note') return { row, top, height: kNoteHeight, lane: 0, shown: [] };
  const { node } = row;
  const own = node.track.events > 0;
  if (isCurve(node.track) && own) {
    const lane = Math.max(kLeastText - kPadding, (row.collapsed ? 22 : 44) * scale);
    return { row, top, height: lane + kPadding, lane, shown: [node] };
  }
  if (row.collapsed && row.branch) {
    const shown = busiestBelow(node, kSummaryLanes);
    const lane = Math.max(3, Math.floor((24 * scale) / Math.max(shown.length, 1)));
    return { row, top, height: Math.max(kLeastText, lane * shown.length) + kPadding, lane, shown };
  }
  if (!own) return { row, top, height: kLeastText, lane: kLeastText, shown: [] };
  const levels = Math.max(1, node.track.rows ?? 1);
  const lane = row.collapsed ? Math.max(2, Math.floor((24 * scale) / levels)) : Math.max(2, Math.round(kLane * scale));
  return { row, top, height: Math.max(kLeastText - 1, lane * levels) + kPadding, lane, shown: [node] };
}

export function layoutRows(
  rows: readonly Row[],
  scale: number,
  heights: Readonly<Record<number, number>> = {},
): Layout {
  const placed: PlacedRow[] = [];
  let top = 0;
  for (const row of rows) {
    const own = row.kind === 'track' ? (heights[row.node.track.id] ?? 1) : 1;
    const at = place(row, top, scale * own);
    placed.push(at);
    top += at.height;
  }
  return { rows: placed, height: top };
}

/** The rows that touch [top, bottom); they are ordered, so two binary searches would do, one is enough. */
export function rowsBetween(layout: Layout, top: number, bottom: number): PlacedRow[] {
  let low = 0;
  let high = layout.rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = layout.rows[middle] as PlacedRow;
    if (row.top + row.height <= top) low = middle + 1;
    else high = middle;
  }
  const found: PlacedRow[] = [];
  for (let i = low; i < layout.rows.length && (layout.rows[i] as PlacedRow).top < bottom; i++)
    found.push(layout.rows[i] as PlacedRow);
  return found;
}
