// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { type Tile, decodeTile } from '../api/tile.ts';
import { type TestEvent, bucketTileBytes, curveTileBytes, eventTileBytes } from '../api/tile_bytes.ts';
import { Names } from '../model/names.ts';
import { colourOf } from '../model/palette.ts';
import type { Piece } from '../model/tile_plan.ts';
import { kStripSteps } from '../model/tile_store.ts';
import { Scale } from '../model/time_view.ts';
import { curveTop, drawCurve } from './curve.ts';
import { Labels } from './label.ts';
import { drawLink } from './overlay.ts';
import { RecordingSurface } from './recording_surface.ts';
import { Strips, paintStrip } from './strip.ts';
import { kDark, kLight } from './theme.ts';
import { ThinBoxes } from './thin_boxes.ts';
import { type Pen, type Place, drawLost, drawPieces } from './track.ts';

const texts = ['step', 'forward', 'a kernel with a name that is longer than its box', '<b>bold</b>'];

async function pen(
  from = 0,
  to = 1024,
  width = 1024,
  emphasis: ReadonlySet<number> | null = null,
): Promise<{ pen: Pen; recorded: RecordingSurface }> {
  const recorded = new RecordingSurface();
  const names = new Names(async () => texts);
  await names.need([0]);
  const strips = new Strips((pixels, w, h) => ({ pixels, width: w, height: h }) as unknown as CanvasImageSource);
  return {
    recorded,
    pen: {
      surface: recorded.surface(),
      scale: new Scale({ from, to }, width),
      theme: kLight,
      names,
      labels: new Labels(),
      strips,
      thin: null,
      emphasis,
      end: 1000,
    },
  };
}

const place: Place = { y: 10, height: 54, lane: 18, flat: false };
const address = (level: number, index: number) => ({ track: 1, level, index });
const events = (list: TestEvent[], level = 0, index = 0): Tile =>
  decodeTile(eventTileBytes(3, list), address(level, index));
const piece = (tile: Tile | null, from = 0, to = 1024, settled = true): Piece => ({ tile, from, to, settled });
const boxes = (recorded: RecordingSurface): number[][] => recorded.of('fillRect').map((call) => call.args as number[]);

