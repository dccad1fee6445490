// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { decodeTile, decodeTiles, isExact } from './tile.ts';
import { bucketTileBytes, curveTileBytes, eventTileBytes } from './tile_bytes.ts';

const at = { track: 3, level: 2, index: 5 };

describe('decodeTile', () => {
  it('reads events; what was never closed has no end', () => {
    const tile = decodeTile(
      eventTileBytes(2, [
        { start: 20500, duration: 10, name: 7, row: 1, id: 99 },
        { start: 21000, duration: -1 },
        { start: -5, duration: 0 },
      ]),
      at,
    );
    if (tile.kind !== 'events') throw new Error(tile.kind);
    expect([tile.from, tile.to, tile.rows, tile.count]).toEqual([20480, 24576, 2, 3]);
    expect([...tile.start]).toEqual([20500, 21000, -5]);
    expect([...tile.end]).toEqual([20510, Number.POSITIVE_INFINITY, -5]);
    expect([tile.name[0], tile.row[0], tile.event[0]]).toEqual([7, 1, 99n]);
    expect(isExact(tile)).toBe(true);
  });

  it('reads buckets of odd counts, whose columns are padded', () => {
    const tile = decodeTile(
      bucketTileBytes(3, [
        { row: 0, bucket: 1, busy: 255, name: 5, events: 12 },
        { row: 2, bucket: 1023, busy: 1, name: 6 },
        { row: 2, bucket: 9, busy: 7 },
      ]),
      at,
    );
    if (tile.kind !== 'buckets') throw new Error(tile.kind);
    expect([...tile.row, ...tile.bucket, ...tile.busy]).toEqual([0, 2, 2, 1, 1023, 9, 255, 1, 7]);
    expect([...tile.name, ...tile.events]).toEqual([5, 6, 0, 12, 1, 1]);
    expect(isExact(tile)).toBe(false);
  });

  it('takes a tile without entries as the whole truth', () => {
    expect(isExact(decodeTile(bucketTileBytes(1, []), at))).toBe(true);
  });

  it('reads curves', () => {
    const tile = decodeTile(curveTileBytes([{ bucket: 4, min: 1, max: 3, mean: 2 }]), at);
    expect(tile).toMatchObject({ kind: 'curve', count: 1 });
    if (tile.kind === 'curve') expect([tile.min[0], tile.max[0], tile.mean[0], tile.bucket[0]]).toEqual([1, 3, 2, 4]);
  });

  it('refuses every tile that is cut off, and never reads beyond it', () => {
    for (const whole of [
      eventTileBytes(1, [
        { start: 1, duration: 2 },
        { start: 3, duration: 4 },
      ]),
      bucketTileBytes(1, [{ row: 0, bucket: 1, busy: 2 }]),
      curveTileBytes([{ bucket: 0, min: 0, max: 0, mean: 0 }]),
    ]) {
      for (let length = 0; length < whole.byteLength - 7; length++)
        expect(() => decodeTile(whole.slice(0, length), at)).toThrow();
    }
  });

  it('refuses counts that no tile of this length can have, other versions and other kinds', () => {
    const broken = (offset: number, value: number): ArrayBuffer => {
      const buffer = eventTileBytes(1, [{ start: 1, duration: 2 }]);
      new DataView(buffer).setUint8(offset, value);
      return buffer;
    };
    expect(() => decodeTile(broken(11, 255), at)).toThrow('cut off');
    expect(() => decodeTile(broken(4, 2), at)).toThrow('version 2');
    expect(() => decodeTile(broken(5, 9), at)).toThrow('kind 9');
    expect(() => decodeTile(broken(0, 0), at)).toThrow('not a tile');
  });
});

describe('decodeTiles', () => {
  const joined = (...parts: ArrayBuffer[]): ArrayBuffer => {
    const bytes = parts.flatMap((part) => [
      ...new Uint8Array(new BigUint64Array([BigInt(part.byteLength)]).buffer),
      ...new Uint8Array(part),
    ]);
    return Uint8Array.from(bytes).buffer;
  };
  const other = { track: 4, level: 2, index: 6 };
  const tile = bucketTileBytes(1, [{ row: 0, bucket: 1, busy: 2 }]);

  it('gives each address its tile, and null where the answer has none', () => {
    const answer = joined(eventTileBytes(1, [{ start: 20500, duration: 10 }]), new ArrayBuffer(0), tile);
    const [first, none, last] = decodeTiles(answer, [at, at, other]);
    expect([first?.kind, none, last?.kind]).toEqual(['events', null, 'buckets']);
    expect(last?.address).toEqual(other);
  });

  it('refuses an answer that is cut off anywhere', () => {
    const answer = joined(tile, tile);
    for (let length = 0; length < answer.byteLength; length++)
      expect(() => decodeTiles(answer.slice(0, length), [at, other])).toThrow();
  });
});
