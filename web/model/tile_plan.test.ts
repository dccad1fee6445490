// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { type Tile, type TileAddress, decodeTile } from '../api/tile.ts';
import { bucketTileBytes, eventTileBytes } from '../api/tile_bytes.ts';
import { type TileSource, guessTiles, levelFor, planTiles, topLevel } from './tile_plan.ts';
import { TileStore, kStripSteps } from './tile_store.ts';

class Source implements TileSource {
  tiles = new Map<string, Tile>();
  wanted: TileAddress[] = [];
  put(level: number, index: number, kind: 'events' | 'buckets'): Tile {
    const bytes =
      kind === 'events'
        ? eventTileBytes(1, [{ start: 1, duration: 1 }])
        : bucketTileBytes(1, [{ row: 0, bucket: 0, busy: 9 }]);
    const tile = decodeTile(bytes, { track: 1, level, index });
    this.tiles.set(`${level}/${index}`, tile);
    return tile;
  }
  ready = (_track: number, level: number, index: number): Tile | undefined => this.tiles.get(`${level}/${index}`);
  want = (address: TileAddress): void => void this.wanted.push(address);
  guessed: TileAddress[] = [];
  guess = (address: TileAddress): void => void this.guessed.push(address);
}

const kLength = 2 ** 30;

describe('planTiles', () => {
  it('asks for tiles whose buckets are about a pixel wide, few of them', () => {
    for (let span = 30; span <= kLength; span *= 2.3) {
      const source = new Source();
      const view = { from: kLength / 2 - span / 2, to: kLength / 2 + span / 2 };
      const level = levelFor(view, 2000, kLength);
      if (span > 4000) expect(2 ** level / (span / 2000)).toBeGreaterThanOrEqual(0.7);
      expect(2 ** level / (span / 2000)).toBeLessThan(level === 0 ? 100 : 1.42);
      planTiles(source, 1, view, 2000, kLength);
      expect(source.wanted.length).toBeGreaterThan(0);
      expect(source.wanted.length).toBeLessThanOrEqual(5);
    }
  });

  it('uses an exact tile from above for every zoom below it and asks for nothing', () => {
    const source = new Source();
    const tile = source.put(topLevel(kLength), 0, 'events');
    const pieces = planTiles(source, 1, { from: 5000, to: 5020 }, 2000, kLength);
    expect(source.wanted).toEqual([]);
    expect(pieces).toEqual([expect.objectContaining({ tile, settled: true })]);
  });

  it('draws from a coarser tile while the finer one is under way', () => {
    const source = new Source();
    const coarse = source.put(20, 0, 'buckets');
    const pieces = planTiles(source, 1, { from: 0, to: 2 ** 20 }, 1024, kLength);
    expect(pieces.map((piece) => [piece.tile, piece.settled])).toEqual([[coarse, false]]);
    expect(source.wanted.map((address) => address.level)).toEqual([10, 10]);
  });

  it('draws from finer tiles when one zooms out', () => {
    const source = new Source();
    const fine = source.put(9, 1, 'buckets');
    const pieces = planTiles(source, 1, { from: 0, to: 2 ** 20 - 1 }, 1024, kLength);
    expect(pieces.map((piece) => piece.tile)).toEqual([null, fine]);
  });

  it('covers the view without gaps or overlaps', () => {
    const source = new Source();
    source.put(12, 3, 'buckets');
    source.put(13, 2, 'events');
    const view = { from: 3 * 2 ** 22, to: 6 * 2 ** 22 };
    const pieces = planTiles(source, 1, view, 3000, kLength);
    expect(pieces[0]?.from).toBeLessThanOrEqual(view.from);
    expect(pieces[pieces.length - 1]?.to).toBeGreaterThanOrEqual(view.to);
    pieces.slice(1).forEach((piece, i) => expect(piece.from).toBe(pieces[i]?.to));
  });
});

describe('guessTiles', () => {
  it('names the tiles of the next level that a closer view of a place will have, and none that are there', () => {
    const source = new Source();
    const view = { from: 0, to: kLength };
    const level = levelFor(view, 2000, kLength);
    source.put(level - 1, 1, 'buckets');
    guessTiles(source, 1, view, 2000, kLength, kLength / 2);
    expect(source.guessed).toEqual([0, 2, 3].map((index) => ({ track: 1, level: level - 1, index })));
    source.guessed = [];
    source.put(topLevel(kLength), 0, 'events');
    guessTiles(source, 1, view, 2000, kLength, kLength / 2);
    expect(source.guessed, 'what an exact tile covers').toEqual([]);
  });
});