describe('events', () => {
  it('are boxes at their time and level, with their name where it fits', async () => {
    const { pen: p, recorded } = await pen();
    drawPieces(
      p,
      [
        piece(
          events([
            { start: 100, duration: 200, name: 0 },
            { start: 120, duration: 60, name: 2, row: 1 },
            { start: 200, duration: 10, name: 1, row: 2 },
          ]),
        ),
      ],
      place,
    );
    expect(boxes(recorded)).toEqual([
      [100, 10, 199, 16],
      [120, 28, 59, 16],
      [200, 46, 9, 16],
    ]);
    expect(recorded.texts()[0]).toBe('step');
    expect(recorded.texts()[1]).toMatch(/^a kern.*…$/);
    expect(recorded.texts()).toHaveLength(2);
  });

  it('are not drawn twice where two tiles meet', async () => {
    const { pen: p, recorded } = await pen(0, 2048, 2048);
    const crossing = { start: 1000, duration: 100, name: 1 };
    drawPieces(
      p,
      [piece(events([crossing])), piece(events([crossing, { start: 1500, duration: 50 }], 0, 1), 1024, 2048)],
      place,
    );
    expect(boxes(recorded).map((box) => box.slice(0, 3))).toEqual([
      [1000, 10, 99],
      [1500, 10, 49],
    ]);
  });

  it('beside buckets go no further than their tile', async () => {
    const { pen: p, recorded } = await pen(0, 2048, 2048);
    const long = { start: 500, duration: 1500 };
    drawPieces(
      p,
      [
        piece(decodeTile(bucketTileBytes(1, [{ row: 0, bucket: 3, busy: 255 }]), address(0, 0))),
        piece(events([long], 0, 1), 1024, 2048),
      ],
      place,
    );
    expect(boxes(recorded)).toEqual([[1024, 10, 975, 16]]);
    expect(recorded.of('drawImage')).toHaveLength(1);
  });

  it('thinner than a pixel are drawn once a pixel', async () => {
    const { pen: p, recorded } = await pen(0, 1024000, 1024);
    drawPieces(
      p,
      [
        piece(
          events(
            Array.from({ length: 4000 }, (_, i) => ({ start: i * 250, duration: 100 })),
            10,
          ),
          0,
          1024000,
        ),
      ],
      place,
    );
    expect(boxes(recorded).length).toBeLessThanOrEqual(1001);
    expect(boxes(recorded).length).toBeGreaterThan(990);
  });

  it('never closed end striped; marks are diamonds; other names turn pale', async () => {
    const { pen: p, recorded } = await pen(0, 1024, 1024, new Set([1]));
    drawPieces(
      p,
      [
        piece(
          events([
            { start: 50, duration: 0, name: 1 },
            { start: 100, duration: -1, name: 0 },
          ]),
        ),
      ],
      place,
    );
    expect(recorded.of('clip')).toHaveLength(1);
    expect(recorded.of('closePath')).toHaveLength(1);
    expect(recorded.of('fill')[0]?.globalAlpha).toBe(1);
    expect(recorded.of('fillRect')[0]?.globalAlpha).toBeLessThan(0.5);
    expect(boxes(recorded)[0]?.[2]).toBe(899);
  });

  it('too narrow for a name are pixels where the surface is a screen; wide ones and marks are drawn', async () => {
    const { pen: p, recorded } = await pen(0, 1024, 1024, new Set([1]));
    const lines: number[][] = [];
    const put = (pixels: Uint32Array, width: number): void => {
      lines.push([...pixels.subarray(0, width)]);
    };
    p.thin = new ThinBoxes(() => ({ image: {} as CanvasImageSource, put }));
    p.thin.begin(1024, 1);
    const tile = events([
      { start: 100, duration: 200, name: 1 },
      { start: 400, duration: 3, name: 1 },
      { start: 500, duration: 3, name: 0 },
      { start: 600, duration: 0, name: 1 },
    ]);
    drawPieces(p, [piece(tile)], place);
    expect(boxes(recorded)).toEqual([[100, 10, 199, 16]]);
    expect(recorded.of('closePath')).toHaveLength(1);
    expect(recorded.of('drawImage').map((call) => call.args.slice(1))).toEqual([[400, 0, 103, 1, 400, 10, 103, 16]]);
    const pixel = (name: number, alpha: number): number =>
      ((colourOf(p.names.colour(name)).pixel & 0xffffff) | (alpha << 24)) >>> 0;
    expect(lines).toHaveLength(1);
    expect([399, 400, 402, 403, 500, 503].map((x) => lines[0]?.[x])).toEqual([
      0,
      pixel(1, 255),
      pixel(1, 255),
      0,
      pixel(0, 71),
      0,
    ]);
  });

  it('write names as text, whatever is in them', async () => {
    const { pen: p, recorded } = await pen();
    drawPieces(p, [piece(events([{ start: 0, duration: 900, name: 3 }]))], place);
    expect(recorded.texts()).toEqual(['<b>bold</b>']);
  });

  it('levels and buckets that cannot be are left out', async () => {
    const { pen: p, recorded } = await pen();
    drawPieces(p, [piece(events([{ start: 0, duration: 10, row: 60000 }]))], place);
    expect(boxes(recorded)).toEqual([]);
    const tile = decodeTile(
      bucketTileBytes(1, [
        { row: 900, bucket: 1, busy: 3 },
        { row: 0, bucket: 5000, busy: 3 },
      ]),
      address(0, 0),
    );
    if (tile.kind === 'buckets')
      expect(paintStrip(tile, { colour: () => 0, emphasis: null }).pixels.every((pixel) => pixel === 0)).toBe(true);
  });
});

