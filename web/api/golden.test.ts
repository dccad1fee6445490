// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The server's own answers, kept by its tests in tests/golden/http_api: the viewer must be able to read every one.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodeTile, tileSpan } from './tile.ts';
import type {
  Busy,
  BusyThreads,
  EventDetails,
  EventPage,
  HistogramAnswer,
  Report,
  ReportDetails,
  SearchResult,
  SourceLines,
  SqlResult,
  Stacks,
  StatsTable,
  Track,
  Tracks,
} from './types.ts';

const file = (name: string): Buffer => readFileSync(new URL(`../../tests/golden/http_api/${name}`, import.meta.url));
const json = <T>(name: string): T => JSON.parse(file(name).toString('utf8')) as T;
const tile = (name: string, level: number) => {
  const bytes = file(name);
  return decodeTile(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer, {
    track: 0,
    level,
    index: 0,
  });
};
const number = expect.any(Number);
const text = expect.any(String);
const orNull = (value: unknown, kind: string): void =>
  expect(['null', kind]).toContain(value === null ? 'null' : typeof value);

describe("the server's answers", () => {
  it('list reports', () => {
    const { reports, folders } = json<{ reports: Report[]; folders: string[] }>('reports.json');
    expect(Array.isArray(folders)).toBe(true);
    expect(reports.length).toBeGreaterThan(0);
    for (const report of [...reports, json<ReportDetails>('report.json')]) {
      expect(report).toMatchObject({ id: text, name: text, path: text, growing: expect.any(Boolean), bytes: number });
      for (const key of ['host', 'program', 'started', 'rank', 'verdict'] as const) orNull(report[key], 'string');
      for (const key of ['length_ns', 'lost'] as const) orNull(report[key], 'number');
    }
    expect(json('report.json')).toMatchObject({
      clock: { utc_start_ns: expect.stringMatching(/^\d+$/) },
      tables: expect.any(Array),
      diagnostics: expect.any(Array),
      names: number,
    });
  });

  it('name tracks, parents first', () => {
    const { tracks, settled } = json<Tracks>('tracks.json');
    expect(settled).toBe(true);
    const seen = new Set<number>();
    for (const track of tracks) {
      expect(track).toMatchObject({
        id: number,
        kind: text,
        name: text,
        events: number,
        busy_ns: number,
        first_ns: number,
        last_ns: number,
        rows: number,
        top: expect.any(Array),
        lost: expect.any(Array),
      } satisfies Partial<Record<keyof Track, unknown>>);
      if (track.parent !== null) expect(seen.has(track.parent)).toBe(true);
      for (const top of track.top) expect(top).toEqual({ name: number, share: number });
      seen.add(track.id);
    }
  });

  it('hold tiles whose entries lie in them', () => {
    const events = tile('tile_events.bin', 5);
    if (events.kind !== 'events') throw new Error(events.kind);
    expect(events.count).toBeGreaterThan(0);
    for (let i = 0; i < events.count; i++) {
      expect(events.start[i]).toBeLessThan(tileSpan(5));
      expect(events.row[i]).toBeLessThan(events.rows);
      if (i) expect(events.start[i]).toBeGreaterThanOrEqual(events.start[i - 1] as number);
    }
    const buckets = tile('tile_buckets.bin', 8);
    if (buckets.kind !== 'buckets') throw new Error(buckets.kind);
    expect(buckets.count).toBeGreaterThan(0);
    for (let i = 0; i < buckets.count; i++) {
      expect(buckets.bucket[i]).toBeLessThan(1024);
      expect(buckets.row[i]).toBeLessThan(buckets.rows);
      expect(buckets.busy[i]).toBeGreaterThan(0);
    }
  });

  it('describe events', () => {
    const page = json<EventPage>('events.json');
    expect(page.columns.slice(0, 5)).toEqual(['event', 'start', 'duration', 'name', 'row']);
    expect(page.rows.length).toBeLessThanOrEqual(page.total);
    const details = json<EventDetails>('event.json');
    expect(details).toMatchObject({
      name: number,
      row: number,
      table: text,
      sql: text,
      stack: expect.any(Array),
      event: { start: number, duration: number },
    });
    orNull(details.explained, 'string');
    for (const link of details.links)
      expect(link).toMatchObject({
        kind: text,
        track: number,
        event: number,
        start: number,
        duration: number,
        name: number,
      });
    for (const parent of details.parents)
      expect(parent).toMatchObject({ track: number, event: number, start: number, duration: number, name: number });
    for (const name of json<{ names: string[] }>('names.json').names) expect(typeof name).toBe('string');
  });

  it('search and sum up', () => {
    for (const hit of json<SearchResult>('search.json').names)
      expect(hit).toMatchObject({
        name: number,
        text,
        track_kind: text,
        events: number,
        total_ns: number,
        first: { track: number, event: number, start: number },
      });
    const stats = json<StatsTable>('stats.json');
    expect(stats.columns.every((column) => typeof column.name === 'string')).toBe(true);
    for (const row of stats.rows) expect(row).toHaveLength(stats.columns.length);
    for (const row of json<{ tracks: unknown[] }>('range.json').tracks)
      expect(row).toMatchObject({ track: number, busy_ns: number, events: number, top: expect.any(Array) });
    const sql = json<SqlResult>('sql.json');
    for (const row of sql.rows) expect(row).toHaveLength(sql.columns.length);
    const stacks = json<Stacks>('stacks.json');
    for (const [frames, weight] of stacks.stacks) {
      expect(frames.every((frame) => frame < stacks.frames.length)).toBe(true);
      expect(weight).toBeGreaterThan(0);
    }
  });

  it('say what went wrong', () => {
    expect(json('error.json')).toMatchObject({ error: { code: text, message: text } });
  });

  it('tell what devices did, and it adds up', () => {
    const { devices } = json<Busy>('busy.json');
    const { from, to } = json<{ from: number; to: number }>('busy.json');
    expect(devices.length).toBeGreaterThan(0);
    for (const device of devices) {
      expect(device.busy_ns + device.idle_ns).toBe(to - from);
      expect(device.causes.reduce((sum, cause) => sum + cause.ns, 0)).toBe(to - from);
      for (const cause of device.causes) expect(cause).toMatchObject({ cause: text, text, share: number });
    }
  });

  it('tell what threads did, and it adds up', () => {
    const { threads, left_out, from, to } = json<BusyThreads & { from: number; to: number }>('busy_threads.json');
    expect(left_out).toBe(0);
    expect(threads.length).toBeGreaterThan(0);
    for (const thread of threads) {
      expect(thread).toMatchObject({ track: number, name: text, scheduling: expect.any(Boolean) });
      expect(thread.causes.reduce((sum, cause) => sum + cause.ns, 0)).toBe(to - from);
      for (const { names = [], ns } of thread.causes) {
        for (const entry of names) expect(entry).toEqual({ name: number, ns: number });
        expect(names.reduce((sum, entry) => sum + entry.ns, 0)).toBeLessThanOrEqual(ns);
      }
    }
  });

  it('say that source needs consent', () => {
    const source = json<SourceLines>('source.json');
    expect(source).toEqual({ allowed: false, reason: text });
  });

  it('count durations, write a row as SQL, refuse tags', () => {
    const bins = json<HistogramAnswer>('histogram.json');
    expect(bins.counts.reduce((a, b) => a + b)).toBe(bins.total);
    expect(bins).toMatchObject({ from: number, to: number, step: number, median: number });
    expect(json<{ sql: string }>('row_sql.json').sql).toMatch(/^SELECT /);
    expect(json<{ error: { message: string } }>('tags_error.json').error.message).toBeTruthy();
  });
  it('stack the time of devices', () => {
    const { frames, stacks, unit } = json<Stacks>('stacks_device.json');
    expect(unit).toBe('ns');
    for (const [path, ns] of stacks) {
      for (const frame of path) expect(frames[frame]).toBeTypeOf('string');
      expect(ns).toBeGreaterThan(0);
    }
  });
});
