// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Everything that makes a view of a report: what the address holds and what undo goes back to.
import type { EventId } from '../api/types.ts';
import type { TimeView } from './time_view.ts';

export interface Selected {
  track: number;
  event: EventId;
}

/** Everything that makes a view of a report: what the address holds and what undo goes back to. */
export interface Snapshot {
  view: TimeView | null;
  range: TimeView | null;
  selected: Selected | null;
  collapsed: number[] | null;
  hidden: number[];
  pinned: number[];
  filter: string;
  showEmpty: boolean;
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
  panel: 'summary',
  panelState: {},
};
