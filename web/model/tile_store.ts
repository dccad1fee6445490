// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Keeps the tiles of one report: fetches what the last picture wanted, a few at a time in few requests, then what the next one
// may want, and forgets the least recently drawn beyond a limit, so that memory is bounded however long one pans.
import { type Tile, type TileAddress, kTileBuckets } from '../api/tile.ts';
import type { TileSource } from './tile_plan.ts';

/** Requests under way, and tiles in each: the server makes those of one request one after the other. */
const kParallel = 3;
const kBatch = 12;
/** The same of guesses: few, since a wish that comes meanwhile has to wait for them. */
const kParallelGuesses = 2;
const kBatchOfGuesses = 4;
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
  /** Null: this one has to be asked for alone. */
  fetchTiles: (addresses: TileAddress[]) => Promise<(Tile | null)[]>;
  fetchTile: (address: TileAddress) => Promise<Tile>;
  /** Called when something has come that a picture could use. */
  arrived: () => void;
  failed: (error: unknown) => void;
  maxBytes?: number;
}

const keyOf = ({ track, level, index }: TileAddress): string => `${track}/${level}/${index}`;

export class TileStore implements TileSource {
  private readonly entries = new Map<string, Entry>();
  /** True: a picture waits for it, false: a guess. */
  private readonly running = new Map<string, boolean>();
  private requests = 0;
  private readonly failedAt = new Map<string, number>();
  /** What each picture (rows, whole run) wanted when it was last drawn. */
  private readonly wanted = new Map<string, Map<string, TileAddress>>();
  private current = new Map<string, TileAddress>();
  private guesses = new Map<string, TileAddress>();
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
    return (
      [...this.running.values()].every((awaited) => !awaited) &&
      [...this.wanted.values()].every((wishes) => wishes.size === 0)
    );
  }

  /** A picture begins: what it wanted the last time and did not get is no longer wanted. */
  beginFrame(picture = 'rows'): void {
    this.frame++;
    this.current = new Map();
    if (picture === 'rows') this.guesses = new Map();
    this.wanted.set(picture, this.current);
  }

  endFrame(): void {
    this.evict();
    this.pump();
  }

  ready(track: number, level: number, index: number): Tile | undefined {
    const entry = this.entries.get(keyOf({ track, level, index }));
    if (entry) entry.used = this.frame;
    return entry?.tile;
  }

  want(address: TileAddress): void {
    const key = keyOf(address);
    if (this.running.has(key)) this.running.set(key, true);
    else if (Date.now() - (this.failedAt.get(key) ?? 0) >= kRetryMs) this.current.set(key, address);
  }

  guess(address: TileAddress): void {
    const key = keyOf(address);
    if (!this.running.has(key) && !this.failedAt.has(key)) this.guesses.set(key, address);
  }

  /** The report has grown or was replaced. */
  clear(): void {
    this.entries.clear();
    this.failedAt.clear();
    this.heldBytes = 0;
    this.generation++;
  }

  private pump(): void {
    while (this.requests < kParallel) {
      const batch = this.take();
      if (!batch.length) break;
      this.requests++;
      void this.load(batch, this.generation);
    }
    while (this.guesses.size && this.requests < kParallelGuesses && this.idle) {
      const batch = [...this.guesses.values()].slice(0, kBatchOfGuesses);
      for (const address of batch) {
        this.guesses.delete(keyOf(address));
        this.running.set(keyOf(address), false);
      }
      this.requests++;
      void this.load(batch, this.generation);
    }
  }

  /** The next wishes, which are then under way. */
  private take(): TileAddress[] {
    const batch: TileAddress[] = [];
    const count = [...this.wanted.values()].reduce((sum, each) => sum + each.size, 0);
    // A few tiles are made side by side rather than in one request.
    const most = Math.min(kBatch, Math.ceil(count / (kParallel - this.requests)));
    for (const wishes of this.wanted.values()) {
      for (const [key, address] of wishes) {
        if (batch.length >= most) return batch;
        wishes.delete(key);
        if (this.running.has(key)) continue;
        this.running.set(key, true);
        batch.push(address);
      }
    }
    return batch;
  }

  private async load(batch: TileAddress[], generation: number): Promise<void> {
    const [first] = batch as [TileAddress];
    try {
      const tiles = batch.length > 1 ? await this.options.fetchTiles(batch) : [await this.options.fetchTile(first)];
      const alone = batch.filter((address, i) => {
        const tile = tiles[i];
        if (tile) this.keep(keyOf(address), tile, generation);
        return !tile && this.running.get(keyOf(address));
      });
      for (const address of alone) await this.loadAlone(address, generation);
    } catch (error) {
      // A guess that fails is asked for again when it is wanted, and told then.
      this.guesses.clear();
      this.note(
        batch.filter((address) => this.running.get(keyOf(address))),
        error,
      );
    } finally {
      const awaited = batch.filter((address) => this.running.get(keyOf(address)));
      for (const address of batch) this.running.delete(keyOf(address));
      this.requests--;
      if (awaited.length) this.options.arrived();
      this.pump();
    }
  }

  private async loadAlone(address: TileAddress, generation: number): Promise<void> {
    try {
      this.keep(keyOf(address), await this.options.fetchTile(address), generation);
    } catch (error) {
      this.note([address], error);
    }
  }

  private keep(key: string, tile: Tile, generation: number): void {
    if (generation !== this.generation || this.entries.has(key)) return;
    this.entries.set(key, { tile, used: this.frame });
    this.heldBytes += heldOf(tile);
  }

  private note(failed: readonly TileAddress[], error: unknown): void {
    if (!failed.length) return;
    if (this.failedAt.size >= kMostFailures) this.failedAt.clear();
    for (const address of failed) this.failedAt.set(keyOf(address), Date.now());
    this.options.failed(error);
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
