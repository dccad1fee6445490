// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Tiles made up on the spot: for the legend, which shows what the timeline draws.
import { type BucketTile, type EventTile, tileSpan } from '../api/tile.ts';

interface SampleEvent {
  start: number;
  /** Negative: never closed. */
  duration: number;
  name: number;
}

const base = { address: { track: 0, level: 0, index: 0 }, from: 0, to: tileSpan(0), bytes: 0, rows: 1 };

export function sampleEvents(events: readonly SampleEvent[]): EventTile {
  return {
    ...base,
    kind: 'events',
    count: events.length,
    start: Float64Array.from(events, (event) => event.start),
    end: Float64Array.from(events, (event) =>
      event.duration < 0 ? Number.POSITIVE_INFINITY : event.start + event.duration,
    ),
    name: Uint32Array.from(events, (event) => event.name),
    row: new Uint16Array(events.length),
    event: BigUint64Array.from(events, (_, i) => BigInt(i)),
  };
}

/** A stretch whose busy share rises and falls, of two names in turn. */
export function sampleBuckets(buckets: number): BucketTile {
  const of = (i: number): number => Math.round(120 + 100 * Math.sin(i / 6));
  return {
    ...base,
    kind: 'buckets',
    count: buckets,
    row: new Uint16Array(buckets),
    bucket: Uint16Array.from({ length: buckets }, (_, i) => i),
    busy: Uint8Array.from({ length: buckets }, (_, i) => of(i)),
    name: Uint32Array.from({ length: buckets }, (_, i) => (Math.floor(i / 24) % 2) + 1),
    events: new Uint32Array(buckets).fill(9),
  };
}