describe('dense spans', () => {
  it('are as high as they were busy and at least one step', () => {
    const tile = decodeTile(
      bucketTileBytes(2, [
        { row: 0, bucket: 0, busy: 255 },
        { row: 0, bucket: 1, busy: 128 },
        { row: 1, bucket: 2, busy: 1 },
      ]),
      address(0, 0),
    );
    if (tile.kind !== 'buckets') throw new Error(tile.kind);
    const { pixels, width, height } = paintStrip(tile, { colour: () => 0, emphasis: null });
    const steps = (bucket: number, row: number): number =>
      Array.from({ length: kStripSteps }, (_, i) => pixels[(row * kStripSteps + i) * width + bucket]).filter(
        (pixel) => pixel !== 0,
      ).length;
    expect([width, height]).toEqual([1024, 2 * kStripSteps]);
    expect([steps(0, 0), steps(1, 0), steps(2, 1), steps(3, 0)]).toEqual([
      kStripSteps - 1,
      (kStripSteps - 1) / 2,
      1,
      0,
    ]);
  });

  it('are cut out of a coarser tile at the right place', async () => {
    const { pen: p, recorded } = await pen(512, 768, 1024);
    const tile = decodeTile(bucketTileBytes(1, [{ row: 0, bucket: 512, busy: 1 }]), address(0, 0));
    drawPieces(p, [piece(tile, 0, 1024, false)], place);
    expect(recorded.of('drawImage')[0]?.args.slice(1)).toEqual([512, 0, 256, kStripSteps, 0, 10, 1024, 18]);
  });

  it('say their name where one goes on long enough, and only there', async () => {
    const { pen: p, recorded } = await pen();
    const long = Array.from({ length: 100 }, (_, i) => ({ row: 0, bucket: 100 + i, busy: 250, name: 1 }));
    const mixed = Array.from({ length: 100 }, (_, i) => ({ row: 0, bucket: 400 + i, busy: 250, name: i % 2 }));
    drawPieces(p, [piece(decodeTile(bucketTileBytes(1, [...long, ...mixed]), address(0, 0)))], place);
    expect(recorded.of('fillText').map((call) => [call.args[0], call.args[1]])).toEqual([['forward', 104]]);
  });

  it('show where one event follows another, where there is room between them', async () => {
    const { pen: p, recorded } = await pen();
    const begins = new Map([
      [100, 1],
      [160, 1],
      [220, 1],
      [222, 1],
      [224, 3],
    ]);
    const entries = Array.from({ length: 200 }, (_, i) => ({
      row: 0,
      bucket: 100 + i,
      busy: 250,
      name: 1,
      events: begins.get(100 + i) ?? 0,
    }));
    const tile = decodeTile(bucketTileBytes(1, entries), address(0, 0));
    if (tile.kind !== 'buckets') throw new Error(tile.kind);
    const { pixels, width } = paintStrip(tile, { colour: () => 0, emphasis: null });
    const empty = entries
      .map(({ bucket }) => bucket)
      .filter((bucket) => Array.from({ length: kStripSteps }, (_, i) => pixels[i * width + bucket]).every((c) => !c));
    expect(empty).toEqual([159, 219]);
    drawPieces(p, [piece(tile)], place);
    expect(recorded.of('fillText').map((call) => call.args[1])).toEqual([104, 164, 224]);
  });

  it('are painted once a tile, and again when other names stand out', async () => {
    const { pen: p } = await pen();
    const tile = decodeTile(bucketTileBytes(1, [{ row: 0, bucket: 5, busy: 1 }]), address(0, 0));
    if (tile.kind !== 'buckets') throw new Error(tile.kind);
    const style = { colour: () => 0, emphasis: null };
    expect(p.strips.of(tile, style)).toBe(p.strips.of(tile, style));
    expect(p.strips.of(tile, { ...style, emphasis: new Set([1]) })).not.toBe(p.strips.of(tile, style));
  });
});

describe('the rest', () => {
  it('says where nothing is known yet', async () => {
    const { pen: p, recorded } = await pen();
    drawPieces(p, [piece(null, 0, 512, false)], place);
    expect(recorded.of('fillRect')).toEqual([
      expect.objectContaining({ args: [0, 10, 512, 54], fillStyle: kLight.loading }),
    ]);
  });

  it('hatches lost time so that it can be seen however short it was', async () => {
    const { pen: p, recorded } = await pen(0, 1e9, 1000);
    drawLost(
      p,
      [
        [5e8, 5e8 + 10],
        [2e9, 3e9],
      ],
      place,
    );
    expect(recorded.of('strokeRect')).toHaveLength(1);
    expect(recorded.of('strokeRect')[0]?.args[2] as number).toBeGreaterThanOrEqual(1);
  });

  it('draws curves as band and line within their row', async () => {
    const { pen: p, recorded } = await pen();
    const tile = decodeTile(
      curveTileBytes([
        { bucket: 0, min: 10, max: 30, mean: 20 },
        { bucket: 1, min: 0, max: 100, mean: 50 },
      ]),
      address(0, 0),
    );
    const pieces = [piece(tile)];
    expect(curveTop(pieces, '%')).toBe(100);
    drawCurve(p, pieces, { ...place, lane: 40 }, 100);
    for (const [, y, , height] of boxes(recorded) as [number, number, number, number][]) {
      expect(y).toBeGreaterThanOrEqual(place.y);
      expect(y + height).toBeLessThanOrEqual(place.y + 41);
    }
    expect(recorded.of('lineTo')).toHaveLength(1);
  });

  it('writes the wait beside a link only where there is room', () => {
    const narrow = new RecordingSurface();
    const wide = new RecordingSurface();
    const [call, kernel] = [
      { start: 0, end: 100, y: 10, height: 16 },
      { start: 500, end: 900, y: 80, height: 16 },
    ];
    drawLink(narrow.surface(), new Scale({ from: 0, to: 1e6 }, 1000), kDark, call, kernel);
    drawLink(wide.surface(), new Scale({ from: 0, to: 1000 }, 1000), kDark, call, kernel);
    expect(narrow.texts()).toEqual([]);
    expect(wide.texts()).toEqual(['400 ns']);
  });

  it('cuts text so that it fits', () => {
    const surface = new RecordingSurface().surface();
    const labels = new Labels();
    expect(labels.fit(surface, 'abc', 30)).toBe('abc');
    for (let room = 0; room < 200; room++)
      expect(labels.fit(surface, 'x'.repeat(9000), room).length * 6).toBeLessThanOrEqual(room);
  });
});
