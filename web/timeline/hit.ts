// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What is under the pointer: an event, a dense span, a value of a curve, or nothing, and in which row.
import { type BucketTile, type CurveTile, type EventTile, bucketSpan } from '../api/tile.ts';
import type { EventId, Track } from '../api/types.ts';
import type { PlacedRow } from '../model/layout.ts';
import { type Piece, planTiles } from '../model/tile_plan.ts';
import type { Scale } from '../model/time_view.ts';
import type { Viewer } from '../model/viewer.ts';
import { openEnd } from './picture.ts';

export interface EventHit {
  kind: 'event';
  start: number;
  end: number;
  name: number;
  event: EventId;
  level: number;
}

export type Hit = { track: Track; time: number; lost: boolean } & (
  | EventHit
  | { kind: 'dense'; from: number; to: number; name: number; events: number; busy: number; level: number }
  | { kind: 'curve'; min: number; max: number; mean: number }
  | { kind: 'none'; gap: Gap | null }
);

/** Nothing between two events of the row, as far as the picture knows. */
export interface Gap {
  from: number;
  to: number;
}

/** How many pixels beside an event still mean it. */
const kTolerance = 3;

export function hitEvent(
  tile: EventTile,
  level: number | null,
  time: number,
  perPixel: number,
  reportEnd: number,
): EventHit | null {
  let best: EventHit | null = null;
  let bestMiss = kTolerance * perPixel;
  for (let i = 0; i < tile.count; i++) {
    const start = tile.start[i] as number;
    if (start > time + bestMiss) break;
    if (level !== null && tile.row[i] !== level) continue;
    const end = tile.end[i] as number;
    const shownEnd = Math.min(end, reportEnd);
    const miss = time < start ? start - time : time > shownEnd ? time - shownEnd : 0;
    if (miss > bestMiss) continue;
    bestMiss = miss;
    best = {
      kind: 'event',
      start,
      end,
      name: tile.name[i] as number,
      event: String(tile.event[i]),
      level: tile.row[i] as number,
    };
  }
  return best;
}

/** What lies free around `time` in a tile of all events, and how far that goes within it. */
export function gapAround(tile: EventTile, level: number | null, time: number, piece: Gap, reportEnd: number): Gap {
  let [from, to] = [piece.from, piece.to];
  for (let i = 0; i < tile.count; i++) {
    if (level !== null && tile.row[i] !== level) continue;
    const start = tile.start[i] as number;
    if (start > time) {
      to = Math.min(to, start);
      break;
    }
    from = Math.max(from, Math.min(tile.end[i] as number, reportEnd));
  }
  return { from, to };
}

function hitBucket(tile: BucketTile, level: number, time: number) {
  const width = bucketSpan(tile.address.level);
  const bucket = Math.floor((time - tile.from) / width);
  for (let i = 0; i < tile.count; i++) {
    if (tile.bucket[i] !== bucket || tile.row[i] !== level) continue;
    const from = tile.from + bucket * width;
    return {
      kind: 'dense' as const,
      from,
      to: from + width,
      name: tile.name[i] as number,
      events: tile.events[i] as number,
      busy: (tile.busy[i] as number) / 255,
      level,
    };
  }
  return null;
}

function hitCurve(tile: CurveTile, time: number) {
  const bucket = Math.floor((time - tile.from) / bucketSpan(tile.address.level));
  let at = -1;
  for (let i = 0; i < tile.count && (tile.bucket[i] as number) <= bucket; i++) at = i;
  return at < 0
    ? null
    : {
        kind: 'curve' as const,
        min: tile.min[at] as number,
        max: tile.max[at] as number,
        mean: tile.mean[at] as number,
      };
}

function inPiece(piece: Piece, level: number, time: number, scale: Scale, end: number) {
  if (!piece.tile) return null;
  if (piece.tile.kind === 'events') return hitEvent(piece.tile, level, time, scale.perPixel, end);
  return piece.tile.kind === 'buckets' ? hitBucket(piece.tile, level, time) : hitCurve(piece.tile, time);
}

export function hitTest(viewer: Viewer, placed: PlacedRow, y: number, x: number, scale: Scale): Hit | null {
  if (placed.row.kind !== 'track') return null;
  const time = scale.time(x);
  const summary = placed.row.collapsed && placed.row.branch;
  const lane = Math.max(0, Math.floor(y / Math.max(placed.lane, 1)));
  const node = summary ? placed.shown[lane] : (placed.shown[0] ?? placed.row.node);
  if (!node) return null;
  const { track } = node;
  const base = { track, time, lost: track.lost.some(([from, to]) => time >= from && time <= to) };
  if (!placed.shown.length) return { ...base, kind: 'none', gap: null };
  const pieces = planTiles(
    { ready: (t, l, i) => viewer.tiles.ready(t, l, i), want: () => {}, guess: () => {} },
    track.id,
    scale.view,
    scale.width,
    viewer.length.value,
  );
  for (const piece of pieces) {
    if (time < piece.from - kTolerance * scale.perPixel || time > piece.to + kTolerance * scale.perPixel) continue;
    const hit = inPiece(piece, summary ? 0 : lane, time, scale, openEnd(viewer, track));
    if (hit) return { ...base, ...hit };
  }
  const here = pieces.find((piece) => time >= piece.from && time < piece.to);
  const known = here?.tile?.kind === 'events' && time >= 0 && time <= viewer.length.value;
  const within = { from: Math.max(0, here?.from ?? 0), to: Math.min(viewer.length.value, here?.to ?? 0) };
  const gap = known
    ? gapAround(here.tile as EventTile, summary ? 0 : lane, time, within, openEnd(viewer, track))
    : null;
  return { ...base, kind: 'none', gap };
}
