// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The tiles of one track in a self-contained page: finer ones are cut out of coarser ones, sums are made from the finest.
import {
  type BucketTile,
  type CurveTile,
  type EventTile,
  type Tile,
  type TileAddress,
  bucketSpan,
  kTileBuckets,
  tileSpan,
} from './tile.ts';
import type { RangeTrack } from './types.ts';

/** Finds a tile that is in the page. */
export type FindTile = (level: number, index: number) => Tile | undefined;

const kTopLevel = 42;

/** The events of an event tile that touch another, finer one. */
function cutEvents(tile: EventTile, address: TileAddress): EventTile {
  const span = tileSpan(address.level);
  const [from, to] = [address.index * span, (address.index + 1) * span];
  const kept: number[] = [];
  for (let i = 0; i < tile.count && (tile.start[i] as number) < to; i++)
    if ((tile.end[i] as number) >= from) kept.push(i);
  return {
    ...tile,
    address,
    from,
    to,
    count: kept.length,
    bytes: kept.length * 34,
    start: Float64Array.from(kept, (i) => tile.start[i] as number),
    end: Float64Array.from(kept, (i) => tile.end[i] as number),
    name: Uint32Array.from(kept, (i) => tile.name[i] as number),
    row: Uint16Array.from(kept, (i) => tile.row[i] as number),
    event: BigUint64Array.from(kept, (i) => tile.event[i] as bigint),
  };
}

/** Which finer buckets each entry of a coarser tile covers: pairs of entry and bucket. */
function spread(tile: BucketTile | CurveTile, address: TileAddress, once: boolean): [number, number][] {
  const fine = bucketSpan(address.level);
  const coarse = bucketSpan(tile.address.level);
  const from = address.index * tileSpan(address.level);
  const pairs: [number, number][] = [];
  for (let i = 0; i < tile.count; i++) {
    const start = tile.from + (tile.bucket[i] as number) * coarse - from;
    const first = Math.max(0, Math.floor(start / fine));
    const last = Math.min(kTileBuckets, Math.ceil((start + coarse) / fine));
    for (let bucket = first; bucket < (once ? Math.min(first + 1, last) : last); bucket++) pairs.push([i, bucket]);
  }
  return pairs;
}

function spreadBuckets(tile: BucketTile, address: TileAddress): BucketTile {
  const pairs = spread(tile, address, false).sort(
    (a, b) => (tile.row[a[0]] as number) - (tile.row[b[0]] as number) || a[1] - b[1],
  );
  const span = tileSpan(address.level);
  return {
    ...tile,
    address,
    from: address.index * span,
    to: (address.index + 1) * span,
    count: pairs.length,
    bytes: pairs.length * 13,
    row: Uint16Array.from(pairs, ([i]) => tile.row[i] as number),
    bucket: Uint16Array.from(pairs, ([, bucket]) => bucket),
    busy: Uint8Array.from(pairs, ([i]) => tile.busy[i] as number),
    name: Uint32Array.from(pairs, ([i]) => tile.name[i] as number),
    events: Uint32Array.from(pairs, ([i]) => tile.events[i] as number),
  };
}

function spreadCurve(tile: CurveTile, address: TileAddress): CurveTile {
  const pairs = spread(tile, address, true);
  const span = tileSpan(address.level);
  return {
    ...tile,
    address,
    from: address.index * span,
    to: (address.index + 1) * span,
    count: pairs.length,
    bytes: pairs.length * 26,
    min: Float64Array.from(pairs, ([i]) => tile.min[i] as number),
    max: Float64Array.from(pairs, ([i]) => tile.max[i] as number),
    mean: Float64Array.from(pairs, ([i]) => tile.mean[i] as number),
    bucket: Uint16Array.from(pairs, ([, bucket]) => bucket),
  };
}

function emptyTile(address: TileAddress): BucketTile {
  const span = tileSpan(address.level);
  return {
    kind: 'buckets',
    address,
    from: address.index * span,
    to: (address.index + 1) * span,
    bytes: 0,
    rows: 1,
    count: 0,
    row: new Uint16Array(0),
    bucket: new Uint16Array(0),
    busy: new Uint8Array(0),
    name: new Uint32Array(0),
    events: new Uint32Array(0),
  };
}

