// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Answers of the HTTP API made from the events of a track, in a page without a server.
import type { Events } from './embedded_track.ts';
import { histogram } from './histogram.ts';
import type {
  EventDetails,
  EventLink,
  EventPage,
  FoundName,
  HistogramAnswer,
  SearchResult,
  Stacks,
  Track,
} from './types.ts';

const lengthOf = (events: Events, i: number): number => {
  const end = events.end[i] as number;
  return end === Number.POSITIVE_INFINITY ? -1 : end - (events.start[i] as number);
};

export function eventsAnswer(events: Events, names: readonly string[], query: URLSearchParams): EventPage {
  const number = (key: string, other: number): number => Number(query.get(key) ?? other);
  const text = (query.get('text') ?? '').toLowerCase();
  const name = query.get('name');
  const [from, to] = [number('from', 0), number('to', Number.MAX_SAFE_INTEGER)];
  const [least, most] = [number('min', Number.NEGATIVE_INFINITY), number('max', Number.POSITIVE_INFINITY)];
  const hits: number[] = [];
  for (let i = 0; i < events.start.length; i++) {
    const length = lengthOf(events, i);
    if ((events.start[i] as number) > to || (events.end[i] as number) < from || length < least || length > most)
      continue;
    if (name !== null && events.name[i] !== Number(name)) continue;
    if (text && !(names[events.name[i] as number] ?? '').toLowerCase().includes(text)) continue;
    hits.push(i);
  }
  const sort = query.get('sort');
  if (sort === 'duration') hits.sort((a, b) => lengthOf(events, a) - lengthOf(events, b));
  if (sort === 'name')
    hits.sort((a, b) => ((names[events.name[a] as number] ?? '') < (names[events.name[b] as number] ?? '') ? -1 : 1));
  if (query.get('order') === 'desc') hits.reverse();
  const offset = number('offset', 0);
  const rows = hits
    .slice(offset, offset + number('limit', 100))
    .map((i) => [events.id[i], events.start[i], lengthOf(events, i), events.name[i], events.row[i]]);
  return {
    columns: ['event', 'start', 'duration', 'name', 'row'],
    total: hits.length,
    rows: rows as EventPage['rows'],
  };
}

function neighbour(events: Events, at: number, step: number): string | null {
  for (let i = at + step; i >= 0 && i < events.id.length; i += step)
    if (events.name[i] === events.name[at]) return events.id[i] as string;
  return null;
}

/** The ranges of the same row around an event, the outermost first. */
function parentsOf(events: Events, at: number, track: number): EventDetails['parents'] {
  const parents: EventDetails['parents'] = [];
  let row = (events.row[at] as number) - 1;
  for (let i = at - 1; i >= 0 && row >= 0; i--) {
    if (events.row[i] !== row || (events.end[i] as number) < (events.end[at] as number)) continue;
    parents.unshift({
      track,
      event: events.id[i] as string,
      name: events.name[i] as number,
      start: events.start[i] as number,
      duration: lengthOf(events, i),
    });
    row--;
  }
  return parents;
}

export function eventAnswer(
  events: Events,
  names: readonly string[],
  track: number,
  event: string,
  links: EventLink[],
): EventDetails | null {
  const at = events.id.indexOf(event);
  if (at < 0) return null;
  const name = events.name[at] as number;
  return {
    event: { start: events.start[at] as number, duration: lengthOf(events, at), name: names[name] ?? '' },
    units: { start: 'ns', duration: 'ns' },
    name,
    row: events.row[at] as number,
    table: '',
    parents: parentsOf(events, at, track),
    links,
    stack: [],
    explained: null,
    previous: neighbour(events, at, -1),
    next: neighbour(events, at, 1),
    sql: '',
  };
}

export function searchAnswer(
  tracks: readonly Track[],
  eventsOf: (track: number) => Events,
  names: readonly string[],
  query: URLSearchParams,
): SearchResult {
  const text = (query.get('text') ?? '').toLowerCase();
  const limit = Number(query.get('limit') ?? 50);
  const wanted = new Set(names.flatMap((name, id) => (name.toLowerCase().includes(text) ? [id] : [])));
  const found = new Map<number, FoundName>();
  for (const track of tracks) {
    if (!track.events) continue;
    const events = eventsOf(track.id);
    for (let i = 0; i < events.id.length; i++) {
      const name = events.name[i] as number;
      if (!wanted.has(name)) continue;
      const first = { track: track.id, event: events.id[i] as string, start: events.start[i] as number };
      const hit = found.get(name) ?? {
        name,
        text: names[name] ?? '',
        track_kind: track.kind,
        events: 0,
        total_ns: 0,
        first,
      };
      hit.events++;
      hit.total_ns += Math.max(0, lengthOf(events, i));
      found.set(name, hit);
    }
  }
  const hits = [...found.values()].sort((a, b) => b.total_ns - a.total_ns);
  return { names: hits.slice(0, limit), more: hits.length > limit };
}

export function histogramAnswer(events: Events, name: number, bins: number): HistogramAnswer {
  const closed = events.name.flatMap((one, i) =>
    one === name && lengthOf(events, i) >= 0 ? [lengthOf(events, i)] : [],
  );
  return histogram(closed, bins);
}

/** The nesting of a row, by time of its own. */
export function stacksAnswer(events: Events, names: readonly string[], from: number, to: number): Stacks {
  const weights = new Map<string, number>();
  const add = (path: readonly number[], ns: number): void => {
    if (ns > 0) weights.set(path.join(' '), (weights.get(path.join(' ')) ?? 0) + ns);
  };
  const open: { end: number; row: number; path: number[]; covered: number }[] = [];
  let top: (typeof open)[number] | undefined;
  const close = (time: number): void => {
    for (top = open[open.length - 1]; top && top.end <= time; top = open[open.length - 1]) {
      add(top.path, Math.min(top.end, to) - Math.max(top.covered, from));
      const below = open[open.length - 2];
      if (below) below.covered = Math.max(below.covered, top.end);
      open.pop();
    }
  };
  for (let i = 0; i < events.id.length; i++) {
    const start = events.start[i] as number;
    close(start);
    // Events of a row that overlap without nesting stand beside each other.
    while (open.length && (open[open.length - 1]?.row ?? 0) >= (events.row[i] as number))
      close(open[open.length - 1]?.end ?? 0);
    const below = open[open.length - 1];
    if (below) {
      add(below.path, Math.min(start, to) - Math.max(below.covered, from));
      below.covered = Math.max(below.covered, start);
    }
    const path = [...(below?.path ?? []), events.name[i] as number];
    open.push({ end: events.end[i] as number, row: events.row[i] as number, path, covered: start });
  }
  close(Number.POSITIVE_INFINITY);
  const stacks = [...weights].map(([path, ns]): [number[], number] => [path.split(' ').map(Number), Math.round(ns)]);
  return { frames: [...names], stacks, unit: 'ns' };
}
