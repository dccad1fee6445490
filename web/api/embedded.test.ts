// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { EmbeddedHeader } from './embedded.ts';
import { readContainer } from './embedded.ts';
import { NotInPage } from './not_in_page.ts';
import type { EventTile } from './tile.ts';
import { bucketTileBytes, curveTileBytes, eventTileBytes } from './tile_bytes.ts';

const kId = 'r1';
const root = `/reports/${kId}`;
const names = ['', 'step', 'work', '<b>'];
const track = (id: number, kind: string, unit: string | null = null) => ({
  ...{ id, parent: null, kind, name: kind, events: 5, busy_ns: 1, first_ns: 0, last_ns: 1, rows: 2 },
  ...{ unit, top: [], lost: [] },
});

/** Track 1: events in one tile. Track 2: buckets with finer ones below, of one half events. Track 3: a curve. */
const tiles: [number, number, number, ArrayBuffer][] = [
  [
    1,
    2,
    0,
    eventTileBytes(2, [
      { start: 100, duration: 1000, name: 1, id: 7 },
      { start: 200, duration: 300, name: 2, row: 1, id: 8 },
      { start: 600, duration: 100, name: 2, row: 1, id: 9 },
      { start: 2000, duration: 500, name: 1, id: 10 },
      { start: 3000, duration: -1, name: 3, id: 11 },
    ]),
  ],
  [
    2,
    2,
    0,
    bucketTileBytes(1, [
      { row: 0, bucket: 0, busy: 255, name: 1, events: 4 },
      { row: 0, bucket: 600, busy: 51, name: 2, events: 2 },
    ]),
  ],
  [2, 1, 0, eventTileBytes(1, [{ start: 0, duration: 4, name: 1, id: 20 }])],
  [2, 1, 1, bucketTileBytes(1, [{ row: 0, bucket: 176, busy: 51, name: 2, events: 2 }])],
  [3, 2, 0, curveTileBytes([{ bucket: 5, min: 1, max: 3, mean: 2 }])],
];

function container(changes: Partial<EmbeddedHeader> = {}): ArrayBuffer {
  let offset = 0;
  const places = tiles.map(([id, level, index, bytes]): [number, number, number, number, number] => {
    offset += bytes.byteLength;
    return [id, level, index, offset - bytes.byteLength, bytes.byteLength];
  });
  const header: EmbeddedHeader = {
    version: 1,
    answers: {
      '/reports': { reports: [{ id: kId }], folders: [] },
      [root]: { id: kId, length_ns: 4096 },
      [`${root}/busy`]: { devices: [{ track: 3 }], reason: null },
      [`${root}/busy?of=threads`]: { threads: [], left_out: 0, reason: 'none' },
      [`${root}/stacks?by=device`]: { unit: 'ns', stacks: [], reason: 'whole' },
      [`${root}/tracks`]: {
        settled: true,
        tracks: [track(1, 'nvtx'), track(2, 'kernels'), track(3, 'metric', '%'), track(4, 'samples')],
      },
      [`${root}/stacks?track=4`]: { frames: ['main'], stacks: [[[0], 9]], unit: 'samples' },
      [`${root}/names`]: { names },
      [`${root}/stats?report=nvtx_sum`]: { report: 'nvtx_sum', columns: [], rows: [], reason: null },
    },
    tiles: places,
    events: { '1/10': { name: 1, from: 'the server' } },
    links: [[1, '8', 2, '20', 'launches']],
    thinned: null,
    ...changes,
  };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const all = new Uint8Array(4 + text.length + offset);
  new DataView(all.buffer).setUint32(0, text.length, true);
  all.set(text, 4);
  tiles.forEach(([, , , bytes], i) => all.set(new Uint8Array(bytes), 4 + text.length + (places[i]?.[3] ?? 0)));
  return all.buffer;
}