export function tileOf(find: FindTile, address: TileAddress): Tile {
  for (let level = address.level, index = address.index; level <= kTopLevel; level++, index = Math.floor(index / 2)) {
    const tile = find(level, index);
    if (!tile) continue;
    if (level === address.level) return tile;
    if (tile.kind === 'events') return cutEvents(tile, address);
    return tile.kind === 'buckets' ? spreadBuckets(tile, address) : spreadCurve(tile, address);
  }
  return emptyTile(address);
}

/** The finest tiles that cover the track, in their order. */
export function leavesOf(find: FindTile): Tile[] {
  const leaves: Tile[] = [];
  const walk = (level: number, index: number): boolean => {
    const tile = find(level, index);
    if (!tile) return false;
    if (tile.kind === 'events' || level === 0) leaves.push(tile);
    else {
      const before = leaves.length;
      const [left, right] = [walk(level - 1, 2 * index), walk(level - 1, 2 * index + 1)];
      // Children of which one is missing would leave a hole: their parent has both.
      if (!left || !right) leaves.splice(before, leaves.length, tile);
    }
    return true;
  };
  for (let level = kTopLevel; level >= 0; level--) if (walk(level, 0)) return leaves;
  return leaves;
}

export interface Events {
  start: number[];
  end: number[];
  name: number[];
  row: number[];
  id: string[];
}

/** All events of the track that are in the page, each once, by start. */
export function eventsOf(leaves: readonly Tile[]): Events {
  const events: Events = { start: [], end: [], name: [], row: [], id: [] };
  leaves.forEach((tile, at) => {
    if (tile.kind !== 'events') return;
    for (let i = 0; i < tile.count; i++) {
      if ((tile.start[i] as number) < tile.from && at > 0) continue;
      if ((tile.start[i] as number) >= tile.to) continue;
      events.start.push(tile.start[i] as number);
      events.end.push(tile.end[i] as number);
      events.name.push(tile.name[i] as number);
      events.row.push(tile.row[i] as number);
      events.id.push(String(tile.event[i]));
    }
  });
  return events;
}

/** Whether every event of a span is there, none of them only as part of a sum. */
export const holdsEvents = (leaves: readonly Tile[], from: number, to: number): boolean =>
  leaves.every((tile) => tile.kind !== 'buckets' || tile.count === 0 || tile.to <= from || tile.from >= to);

const kTopNames = 8;

/** What a track did in a span: exact where its events are in the page, else from the shares of buckets. */
export function rangeOf(track: number, leaves: readonly Tile[], from: number, to: number): RangeTrack {
  const sums = new Map<number, { ns: number; events: number }>();
  const add = (name: number, ns: number, events: number): void => {
    const sum = sums.get(name) ?? { ns: 0, events: 0 };
    sums.set(name, { ns: sum.ns + ns, events: sum.events + events });
  };
  const coveredTo = new Map<number, number>();
  let [busy, count, exact, reached] = [0, 0, true, from];
  leaves.forEach((tile, at) => {
    if (tile.kind === 'curve' || tile.to <= from || tile.from >= to) return;
    if (tile.kind === 'buckets') {
      exact &&= tile.count === 0;
      const width = bucketSpan(tile.address.level);
      for (let i = 0; i < tile.count; i++) {
        const start = tile.from + (tile.bucket[i] as number) * width;
        const part = Math.min(start + width, to) - Math.max(start, from);
        if (part <= 0) continue;
        const ns = ((tile.busy[i] as number) / 255) * part;
        count += tile.events[i] as number;
        add(tile.name[i] as number, ns, tile.events[i] as number);
        if (tile.row[i] === 0) busy += ns;
      }
      return;
    }
    for (let i = 0; i < tile.count; i++) {
      const start = tile.start[i] as number;
      if ((start < tile.from && at > 0) || start >= tile.to || start >= to || (tile.end[i] as number) < from) continue;
      const end = Math.min(tile.end[i] as number, to);
      count++;
      const name = tile.name[i] as number;
      const covered = coveredTo.get(name) ?? from; // within another event of the name
      add(name, Math.max(0, end - Math.max(start, covered)), 1);
      coveredTo.set(name, Math.max(covered, end));
      busy += Math.max(0, end - Math.max(start, reached));
      reached = Math.max(reached, end);
    }
  });
  const top = [...sums]
    .map(([name, { ns, events }]) => ({ name, ns: Math.min(ns, busy), events }))
    .sort((a, b) => b.ns - a.ns);
  return { track, busy_ns: Math.round(busy), events: count, top: top.slice(0, kTopNames), ...(exact ? {} : { exact }) };
}
