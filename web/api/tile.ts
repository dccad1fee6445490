// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Decodes tiles: 1024 buckets of 2^level nanoseconds of one track, as the server lays them out
// (docs/http-api.md). Input is not trusted: a tile that is not whole is an error, never a crash later.

export const kTileBuckets = 1024;
const kHeaderBytes = 32;

export interface TileAddress {
  track: number;
  level: number;
  index: number;
}

interface TileBase {
  address: TileAddress;
  from: number;
  to: number;
  bytes: number;
}

/** Every event that touches the tile, ordered by start. An end of Infinity: the event was never closed. */
export interface EventTile extends TileBase {
  kind: 'events';
  rows: number;
  count: number;
  start: Float64Array;
  end: Float64Array;
  name: Uint32Array;
  row: Uint16Array;
  event: BigUint64Array;
}

/** Per row and bucket that is not empty: how busy (1..255), mostly with what, and how many events. */
export interface BucketTile extends TileBase {
  kind: 'buckets';
  rows: number;
  count: number;
  row: Uint16Array;
  bucket: Uint16Array;
  busy: Uint8Array;
  name: Uint32Array;
  events: Uint32Array;
}

export interface CurveTile extends TileBase {
  kind: 'curve';
  rows: number;
  count: number;
  min: Float64Array;
  max: Float64Array;
  mean: Float64Array;
  bucket: Uint16Array;
}

export type Tile = EventTile | BucketTile | CurveTile;

export const tileSpan = (level: number): number => 2 ** (level + 10);
export const bucketSpan = (level: number): number => 2 ** level;

/** Takes columns one after the other, each padded to 8 bytes. */
class ColumnReader {
  private offset = kHeaderBytes;
  constructor(private readonly buffer: ArrayBuffer) {}

  take(bytes: number): ArrayBuffer {
    const end = this.offset + bytes;
    if (end > this.buffer.byteLength) throw new Error('tile is cut off');
    const column = this.buffer.slice(this.offset, end);
    this.offset = (end + 7) & ~7;
    return column;
  }
}

function readEvents(reader: ColumnReader, count: number) {
  const starts = new BigInt64Array(reader.take(count * 8));
  const durations = new BigInt64Array(reader.take(count * 8));
  const name = new Uint32Array(reader.take(count * 4));
  const row = new Uint16Array(reader.take(count * 2));
  const event = new BigUint64Array(reader.take(count * 8));
  const start = new Float64Array(count);
  const end = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const duration = Number(durations[i]);
    start[i] = Number(starts[i]);
    end[i] = duration < 0 ? Number.POSITIVE_INFINITY : (start[i] as number) + duration;
  }
  return { kind: 'events' as const, count, start, end, name, row, event };
}

function readBuckets(reader: ColumnReader, count: number) {
  const row = new Uint16Array(reader.take(count * 2));
  const bucket = new Uint16Array(reader.take(count * 2));
  const busy = new Uint8Array(reader.take(count));
  const name = new Uint32Array(reader.take(count * 4));
  const events = new Uint32Array(reader.take(count * 4));
  return { kind: 'buckets' as const, count, row, bucket, busy, name, events };
}

function readCurve(reader: ColumnReader, count: number) {
  const min = new Float64Array(reader.take(count * 8));
  const max = new Float64Array(reader.take(count * 8));
  const mean = new Float64Array(reader.take(count * 8));
  const bucket = new Uint16Array(reader.take(count * 2));
  return { kind: 'curve' as const, count, min, max, mean, bucket };
}

export function decodeTile(buffer: ArrayBuffer, address: TileAddress): Tile {
  if (buffer.byteLength < kHeaderBytes) throw new Error('tile is shorter than its header');
  const header = new DataView(buffer, 0, kHeaderBytes);
  if (header.getUint32(0, true) !== 0x31545853) throw new Error('not a tile');
  const version = header.getUint8(4);
  if (version !== 1) throw new Error(`tile version ${version} is not known: server and viewer differ`);
  const kind = header.getUint8(5);
  const rows = header.getUint16(6, true);
  const count = header.getUint32(8, true);
  const span = tileSpan(address.level);
  const base = { address, from: address.index * span, to: (address.index + 1) * span, bytes: buffer.byteLength, rows };
  const reader = new ColumnReader(buffer);
  if (kind === 1) return { ...base, ...readEvents(reader, count) };
  if (kind === 2) return { ...base, ...readBuckets(reader, count) };
  if (kind === 3) return { ...base, ...readCurve(reader, count) };
  throw new Error(`tile kind ${kind} is not known: server and viewer differ`);
}

/** An answer of several tiles, in the order of `addresses`: each its length in 8 bytes, then the tile. Null: not in it. */
export function decodeTiles(buffer: ArrayBuffer, addresses: readonly TileAddress[]): (Tile | null)[] {
  let at = 0;
  return addresses.map((address) => {
    if (at + 8 > buffer.byteLength) throw new Error('answer of tiles is cut off');
    const length = Number(new DataView(buffer, at, 8).getBigUint64(0, true));
    const from = at + 8;
    at = from + length;
    if (at > buffer.byteLength) throw new Error('answer of tiles is cut off');
    return length === 0 ? null : decodeTile(buffer.slice(from, at), address);
  });
}

/** A tile that says all there is to say about its time, however far one zooms in: events, or that there is nothing. */
export const isExact = (tile: Tile): boolean => tile.kind === 'events' || tile.count === 0 || tile.address.level === 0;
