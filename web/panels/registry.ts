// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The panels, in the order of their tabs; key 1 is the first one.
import { about } from './about/about.tsx';
import { details } from './details/details.tsx';
import { events } from './events/events.tsx';
import { findings } from './findings/findings.tsx';
import { flame } from './flame/flame.tsx';
import { legend } from './legend/legend.tsx';
import { notes } from './notes/notes.tsx';
import type { Panel } from './panel.ts';
import { sql } from './sql/sql.tsx';
import { stats } from './stats/stats.tsx';
import { summary } from './summary/summary.tsx';

export const kPanels: readonly Panel[] = [summary, details, events, stats, findings, flame, sql, notes, legend, about];
