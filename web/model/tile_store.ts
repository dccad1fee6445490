// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Keeps the tiles of one report: fetches what the last picture wanted, a few at a time, and forgets the least
// recently drawn beyond a limit, so that memory is bounded however long one pans.
import { type Tile, type TileAddress, kTileBuckets } from '../api/tile.ts';
import type { TileSource } from './tile_plan.ts';

const kParallel = 6;
const kRetryMs = 1500;
/** Failures that are remembered: a server may be away for long while one pans. */
const kMostFailures = 1000;
/** Pictures take turns: what one of them drew this long ago is still on the screen. */
const kRecentFrames = 3;

/** Steps of height that a nesting level has in the picture of a tile of buckets. */
export const kStripSteps = 9;

/** What is held of a tile: its columns, and of buckets the picture that is kept beside them (draw/strip.ts). */
const heldOf = (tile: Tile): number =>
  tile.bytes + (tile.kind === 'buckets' && tile.count > 0 ? tile.rows * kStripSteps * kTileBuckets * 4 : 0);

interface Entry {
  tile: Tile;
  used: number;
}

export interface TileStoreOptions {
  fetchTile: (address: TileAddress) => Promise<Tile>;
  /** Called when something has come that a picture could use. */
  arrived: () => void;
  failed: (error: unknown) => void;
  maxBytes?: number;
}

const keyOf = (track: number, level: number, index: number): string => `${track}/${level}/${index}`;

export class TileStore implements TileSource {
  private readonly entries = new Map<string, Entry>();
  private readonly running = new Set<string>();
  private readonly failedAt = new Map<string, number>();
  /** What each picture (rows, whole run) wanted when it was last drawn. */
  private readonly wanted = new Map<string, Map<string, TileAddress>>();
  private current = new Map<string, TileAddress>();
  private frame = 0;
  private generation = 0;
  private heldBytes = 0;
  private readonly maxBytes: number;

  constructor(private readonly options: TileStoreOptions) {
    this.maxBytes = options.maxBytes ?? 64e6;
  }

  get bytes(): number {
    return this.heldBytes;
  }

  /** Nothing wanted or under way: the picture is settled. */
  get idle(): boolean {
    return this.running.size === 0 && [...this.wanted.values()].every((wishes) => wishes.size === 0);
  }

  /** A picture begins: what it wanted the last time and did not get is no longer wanted. */
  beginFrame(picture = 'rows'): void {
    this.frame++;
    this.current = new Map();
    this.wanted.set(picture, this.current);
  }

  endFrame(): void {
    this.evict();
    this.pump();
  }

  ready(track: number, level: number, index: number): Tile | undefined {
    const entry = this.entries.get(keyOf(track, level, index));
    if (entry) entry.used = this.frame;
    return entry?.tile;
  }

  want(address: TileAddress): void {
    const key = keyOf(address.track, address.level, address.index);
    if (this.running.has(key) || Date.now() - (this.failedAt.get(key) ?? 0) < kRetryMs) return;
    this.current.set(key, address);
  }

  /** The report has grown or was replaced. */
  clear(): void {
    this.entries.clear();
    this.failedAt.clear();
    this.heldBytes = 0;
    this.generation++;
  }

  private pump(): void {
    for (const wishes of this.wanted.values()) {
      for (const [key, address] of wishes) {
        if (this.running.size >= kParallel) return;
        wishes.delete(key);
        if (this.running.has(key)) continue;
        this.running.add(key);
        void this.load(key, address, this.generation);
      }
    }
  }

  private async load(key: string, address: TileAddress, generation: number): Promise<void> {
    try {
      const tile = await this.options.fetchTile(address);
      if (generation === this.generation && !this.entries.has(key)) {
        this.entries.set(key, { tile, used: this.frame });
        this.heldBytes += heldOf(tile);
      }
    } catch (error) {
      if (this.failedAt.size >= kMostFailures) this.failedAt.clear();
      this.failedAt.set(key, Date.now());
      this.options.failed(error);
    } finally {
      this.running.delete(key);
      this.options.arrived();
      this.pump();
    }
  }

  private evict(): void {
    if (this.heldBytes <= this.maxBytes) return;
    const oldest = [...this.entries]
      .filter(([, entry]) => entry.used < this.frame - kRecentFrames)
      .sort((a, b) => a[1].used - b[1].used);
    for (const [key, entry] of oldest) {
      if (this.heldBytes <= this.maxBytes * 0.8) return;
      this.entries.delete(key);
      this.heldBytes -= heldOf(entry.tile);
    }
  }
}
