// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Everything that makes a view of a report: what the address holds and what undo goes back to.
import type { EventId } from '../api/types.ts';
import type { RulerMode } from './ruler.ts';
import type { TimeView } from './time_view.ts';

export interface Selected {
  track: number;
  event: EventId;
}

export interface Snapshot {
  view: TimeView | null;
  range: TimeView | null;
  selected: Selected | null;
  collapsed: number[] | null;
  hidden: number[];
  pinned: number[];
  filter: string;
  showEmpty: boolean;
  /** Height of all rows, and of single ones on top of it. */
  rowScale: number;
  heights: Record<number, number>;
  /** The row that the keyboard is on; tables and graphs of a row show this one. */
  row: number | null;
  /** Names that stand out; the rest is pale. */
  marked: number[];
  ruler: RulerMode;
  panel: string;
  panelState: Record<string, string>;
}

export const kEmptySnapshot: Snapshot = {
  view: null,
  range: null,
  selected: null,
  collapsed: null,
  hidden: [],
  pinned: [],
  filter: '',
  showEmpty: false,
  rowScale: 1,
  heights: {},
  row: null,
  marked: [],
  ruler: 'absolute',
  panel: 'summary',
  panelState: {},
};
