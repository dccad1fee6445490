// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Makes tiles as the server does. For tests.

const kHeader = 32;
const padded = (bytes: number): number => (bytes + 7) & ~7;

function frame(kind: number, rows: number, count: number, columns: ArrayBufferView[]): ArrayBuffer {
  const buffer = new ArrayBuffer(kHeader + columns.reduce((sum, column) => sum + padded(column.byteLength), 0));
  const header = new DataView(buffer);
  header.setUint32(0, 0x31545853, true);
  header.setUint8(4, 1);
  header.setUint8(5, kind);
  header.setUint16(6, rows, true);
  header.setUint32(8, count, true);
  let at = kHeader;
  for (const column of columns) {
    new Uint8Array(buffer, at, column.byteLength).set(
      new Uint8Array(column.buffer, column.byteOffset, column.byteLength),
    );
    at += padded(column.byteLength);
  }
  return buffer;
}

export interface TestEvent {
  start: number;
  duration: number;
  name?: number;
  row?: number;
  id?: number;
}

export function eventTileBytes(rows: number, events: readonly TestEvent[]): ArrayBuffer {
  return frame(1, rows, events.length, [
    BigInt64Array.from(events, (event) => BigInt(event.start)),
    BigInt64Array.from(events, (event) => BigInt(event.duration)),
    Uint32Array.from(events, (event) => event.name ?? 0),
    Uint16Array.from(events, (event) => event.row ?? 0),
    BigUint64Array.from(events, (event, i) => BigInt(event.id ?? i)),
  ]);
}

export interface TestBucket {
  row: number;
  bucket: number;
  busy: number;
  name?: number;
  events?: number;
}

export function bucketTileBytes(rows: number, buckets: readonly TestBucket[]): ArrayBuffer {
  return frame(2, rows, buckets.length, [
    Uint16Array.from(buckets, (entry) => entry.row),
    Uint16Array.from(buckets, (entry) => entry.bucket),
    Uint8Array.from(buckets, (entry) => entry.busy),
    Uint32Array.from(buckets, (entry) => entry.name ?? 0),
    Uint32Array.from(buckets, (entry) => entry.events ?? 1),
  ]);
}

export function curveTileBytes(
  points: readonly { bucket: number; min: number; max: number; mean: number }[],
): ArrayBuffer {
  return frame(3, 1, points.length, [
    Float64Array.from(points, (point) => point.min),
    Float64Array.from(points, (point) => point.max),
    Float64Array.from(points, (point) => point.mean),
    Uint16Array.from(points, (point) => point.bucket),
  ]);
}
