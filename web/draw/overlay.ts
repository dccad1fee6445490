// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What lies over the rows: the selected event, the selected range, arrows between events, the ruler.
import type { Mark } from '../model/ruler.ts';
import type { Scale, TimeView } from '../model/time_view.ts';
import { duration } from '../model/units.ts';
import type { Surface } from './surface.ts';
import { type Theme, kFont } from './theme.ts';

/** Where an event is on the canvas; `y` is the middle of its lane and may lie outside of what is seen. */
export interface Spot {
  start: number;
  end: number;
  y: number;
  height: number;
}

export function drawRange(surface: Surface, scale: Scale, theme: Theme, range: TimeView, height: number): void {
  const x0 = scale.x(range.from);
  const x1 = scale.x(range.to);
  surface.fillStyle = theme.range;
  surface.fillRect(x0, 0, x1 - x0, height);
  surface.fillStyle = theme.rangeEdge;
  surface.fillRect(x0, 0, 1, height);
  surface.fillRect(x1 - 1, 0, 1, height);
}

/** How long the selected time is, between its ends on the ruler. */
export function drawMeasure(surface: Surface, scale: Scale, theme: Theme, range: TimeView, height: number): void {
  const x0 = Math.max(-1, scale.x(range.from));
  const x1 = Math.min(scale.width + 1, scale.x(range.to));
  if (x1 < 0 || x0 > scale.width) return;
  surface.fillStyle = theme.range;
  surface.fillRect(x0, 0, x1 - x0, height);
  surface.fillStyle = theme.rangeEdge;
  surface.fillRect(x0, 0, 1, height);
  surface.fillRect(x1 - 1, 0, 1, height);
  surface.fillRect(x0, height - 2, x1 - x0, 2);
  surface.font = kFont;
  surface.textBaseline = 'middle';
  const text = duration(range.to - range.from);
  const width = surface.measureText(text).width + 10;
  // Beside it where there is no room within.
  const x = width <= x1 - x0 ? (x0 + x1 - width) / 2 : x1 + width <= scale.width ? x1 + 1 : x0 - width - 1;
  surface.fillStyle = theme.rangeEdge;
  surface.fillRect(x, 3, width, height - 8);
  surface.fillStyle = theme.background;
  surface.fillText(text, x + 5, (height - 2) / 2);
}

/** A box that is being drawn to zoom to. */
export function drawBox(surface: Surface, scale: Scale, theme: Theme, box: TimeView, height: number): void {
  surface.strokeStyle = theme.rangeEdge;
  surface.lineWidth = 1;
  surface.setLineDash([4, 3]);
  surface.strokeRect(scale.x(box.from), 1, (box.to - box.from) / scale.perPixel, height - 2);
  surface.setLineDash([]);
}

export function drawSelected(surface: Surface, scale: Scale, theme: Theme, spot: Spot): void {
  const x0 = Math.max(scale.x(spot.start), -4);
  const x1 = Math.min(scale.x(spot.end), scale.width + 4);
  surface.strokeStyle = theme.select;
  surface.lineWidth = 2;
  surface.strokeRect(x0 - 1, spot.y - spot.height / 2 - 1, Math.max(3, x1 - x0) + 1, spot.height + 1);
}

/** From the end of the call to the start of what it launched, with the time between where there is room. */
export function drawLink(surface: Surface, scale: Scale, theme: Theme, from: Spot, to: Spot): void {
  const x0 = scale.x(Math.min(from.end, to.start));
  const x1 = scale.x(to.start);
  const bend = Math.max(12, Math.abs(x1 - x0) / 2);
  surface.strokeStyle = theme.link;
  surface.lineWidth = 1.5;
  surface.beginPath();
  surface.moveTo(x0, from.y);
  surface.bezierCurveTo(x0 + bend, from.y, x1 - bend, to.y, x1, to.y);
  surface.stroke();
  surface.fillStyle = theme.link;
  surface.beginPath();
  surface.moveTo(x1, to.y);
  surface.lineTo(x1 - 7, to.y - 4);
  surface.lineTo(x1 - 7, to.y + 4);
  surface.closePath();
  surface.fill();
  const wait = to.start - from.end;
  if (wait > 0 && x1 - x0 > 60) {
    surface.textBaseline = 'bottom';
    surface.textAlign = 'center';
    surface.fillText(duration(wait), (x0 + x1) / 2, (from.y + to.y) / 2 - 2);
    surface.textAlign = 'left';
  }
}