describe('TileStore', () => {
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 20; i++) await Promise.resolve();
  };
  const bytes = eventTileBytes(1, [{ start: 1, duration: 1 }]);

  /** All of a request, one by one. */
  const each = (fetchTile: (address: TileAddress) => Promise<Tile>) => ({
    fetchTile,
    fetchTiles: (addresses: TileAddress[]) => Promise.all(addresses.map(fetchTile)),
  });

  /** A store whose answers come when one says so: what it asked for, the answers, how often something arrived. */
  const waiting = () => {
    const state = { asked: [] as number[][], answers: [] as (() => void)[], arrivals: 0 };
    const fetchTiles = (addresses: TileAddress[]): Promise<Tile[]> =>
      new Promise((done) => {
        state.asked.push(addresses.map((address) => address.index));
        state.answers.push(() => done(addresses.map((address) => decodeTile(bytes, address))));
      });
    const store = new TileStore({
      fetchTiles,
      fetchTile: async (address) => (await fetchTiles([address]))[0] as Tile,
      arrived: () => {
        state.arrivals++;
      },
      failed: () => {},
    });
    return { store, state, asked: state.asked, answers: state.answers };
  };

  it('asks for many in few requests and drops what the newest picture no longer wants', async () => {
    const { store, state, asked, answers } = waiting();
    store.beginFrame();
    for (let index = 0; index < 100; index++) store.want({ track: 1, level: 3, index });
    store.endFrame();
    const upTo = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
    expect(asked).toEqual([upTo(0, 12), upTo(12, 24), upTo(24, 36)]);
    store.beginFrame();
    store.want({ track: 1, level: 3, index: 77 });
    store.endFrame();
    for (const answer of answers.splice(0)) answer();
    await settle();
    expect(asked.slice(3)).toEqual([[77]]);
    expect(state.arrivals).toBe(3);
    expect(store.ready(1, 3, 0)).toBeDefined();
    expect(store.ready(1, 3, 35)).toBeDefined();
    expect(store.idle).toBe(false);
    for (const answer of answers.splice(0)) answer();
    await settle();
    expect(store.idle).toBe(true);
    store.beginFrame();
    for (let index = 200; index < 206; index++) store.want({ track: 1, level: 3, index });
    store.endFrame();
    expect(asked.slice(4)).toEqual([upTo(200, 202), upTo(202, 204), upTo(204, 206)]);
  });

  it('asks alone for those that an answer of several has not, and says what is wrong with each', async () => {
    const alone: number[] = [];
    const failures: unknown[] = [];
    const store = new TileStore({
      fetchTiles: async (addresses) =>
        addresses.map((address) => (address.index % 4 < 2 ? decodeTile(bytes, address) : null)),
      fetchTile: async (address) => {
        alone.push(address.index);
        if (address.index === 3) throw new Error('damaged');
        return decodeTile(bytes, address);
      },
      arrived: () => {},
      failed: (error) => failures.push(error),
    });
    store.beginFrame();
    for (let index = 0; index < 12; index++) store.want({ track: 1, level: 3, index });
    store.endFrame();
    await settle();
    expect(alone.sort((a, b) => a - b)).toEqual([2, 3, 6, 7, 10, 11]);
    expect(failures).toEqual([new Error('damaged')]);
    expect(store.idle).toBe(true);
    const held = Array.from({ length: 12 }, (_, index) => store.ready(1, 3, index) !== undefined);
    expect(held.map((is, index) => (is ? -1 : index)).filter((index) => index >= 0)).toEqual([3]);
  });

  it('stays within its bytes and keeps what is on the screen', async () => {
    const store = new TileStore({
      ...each(async (address) => decodeTile(bytes, address)),
      arrived: () => {},
      failed: () => {},
      maxBytes: bytes.byteLength * 10,
    });
    for (let round = 0; round < 30; round++) {
      store.beginFrame();
      store.ready(1, 0, 0);
      store.want({ track: 1, level: 0, index: round });
      store.endFrame();
      await settle();
    }
    store.beginFrame();
    const kept = store.ready(1, 0, 0);
    store.endFrame();
    expect(kept).toBeDefined();
    expect(store.bytes).toBeLessThanOrEqual(bytes.byteLength * 10);
  });

  it('counts the pictures of tiles, which are larger than they', async () => {
    const dense = bucketTileBytes(3, [{ row: 0, bucket: 5, busy: 9 }]);
    const store = new TileStore({
      ...each(async (address) => decodeTile(dense, address)),
      arrived: () => {},
      failed: () => {},
      maxBytes: 1e6,
    });
    for (let index = 0; index < 40; index++) {
      store.beginFrame();
      store.want({ track: 1, level: 0, index });
      store.endFrame();
      await settle();
    }
    const held = Array.from({ length: 40 }, (_, index) => store.ready(1, 0, index)).filter(Boolean).length;
    expect(held * 3 * kStripSteps * 1024 * 4).toBeLessThanOrEqual(1e6 + 4 * 3 * kStripSteps * 1024 * 4);
    expect(held).toBeGreaterThan(3);
  });

  it('fetches guesses when nothing is wanted, a few at a time, and no picture waits for them', async () => {
    const { store, state, asked, answers } = waiting();
    const frame = (wanted: number[], guessed: number[]): void => {
      store.beginFrame();
      for (const index of wanted) store.want({ track: 1, level: 3, index });
      for (const index of guessed) store.guess({ track: 1, level: 3, index });
      store.endFrame();
    };
    const answer = async (): Promise<void> => {
      for (const each of answers.splice(0)) each();
      await settle();
    };
    frame([1], [11, 12, 13, 14, 15, 16, 17, 18, 19]);
    expect(asked).toEqual([[1]]);
    await answer();
    expect(asked.slice(1)).toEqual([
      [11, 12, 13, 14],
      [15, 16, 17, 18],
    ]);
    expect(store.idle).toBe(true);
    frame([12, 2], [19]);
    expect(store.idle, 'one that was guessed is wanted now').toBe(false);
    expect(asked.slice(3)).toEqual([[2]]);
    await answer();
    expect(state.arrivals, 'the first, the one guessed well, the last').toBe(3);
    expect(store.ready(1, 3, 18)).toBeDefined();
    expect(asked.slice(4)).toEqual([[19]]);
  });

  it('keeps quiet about a guess that fails, and asks again when it is wanted', async () => {
    const failures: unknown[] = [];
    let asked = 0;
    const store = new TileStore({
      ...each(async () => {
        asked++;
        throw new Error('gone');
      }),
      arrived: () => {},
      failed: (error) => failures.push(error),
    });
    store.beginFrame();
    store.guess({ track: 1, level: 0, index: 0 });
    store.endFrame();
    await settle();
    expect([asked, failures.length, store.idle]).toEqual([1, 0, true]);
    store.beginFrame();
    store.want({ track: 1, level: 0, index: 0 });
    store.endFrame();
    await settle();
    expect([asked, failures.length]).toEqual([2, 1]);
  });

  it('says when a tile cannot be had, and does not ask again at once', async () => {
    let asked = 0;
    const failures: unknown[] = [];
    const store = new TileStore({
      ...each(async () => {
        asked++;
        throw new Error('gone');
      }),
      arrived: () => {},
      failed: (error) => failures.push(error),
    });
    for (let i = 0; i < 5; i++) {
      store.beginFrame();
      store.want({ track: 1, level: 0, index: 0 });
      store.endFrame();
      await settle();
    }
    expect(asked).toBe(1);
    expect(failures).toHaveLength(1);
    expect(store.idle).toBe(true);
  });

  it('does not keep what was fetched from a report that has changed meanwhile', async () => {
    let answer = (): void => {};
    const store = new TileStore({
      ...each(
        (address) =>
          new Promise((done) => {
            answer = () => done(decodeTile(bytes, address));
          }),
      ),
      arrived: () => {},
      failed: () => {},
    });
    store.beginFrame();
    store.want({ track: 1, level: 0, index: 0 });
    store.endFrame();
    store.clear();
    answer();
    await settle();
    expect(store.ready(1, 0, 0)).toBeUndefined();
  });
});