describe('a report in the page', () => {
  const client = readContainer(container());
  it('cuts finer tiles out of those that hold all events', async () => {
    const tile = (await client.tile(kId, { track: 1, level: 0, index: 1 })) as EventTile;
    expect(tile.kind).toBe('events');
    // [1024, 2048): what ends in it, and what begins in it.
    expect([...tile.event].map(Number)).toEqual([7, 10]);
    expect([tile.from, tile.to]).toEqual([1024, 2048]);
  });
  it('spreads sums over finer buckets, and gives a curve its values once', async () => {
    const coarse = await client.tile(kId, { track: 2, level: 0, index: 2 });
    expect(coarse.kind === 'buckets' && [...coarse.bucket]).toEqual([352, 353]);
    const curve = await client.tile(kId, { track: 3, level: 0, index: 0 });
    expect(curve.kind === 'curve' && [[...curve.bucket], [...curve.mean]]).toEqual([[20], [2]]);
    expect((await client.tile(kId, { track: 9, level: 3, index: 0 })).count).toBe(0);
  });
  it('lists, sorts and filters events', async () => {
    const page = await client.events(kId, { track: 1, sort: 'duration', order: 'desc', min: 100, max: 999 });
    expect(page.total).toBe(3);
    expect(page.rows.map((row) => row[0])).toEqual(['10', '8', '9']);
    expect((await client.events(kId, { track: 1, text: 'WORK' })).total).toBe(2);
    expect((await client.events(kId, { track: 1, from: 1200, to: 2100 })).rows.map((row) => row[0])).toEqual(['10']);
  });
  it('sums up a range: exactly from events, about from buckets', async () => {
    const [nvtx, kernels] = await client.range(kId, 0, 1000);
    expect(nvtx).toEqual({
      track: 1,
      busy_ns: 900,
      events: 3,
      top: [
        { name: 1, ns: 900, events: 1 },
        { name: 2, ns: 400, events: 2 },
      ],
    });
    expect(kernels?.exact).toBeUndefined();
    const [, later] = await client.range(kId, 0, 4000);
    expect(later?.exact).toBe(false);
    expect(later?.events).toBe(3);
  });
  it('knows what an event lies in, its neighbours and its links', async () => {
    const details = await client.event(kId, 1, '8');
    expect(details.parents.map((parent) => parent.event)).toEqual(['7']);
    expect([details.previous, details.next]).toEqual([null, '9']);
    expect(details.links).toMatchObject([{ kind: 'launches', track: 2, event: '20', start: 0 }]);
    expect((await client.event(kId, 2, '20')).links).toMatchObject([{ kind: 'launched_by', track: 1, event: '8' }]);
    expect(await client.event(kId, 1, '10')).toMatchObject({ from: 'the server' });
  });
  it('searches names, makes histograms and flame graphs', async () => {
    const found = await client.search(kId, 'S', 10);
    expect(found.names.map((name) => [name.text, name.events, name.total_ns])).toEqual([['step', 3, 1504]]);
    const bins = await client.histogram(kId, { track: 1, name: 2, bins: 4 });
    expect([bins.total, bins.median, bins.counts.reduce((a, b) => a + b)]).toEqual([2, 200, 2]);
    const flame = await client.stacks(kId, 1, 0, 2000);
    expect(Object.fromEntries(flame.stacks.map(([path, ns]) => [path.join(), ns]))).toEqual({ 1: 600, '1,2': 400 });
  });
  it('has the statistics that were put there, and says what the others need', async () => {
    expect((await client.stats(kId, 'nvtx_sum')).report).toBe('nvtx_sum');
    expect((await client.busy(kId, 0, 4096)).devices).toHaveLength(1);
    expect(await client.deviceStacks(kId, undefined, 0, 4096)).toMatchObject({ reason: 'whole' });
    const lacking: [() => Promise<unknown>, string, boolean][] = [
      [() => client.stats(kId, 'nvtx_sum', 0, 5), 'statsOfPart', true],
      [() => client.stats(kId, 'other'), 'stats', false],
      [() => client.sql(kId, 'SELECT 1', 10), 'sql', false],
      [() => client.busy(kId, 0, 10), 'devices', true],
      [() => client.deviceStacks(kId, undefined, 0, 10), 'deviceStacks', true],
      [() => client.deviceStacks(kId, 2, 0, 4096), 'deviceStacks', false],
      [() => client.stacks(kId, 4, 0, 10), 'stacks', true],
      [() => client.rowSql(kId, 1), 'sql', false],
      [() => client.event(kId, 1, '99'), 'event', false],
    ];
    for (const [ask, what, ofPart] of lacking) {
      const failed: unknown = await ask().catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(NotInPage);
      expect(failed).toMatchObject({ what, ofPart });
    }
  });
  it('has what is nothing in the whole run for a part of it, too', async () => {
    expect(await client.busyThreads(kId, 5, 10)).toMatchObject({ threads: [], reason: 'none' });
  });
  it('gives the stacks of samples for the whole run, and never these for a part of it', async () => {
    expect(await client.stacks(kId, 4, 0, 4096)).toMatchObject({ unit: 'samples' });
  });
  it('lists, sums and nests events only where each of them is there', async () => {
    const ask = [
      (): Promise<unknown> => client.events(kId, { track: 2 }),
      (): Promise<unknown> => client.stacks(kId, 2, 0, 4096),
      (): Promise<unknown> => client.histogram(kId, { track: 2, name: 1, bins: 4 }),
    ];
    for (const one of ask) await expect(one()).rejects.toMatchObject({ what: 'events' });
    expect((await client.events(kId, { track: 2, from: 0, to: 2000 })).total).toBe(1);
  });
  it('is refused when it is cut off or of another version', () => {
    const whole = container();
    for (const length of [0, 3, 4, 40]) expect(() => readContainer(whole.slice(0, length))).toThrow();
    expect(() => readContainer(container({ version: 2 }))).toThrow('version 2');
  });
});