/** An arrow at the edge: a linked event lies outside of the view on that side. */
export function drawEdgeArrow(surface: Surface, theme: Theme, x: number, y: number, toRight: boolean): void {
  const back = toRight ? x - 10 : x + 10;
  surface.fillStyle = theme.link;
  surface.beginPath();
  surface.moveTo(x, y);
  surface.lineTo(back, y - 6);
  surface.lineTo(back, y + 6);
  surface.closePath();
  surface.fill();
}

export function drawGrid(surface: Surface, scale: Scale, theme: Theme, marks: readonly Mark[], height: number): void {
  surface.fillStyle = theme.grid;
  for (const mark of marks) surface.fillRect(Math.round(scale.x(mark.time)), 0, 1, height);
}

export function drawRuler(surface: Surface, scale: Scale, theme: Theme, marks: readonly Mark[], height: number): void {
  surface.font = kFont;
  surface.textBaseline = 'middle';
  for (const mark of marks) {
    const x = Math.round(scale.x(mark.time));
    surface.fillStyle = theme.grid;
    surface.fillRect(x, height - 7, 1, 7);
    surface.fillStyle = theme.faint;
    surface.fillText(mark.label, x + 4, height / 2);
  }
}

const kNoteLetters = 24;
const noteLabel = (text: string): string => (text.length > kNoteLetters ? `${text.slice(0, kNoteLetters - 1)}…` : text);
/** About as wide as its flag: enough to see whether it was clicked. */
export const noteWidth = (text: string): number => noteLabel(text).length * 6.5 + 10;

/** A flag for each note, with as much of its text as there is room before the next. */
export function drawNotes(
  surface: Surface,
  scale: Scale,
  theme: Theme,
  notes: readonly { time: number; text: string }[],
  height: number,
): void {
  surface.font = kFont;
  surface.textBaseline = 'middle';
  for (const note of notes) {
    const x = Math.round(scale.x(note.time));
    if (x < -10 || x > scale.width + 10) continue;
    surface.fillStyle = theme.link;
    surface.fillRect(x, 0, 2, height);
    const text = noteLabel(note.text);
    surface.fillRect(x, 3, surface.measureText(text).width + 10, height - 9);
    surface.fillStyle = theme.background;
    surface.fillText(text, x + 5, (height - 3) / 2);
  }
}

/** The time of the selected event through all rows, so that one sees what else happened then. */
export function drawBand(surface: Surface, scale: Scale, theme: Theme, from: number, to: number, height: number): void {
  const x0 = Math.max(-2, scale.x(from));
  const x1 = Math.min(scale.width + 2, scale.x(to));
  if (x1 < 0 || x0 > scale.width) return;
  surface.fillStyle = theme.band;
  surface.fillRect(x0, 0, Math.max(1, x1 - x0), height);
}

/** Where the pointer is, on the ruler. */
export function drawFlag(
  surface: Surface,
  scale: Scale,
  theme: Theme,
  time: number,
  label: string,
  height: number,
): void {
  surface.font = kFont;
  const width = surface.measureText(label).width + 10;
  const x = Math.min(Math.max(scale.x(time) - width / 2, 0), scale.width - width);
  surface.fillStyle = theme.text;
  surface.fillRect(x, 2, width, height - 4);
  surface.fillStyle = theme.background;
  surface.textBaseline = 'middle';
  surface.fillText(label, x + 5, height / 2);
}
