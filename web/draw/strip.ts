// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Dense spans: one column of pixels a bucket, its colour that of the name that took most of it, its height how
// busy it was. Painted once for a tile and scaled when drawn.
import { type BucketTile, kTileBuckets } from '../api/tile.ts';
import { colourOf } from '../model/palette.ts';
import { kStripSteps } from '../model/tile_store.ts';
import type { MakeBitmap } from './surface.ts';

export interface StripStyle {
  colour: (name: number) => number;
  /** When given, other names are drawn pale. */
  emphasis: ReadonlySet<number> | null;
}

const kPale = 0x46000000;

/** Shorter events are not told from each other. */
const kApart = 6;

/**
 * Which entries begin after a stretch in which nothing else began: what ends there was one event. Without a gap before
 * them the steps of a whole run would look like a single one.
 */
function seams(tile: BucketTile): Uint8Array {
  const found = new Uint8Array(tile.count);
  let began = 0;
  for (let i = 0; i < tile.count; i++) {
    const bucket = tile.bucket[i] as number;
    const goesOn = i > 0 && tile.row[i] === tile.row[i - 1] && bucket === (tile.bucket[i - 1] as number) + 1;
    if (goesOn && tile.events[i] && bucket - began >= kApart) found[i] = 1;
    if (!goesOn || tile.events[i]) began = bucket;
  }
  return found;
}

export function paintStrip(
  tile: BucketTile,
  style: StripStyle,
): { pixels: Uint32Array; width: number; height: number } {
  const height = Math.max(1, tile.rows) * kStripSteps;
  const pixels = new Uint32Array(kTileBuckets * height);
  const seam = seams(tile);
  for (let i = 0; i < tile.count; i++) {
    const row = tile.row[i] as number;
    const bucket = tile.bucket[i] as number;
    if (row >= tile.rows || bucket >= kTileBuckets) continue;
    const name = tile.name[i] as number;
    let pixel = colourOf(style.colour(name)).pixel;
    if (style.emphasis && !style.emphasis.has(name)) pixel = ((pixel & 0xffffff) | kPale) >>> 0;
    // The lowest step is the gap between levels; the first above it is there as soon as anything is.
    const steps = Math.max(1, Math.round(((tile.busy[i] as number) / 255) * (kStripSteps - 1)));
    const bottom = (row + 1) * kStripSteps - 2;
    for (let step = 0; step < steps; step++) pixels[(bottom - step) * kTileBuckets + bucket] = pixel;
    // The last column of what went before, of which there are more.
    if (seam[i])
      for (let step = 0; step < kStripSteps - 1; step++) pixels[(bottom - step) * kTileBuckets + bucket - 1] = 0;
  }
  return { pixels, width: kTileBuckets, height };
}

/** A stretch of buckets that is mostly of one name and busy enough to be written on. */
export interface NamedRun {
  row: number;
  from: number;
  to: number;
  name: number;
}

const kLeastRun = 40;
const kBusyEnough = 150;
const kGap = 2;

export function namedRuns(tile: BucketTile): NamedRun[] {
  const runs: NamedRun[] = [];
  const seam = seams(tile);
  let run: NamedRun | null = null;
  for (let i = 0; i < tile.count; i++) {
    const [row, bucket, name] = [tile.row[i] as number, tile.bucket[i] as number, tile.name[i] as number];
    const busy = (tile.busy[i] as number) >= kBusyEnough;
    if (run && busy && !seam[i] && run.row === row && run.name === name && bucket - run.to <= kGap) run.to = bucket + 1;
    else {
      if (run && run.to - run.from >= kLeastRun) runs.push(run);
      run = busy ? { row, from: bucket, to: bucket + 1, name } : null;
    }
  }
  if (run && run.to - run.from >= kLeastRun) runs.push(run);
  return runs;
}

interface Painted {
  bitmap: CanvasImageSource;
  runs: NamedRun[];
  emphasis: ReadonlySet<number> | null;
}

/** Bitmaps live as long as their tiles. */
export class Strips {
  private readonly painted = new WeakMap<BucketTile, Painted>();
  constructor(private readonly makeBitmap: MakeBitmap) {}

  of(tile: BucketTile, style: StripStyle): Readonly<Painted> {
    const known = this.painted.get(tile);
    if (known && known.emphasis === style.emphasis) return known;
    const { pixels, width, height } = paintStrip(tile, style);
    const painted = { bitmap: this.makeBitmap(pixels, width, height), runs: namedRuns(tile), emphasis: style.emphasis };
    this.painted.set(tile, painted);
    return painted;
  }
}
