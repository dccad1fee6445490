// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What the server answers: HTTP API v1, docs/http-api.md. Times are nanoseconds since the start of the report.

export type Nanoseconds = number;
export type NameId = number;
export type TrackId = number;
/** Opaque; compared and sent back, never computed with. Kept as text since it may need all 64 bits. */
export type EventId = string;

export interface Report {
  id: string;
  name: string;
  path: string;
  host: string;
  program: string;
  gpus: string[];
  started: string;
  length_ns: Nanoseconds;
  rank: string | null;
  lost: number;
  verdict: string;
  growing: boolean;
  bytes: number;
}

export interface Diagnostic {
  severity?: string;
  kind?: string;
  message?: string;
  count?: number;
}

export interface ReportDetails extends Report {
  tables: { name: string; rows: number }[];
  diagnostics: (Diagnostic | string)[];
  clock: { utc_start_ns: string };
  names: number;
}

export interface Share {
  name: NameId;
  share: number;
}

export interface Track {
  id: TrackId;
  parent: TrackId | null;
  kind: string;
  name: string;
  events: number;
  busy_ns: Nanoseconds;
  first_ns: Nanoseconds;
  last_ns: Nanoseconds;
  rows: number;
  unit: string | null;
  top: Share[];
  lost: [Nanoseconds, Nanoseconds][];
}

/** A cell of a table as it comes: numbers, text, nothing. */
export type Cell = string | number | boolean | null;

export interface EventPage {
  columns: string[];
  total: number;
  rows: Cell[][];
}

export interface EventLink {
  kind: string;
  track: TrackId;
  event: EventId | number;
  start: Nanoseconds;
  duration: Nanoseconds;
}

export interface EventDetails {
  event: Record<string, Cell>;
  units: Record<string, string>;
  parents: (string | { track: TrackId; event: EventId | number; name: string; start: number; duration: number })[];
  links: EventLink[];
  stack: string[];
  explained: string | null;
  previous: EventId | number | null;
  next: EventId | number | null;
  sql: string;
}

export interface FoundName {
  name: NameId;
  text: string;
  track_kind: string;
  events: number;
  total_ns: Nanoseconds;
  first: { track: TrackId; event: EventId | number; start: Nanoseconds };
}

export interface SearchResult {
  names: FoundName[];
  more: boolean;
}

export interface StatsListEntry {
  name: string;
  description: string;
}

export interface StatsTable {
  report: string;
  columns: { name: string; unit: string | null }[];
  rows: Cell[][];
  reason: string | null;
}

export interface RangeTrack {
  track: TrackId;
  busy_ns: Nanoseconds;
  events: number;
  top: (Share & { events?: number; total_ns?: number })[];
}

export interface Finding {
  rule: string;
  what: string;
  where: { track: TrackId | null; event: EventId | number | null; from: Nanoseconds; to: Nanoseconds }[];
  evidence: string;
  gain_ns: Nanoseconds;
  advice: string;
}

export interface Findings {
  findings: Finding[];
  reasons: (string | { rule: string; reason: string })[];
}

export interface SqlResult {
  columns: string[];
  rows: Cell[][];
  truncated: boolean;
  ms: number;
}

export interface Stacks {
  frames: string[];
  stacks: [number[], number][];
}
