// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// One track in one place of the canvas, from the pieces that the tile plan found.
import { type BucketTile, type EventTile, bucketSpan, kTileBuckets } from '../api/tile.ts';
import type { Names } from '../model/names.ts';
import { colourOf, kNeutral } from '../model/palette.ts';
import type { Piece } from '../model/tile_plan.ts';
import { kStripSteps } from '../model/tile_store.ts';
import type { Scale } from '../model/time_view.ts';
import type { Labels } from './label.ts';
import type { NamedRun, Strips } from './strip.ts';
import type { Surface } from './surface.ts';
import type { Theme } from './theme.ts';
import type { ThinBoxes } from './thin_boxes.ts';

export interface Pen {
  surface: Surface;
  scale: Scale;
  theme: Theme;
  names: Names;
  labels: Labels;
  strips: Strips;
  /** For boxes that are too narrow for a name; null: they are shapes as the others, for a file. */
  thin: ThinBoxes | null;
  /** Names that stand out; the others turn pale. Null: all alike. */
  emphasis: ReadonlySet<number> | null;
  /** Where never closed events end. */
  end: number;
  /** Rows whose names are states: how high each is, so that they differ by more than colour. */
  heightOf?: (name: number) => number;
}

export interface Place {
  y: number;
  height: number;
  lane: number;
  /** All nesting levels in one lane, without names: in summaries and the minimap. */
  flat: boolean;
}

const kPaleAlpha = 0.28;
const kTextLane = 12;
const kRunText = 60;
/** Wider boxes have their name on them. */
const kNamedBox = 24;

export function drawPieces(pen: Pen, pieces: readonly Piece[], place: Place): void {
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i] as Piece;
    if (!piece.tile) drawLoading(pen, piece, place);
    else if (piece.tile.count === 0) continue;
    else if (piece.tile.kind === 'buckets') drawBuckets(pen, piece, piece.tile, place);
    else if (piece.tile.kind === 'events') drawEvents(pen, eventRun(pieces, i), piece.tile, place);
  }
  pen.thin?.draw(pen.surface);
}

function drawLoading({ surface, scale, theme }: Pen, piece: Piece, place: Place): void {
  const left = Math.max(0, scale.x(piece.from));
  const right = Math.min(scale.width, scale.x(Math.min(piece.to, Number.MAX_SAFE_INTEGER)));
  surface.fillStyle = theme.loading;
  surface.fillRect(left, place.y, right - left, place.height);
}

function drawBuckets(pen: Pen, piece: Piece, tile: BucketTile, place: Place): void {
  const { surface, scale } = pen;
  const { bitmap, runs } = pen.strips.of(tile, { colour: (name) => pen.names.colour(name), emphasis: pen.emphasis });
  const from = Math.max(piece.from, scale.view.from);
  const to = Math.min(piece.to, scale.view.to);
  if (to <= from) return;
  const bucket = bucketSpan(tile.address.level);
  const sourceX = (from - tile.from) / bucket;
  const sourceWidth = Math.min(kTileBuckets - sourceX, (to - from) / bucket);
  const x = scale.x(from);
  const levels = place.flat ? 1 : Math.max(1, tile.rows);
  surface.imageSmoothingEnabled = false;
  surface.drawImage(
    bitmap,
    sourceX,
    0,
    sourceWidth,
    levels * kStripSteps,
    x,
    place.y,
    scale.x(to) - x,
    levels * place.lane,
  );
  if (!place.flat && place.lane >= kTextLane) drawRunNames(pen, runs, tile, place, from, to);
}

