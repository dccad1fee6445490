// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What the server answers: HTTP API v1, docs/http-api.md. Times are nanoseconds since the start of the report.

export type Nanoseconds = number;
export type NameId = number;
export type TrackId = number;
/** Opaque; compared and sent back, never computed with. */
export type EventId = string;

export interface Report {
  id: string;
  name: string;
  path: string;
  host: string | null;
  program: string | null;
  gpus: string[] | null;
  started: string | null;
  length_ns: Nanoseconds | null;
  rank: string | null;
  lost: number | null;
  verdict: string | null;
  growing: boolean;
  bytes: number;
  state?: 'complete' | 'growing' | 'cut' | 'unopened' | 'unreadable';
  etag?: string;
  /** Where the server keeps them (can_tag); else the browser does. */
  tags?: string[];
}

export interface Reports {
  reports: Report[];
  folders: string[];
  can_tag?: boolean;
}

export interface Diagnostic {
  code: string;
  process: number | null;
  count: number | null;
  first_ns: Nanoseconds | null;
  last_ns: Nanoseconds | null;
  text: string;
}

export interface ReportDetails extends Report {
  tables: { name: string; rows: number }[];
  diagnostics: Diagnostic[];
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
  /** Null while the server still sums up. */
  busy_ns: Nanoseconds | null;
  first_ns: Nanoseconds;
  last_ns: Nanoseconds;
  rows: number | null;
  unit: string | null;
  top: Share[];
  lost: [Nanoseconds, Nanoseconds][];
}

export interface Tracks {
  settled: boolean;
  tracks: Track[];
  /** Sentences about rows that are not there. */
  notes?: string[];
}

/** A cell of a table as it comes: numbers, text, nothing; bytes of SQL as text of hexadecimal digits. */
export type Cell = string | number | boolean | null | { hex: string };

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
  name: NameId;
  /** From the end of the call to the start of the work. */
  delay?: Nanoseconds | null;
}

/** Innermost first. */
export interface StackFrame {
  function: string;
  module: string | null;
  kernel: boolean;
}

export interface EventDetails {
  event: Record<string, Cell>;
  units: Record<string, string>;
  name: NameId;
  row: number;
  table: string;
  parents: { track: TrackId; event: EventId | number; name: NameId; start: number; duration: number }[];
  links: EventLink[];
  stack: StackFrame[];
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
  title: string;
  meaning: string;
  by_default: boolean;
}

export interface StatsTable {
  report: string;
  columns: { name: string; unit: string | null }[];
  rows: Cell[][];
  reason: string | null;
  title?: string;
  notes?: string[];
  total?: number;
}

export interface RangeTrack {
  track: TrackId;
  busy_ns: Nanoseconds;
  events: number;
  top: { name: NameId; ns: Nanoseconds; events: number }[];
  /** False: summed up from buckets. */
  exact?: boolean;
}

export interface Finding {
  rule: string;
  what: string;
  where: {
    text: string;
    track: TrackId | null;
    event: EventId | number | null;
    from: Nanoseconds | null;
    to: Nanoseconds | null;
  }[];
  evidence: string;
  gain_ns: Nanoseconds | null;
  advice: string;
}

export interface Findings {
  findings: Finding[];
  reasons: { rule: string; text: string }[];
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
  unit?: 'ns' | 'samples';
}

/** What a device did in a span of time; the causes add up to it. */
export interface CauseOfTime {
  cause: string;
  text: string;
  ns: Nanoseconds;
  share: number;
  longest: { from: Nanoseconds; to: Nanoseconds } | null;
  /** Of threads: calls or states, most time first. */
  names?: { name: NameId; ns: Nanoseconds }[];
}

export interface BusyDevice {
  track: TrackId;
  name: string;
  busy_ns: Nanoseconds;
  idle_ns: Nanoseconds;
  causes: CauseOfTime[];
}

export interface Busy {
  devices: BusyDevice[];
  reason: string | null;
}

export interface BusyThread {
  track: TrackId;
  name: string;
  /** Whether it is known when it ran. */
  scheduling: boolean;
  causes: CauseOfTime[];
}

export interface BusyThreads {
  threads: BusyThread[];
  left_out: number;
  reason: string | null;
}

/** Lines of source around a frame or an event. */
export interface SourceLines {
  /** Whether the server was started with folders of source. */
  allowed: boolean;
  /** As debug information or the report name it. */
  file?: string;
  line?: number;
  /** False: only the function is known, and this is where it begins. */
  exact?: boolean;
  /** Where the file was found. */
  path?: string;
  first?: number;
  lines?: string[];
  program_newer?: boolean;
  source_newer?: boolean;
  reason: string | null;
}

export interface HistogramAnswer {
  from: Nanoseconds;
  to: Nanoseconds;
  step: Nanoseconds;
  counts: number[];
  median: Nanoseconds;
  total: number;
}