/** What a long stretch of one name is called; its parts are too short to say it. */
function drawRunNames(
  pen: Pen,
  runs: readonly NamedRun[],
  tile: BucketTile,
  place: Place,
  from: number,
  to: number,
): void {
  const { surface, scale } = pen;
  const bucket = bucketSpan(tile.address.level);
  surface.textBaseline = 'middle';
  for (const run of runs) {
    const x0 = scale.x(Math.max(from, tile.from + run.from * bucket));
    const x1 = scale.x(Math.min(to, tile.from + run.to * bucket));
    if (x1 - x0 < kRunText || run.row >= tile.rows) continue;
    const text = pen.labels.fit(surface, pen.names.text(run.name) ?? '', x1 - x0 - 8);
    if (!text) continue;
    surface.fillStyle = colourOf(pen.names.colour(run.name)).ink;
    surface.fillText(text, x0 + 4, place.y + run.row * place.lane + place.lane * 0.6);
  }
}

/** Neighbouring pieces of events are drawn as one: who began in an earlier one has been drawn with it. */
interface Run {
  from: number;
  to: number;
  first: boolean;
}

function eventRun(pieces: readonly Piece[], index: number): Run {
  const isEvents = (piece: Piece | undefined): boolean => piece?.tile?.kind === 'events';
  let last = index;
  while (isEvents(pieces[last + 1])) last++;
  const piece = pieces[index] as Piece;
  return { from: piece.from, to: (pieces[last] as Piece).to, first: !isEvents(pieces[index - 1]) };
}

/** Boxes of one colour: x, y, width, height, one after the other. */
interface Batch {
  fill: string;
  pale: boolean;
  boxes: number[];
}

/** What of a track is drawn, by colour: a canvas is slow at changing colours, not at drawing boxes. */
class Batches {
  private readonly byColour = new Map<number, Batch>();

  add(colour: number, pale: boolean, x: number, y: number, width: number, height: number): void {
    const key = pale ? colour + 1000 : colour;
    let batch = this.byColour.get(key);
    if (!batch) this.byColour.set(key, (batch = { fill: colourOf(colour).fill, pale, boxes: [] }));
    batch.boxes.push(x, y, width, height);
  }

  draw(surface: Surface): void {
    for (const { fill, pale, boxes } of this.byColour.values()) {
      surface.fillStyle = fill;
      if (pale) surface.globalAlpha = kPaleAlpha;
      for (let i = 0; i < boxes.length; i += 4) {
        const [x, y, width, height] = [boxes[i], boxes[i + 1], boxes[i + 2], boxes[i + 3]] as [
          number,
          number,
          number,
          number,
        ];
        // A box without width is a mark.
        if (width === 0) drawMark(surface, x, y, height);
        else surface.fillRect(x, y, width, height);
      }
      if (pale) surface.globalAlpha = 1;
    }
  }
}

interface Written {
  text: string;
  x: number;
  y: number;
  pale: boolean;
  /** Beside its box rather than on it. */
  beside: boolean;
}

function drawEvents(pen: Pen, run: Run, tile: EventTile, place: Place): void {
  const { surface, scale } = pen;
  const levels = place.flat ? 1 : Math.max(1, tile.rows);
  const lastPixel = new Float64Array(levels).fill(-1);
  const lastStart = Math.min(run.to, scale.view.to);
  const height = Math.max(1, place.lane - (place.lane > 5 ? 2 : 0));
  const named = !place.flat && place.lane >= kTextLane;
  const batches = new Batches();
  const written: Written[] = [];
  const open: [number, number, number][] = [];
  for (let i = 0; i < tile.count; i++) {
    const start = tile.start[i] as number;
    if (start > lastStart) break;
    if (start < run.from && !run.first) continue;
    const isOpen = tile.end[i] === Number.POSITIVE_INFINITY;
    const end = isOpen ? pen.end : (tile.end[i] as number);
    if (end < run.from || end < scale.view.from) continue;
    const level = tile.row[i] as number;
    if (level >= levels) continue;
    const x0 = Math.max(scale.x(Math.max(start, run.first ? run.from : start)), -2);
    const x1 = Math.min(scale.x(Math.min(end, run.to)), scale.width + 2);
    const pixel = Math.floor(x1);
    if (x1 - x0 < 1 && pixel === lastPixel[level]) continue;
    lastPixel[level] = pixel;
    const name = tile.name[i] as number;
    const pale = pen.emphasis !== null && !pen.emphasis.has(name);
    const part = pen.heightOf ? pen.heightOf(name) : 1;
    const [tall, y] = [height * part, place.y + level * place.lane + height * (1 - part)];
    const width = end === start ? 0 : Math.max(1, x1 - x0 - (x1 - x0 > 3 ? 1 : 0));
    const colour = pen.names.colour(name);
    if (pen.thin && width > 0 && width <= kNamedBox)
      pen.thin.add(x0, y, width, tall, colourOf(colour).pixel, pale ? kPaleAlpha : 1);
    else batches.add(colour, pale, x0, y, width, tall);
    if (isOpen) open.push([x0, x1, y]);
    if (!named || x1 - x0 <= kNamedBox) continue;
    const left = Math.max(x0, 0);
    const text = pen.labels.fit(surface, pen.names.text(name) ?? '', x1 - left - 7);
    if (text)
      written.push({ text, x: left + 4, y: place.y + level * place.lane + height / 2 + 0.5, pale, beside: part < 1 });
  }
  batches.draw(surface);
  for (const [x0, x1, y] of open) drawOpenEnd(pen, x0, x1, y, height);
  drawWritten(pen, written);
}

function drawWritten({ surface, theme }: Pen, written: readonly Written[]): void {
  if (!written.length) return;
  surface.textBaseline = 'middle';
  for (const { text, x, y, pale, beside } of written) {
    surface.fillStyle = beside ? theme.text : kNeutral.ink;
    if (pale) surface.globalAlpha = kPaleAlpha;
    surface.fillText(text, x, y);
    if (pale) surface.globalAlpha = 1;
  }
}

function drawMark(surface: Surface, x: number, y: number, height: number): void {
  const half = Math.min(4, height / 2);
  surface.beginPath();
  surface.moveTo(x, y);
  surface.lineTo(x + half, y + height / 2);
  surface.lineTo(x, y + height);
  surface.lineTo(x - half, y + height / 2);
  surface.closePath();
  surface.fill();
}

/** Never closed: stripes at the right edge, so that it can be told from an event that ended there. */
function drawOpenEnd({ surface, theme }: Pen, x0: number, x1: number, y: number, height: number): void {
  const width = Math.min(26, x1 - x0);
  surface.save();
  surface.beginPath();
  surface.rect(x1 - width, y, width, height);
  surface.clip();
  surface.strokeStyle = theme.background;
  surface.lineWidth = 2;
  surface.beginPath();
  for (let x = x1 - width - height; x < x1 + height; x += 7) {
    surface.moveTo(x, y + height);
    surface.lineTo(x + height, y);
  }
  surface.stroke();
  surface.restore();
}

/** Times of which events were lost: dotted frame and hatching over the whole row. */
export function drawLost(pen: Pen, lost: readonly [number, number][], place: Place): void {
  const { surface, scale, theme } = pen;
  for (const [from, to] of lost) {
    const x0 = Math.max(scale.x(from), -2);
    const x1 = Math.min(Math.max(scale.x(to), x0 + 3), scale.width + 2);
    if (x1 < 0 || x0 > scale.width) continue;
    surface.save();
    surface.beginPath();
    surface.rect(x0, place.y, x1 - x0, place.height);
    surface.clip();
    surface.strokeStyle = theme.lost;
    surface.lineWidth = 1;
    surface.beginPath();
    for (let x = x0 - place.height - ((x0 - place.height) % 6); x < x1; x += 6) {
      surface.moveTo(x, place.y);
      surface.lineTo(x + place.height, place.y + place.height);
    }
    surface.stroke();
    surface.restore();
    surface.setLineDash([2, 2]);
    surface.strokeStyle = theme.lost;
    surface.strokeRect(x0 + 0.5, place.y + 0.5, Math.max(1, x1 - x0 - 1), place.height - 2);
    surface.setLineDash([]);
  }
}
