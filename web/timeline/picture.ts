// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Draws the rows that are in sight, and what lies over them. One call is one picture.
import type { EventLink, Track } from '../api/types.ts';
import { curveTop, drawCurve } from '../draw/curve.ts';
import { Labels } from '../draw/label.ts';
import { type Spot, drawBand, drawEdgeArrow, drawGrid, drawLink, drawRange, drawSelected } from '../draw/overlay.ts';
import { Strips } from '../draw/strip.ts';
import { type Surface, browserBitmap } from '../draw/surface.ts';
import { type Theme, kFont } from '../draw/theme.ts';
import { ThinBoxes, browserSheet } from '../draw/thin_boxes.ts';
import { type Pen, type Place, drawLost, drawPieces } from '../draw/track.ts';
import { type PlacedRow, rowsBetween } from '../model/layout.ts';
import type { Mark } from '../model/ruler.ts';
import { guessTiles, planTiles, topLevel } from '../model/tile_plan.ts';
import type { Scale } from '../model/time_view.ts';
import { withUnit } from '../model/units.ts';
import type { Viewer } from '../model/viewer.ts';

export interface Frame {
  scale: Scale;
  height: number;
  scrollTop: number;
  theme: Theme;
  marks: readonly Mark[];
  pointerX: number | null;
  /** Pixels of the screen in one of the surface; null: the picture goes to a file, where boxes stay boxes. */
  ratio: number | null;
}

/** Rows that keep their place at the top, and how high they are together. */
export function pinnedHeight(viewer: Viewer): number {
  let height = 0;
  for (const row of viewer.layout.value.rows) {
    if (row.row.kind !== 'track' || !row.row.pinned) break;
    height += row.height;
  }
  return height;
}

export class Picture {
  private readonly strips = new Strips(browserBitmap);
  private readonly labels = new Labels();
  private readonly thin = new ThinBoxes(browserSheet);

  /** Where one may look closer next; null: nobody will, or it costs nothing to wait. */
  private around: number | null = null;

  constructor(private readonly viewer: Viewer) {}

  paint(surface: Surface, frame: Frame): void {
    const { viewer } = this;
    const { theme, scale } = frame;
    viewer.tiles.beginFrame();
    this.around =
      frame.ratio === null || viewer.client.selfContained ? null : scale.time(frame.pointerX ?? scale.width / 2);
    surface.font = kFont;
    surface.globalAlpha = 1;
    surface.fillStyle = theme.background;
    surface.fillRect(0, 0, scale.width, frame.height);
    drawGrid(surface, scale, theme, frame.marks, frame.height);
    const pen = this.pen(surface, frame);
    const pinned = Math.min(pinnedHeight(viewer), frame.height);
    this.within(surface, scale, pinned, frame.height, () => {
      for (const row of rowsBetween(viewer.layout.value, frame.scrollTop + pinned, frame.scrollTop + frame.height)) {
        if (!isPinned(row)) this.row(pen, row, row.top - frame.scrollTop);
      }
      this.overlay(pen, frame);
    });
    this.within(surface, scale, 0, pinned, () => {
      for (const row of rowsBetween(viewer.layout.value, 0, pinned)) if (isPinned(row)) this.row(pen, row, row.top);
    });
    if (pinned) {
      surface.fillStyle = theme.cursor;
      surface.fillRect(0, pinned - 1, scale.width, 1);
    }
    const range = viewer.range.value;
    if (range) drawRange(surface, scale, theme, range, frame.height);
    if (frame.pointerX !== null) {
      surface.fillStyle = theme.cursor;
      surface.fillRect(Math.round(frame.pointerX), 0, 1, frame.height);
    }
    viewer.tiles.endFrame();
  }

  private pen(surface: Surface, { scale, theme, ratio }: Frame): Omit<Pen, 'end'> {
    const { viewer } = this;
    if (ratio !== null) this.thin.begin(scale.width, ratio);
    return {
      surface,
      scale,
      theme,
      names: viewer.names,
      labels: this.labels,
      strips: this.strips,
      thin: ratio === null ? null : this.thin,
      emphasis: viewer.emphasis.value,
    };
  }

  private within(surface: Surface, scale: Scale, top: number, bottom: number, body: () => void): void {
    surface.save();
    surface.beginPath();
    surface.rect(0, top, scale.width, bottom - top);
    surface.clip();
    body();
    surface.restore();
  }

  private row(pen: Omit<Pen, 'end'>, placed: PlacedRow, y: number): void {
    const { surface, scale, theme } = pen;
    surface.fillStyle = theme.grid;
    surface.fillRect(0, y + placed.height - 1, scale.width, 1);
    if (placed.row.kind !== 'track') return;
    const summary = placed.row.collapsed && placed.row.branch;
    placed.shown.forEach((node, i) => {
      const place: Place = {
        y: y + 1 + (summary ? i * placed.lane : 0),
        height: summary ? placed.lane : placed.height - 2,
        lane: placed.lane,
        flat: summary,
      };
      const { tiles } = this.viewer;
      const pieces = planTiles(tiles, node.track.id, scale.view, scale.width, this.viewer.length.value);
      if (this.around !== null)
        guessTiles(tiles, node.track.id, scale.view, scale.width, this.viewer.length.value, this.around);
      const trackPen: Pen = { ...pen, end: openEnd(this.viewer, node.track) };
      if (node.track.kind === 'state') trackPen.heightOf = (name) => stateHeight(pen.names.text(name) ?? '');
      drawPieces(trackPen, pieces, place);
      if (pieces.some((piece) => piece.tile?.kind === 'curve')) {
        const top = curveTop(pieces, node.track.unit);
        drawCurve(trackPen, pieces, place, top);
        surface.fillStyle = theme.faint;
        surface.textBaseline = 'top';
        surface.fillText(withUnit(top, node.track.unit), 3, place.y + 1);
      }
    });
    drawLost({ ...pen, end: 0 }, placed.row.node.track.lost, {
      y: y + 1,
      height: placed.height - 2,
      lane: placed.lane,
      flat: false,
    });
  }

  private overlay(pen: Omit<Pen, 'end'>, frame: Frame): void {
    const { viewer } = this;
    const selected = viewer.selected.value;
    const details = viewer.details.value;
    const place = selected && details ? viewer.placeOf(details) : null;
    if (!selected || !details || !place) return;
    drawBand(pen.surface, frame.scale, frame.theme, place[0], place[1], frame.height);
    const spot = this.spot(selected.track, selected.event, place[0], place[1], frame);
    if (!spot) return;
    drawSelected(pen.surface, frame.scale, frame.theme, spot);
    for (const link of details.links) this.link(pen, frame, spot, link);
  }

  private link(pen: Omit<Pen, 'end'>, frame: Frame, selected: Spot, link: EventLink): void {
    const end = link.start + Math.max(0, link.duration);
    const other = this.spot(link.track, String(link.event), link.start, end, frame);
    const y = other?.y ?? selected.y;
    const { surface } = pen;
    if (end < frame.scale.view.from) drawEdgeArrow(surface, frame.theme, 2, y, false);
    else if (link.start > frame.scale.view.to) drawEdgeArrow(surface, frame.theme, frame.scale.width - 2, y, true);
    if (!other) return;
    drawSelected(surface, frame.scale, { ...frame.theme, select: frame.theme.link }, other);
    if (link.start < selected.start || link.kind === 'launched_by')
      drawLink(surface, frame.scale, frame.theme, other, selected);
    else drawLink(surface, frame.scale, frame.theme, selected, other);
  }

  /** Where an event lies; in a collapsed branch, on the line of the summary that stands for its row. */
  private spot(track: number, event: string, start: number, end: number, frame: Frame): Spot | null {
    for (const placed of this.viewer.layout.value.rows) {
      if (placed.row.kind !== 'track') continue;
      const at = placed.shown.findIndex((node) => node.track.id === track);
      if (at < 0) continue;
      const summary = placed.row.collapsed && placed.row.branch;
      const lane = summary ? at : laneOf(this.viewer, track, event, start);
      const top = placed.top - (isPinned(placed) ? 0 : frame.scrollTop) + 1;
      return { start, end, y: top + lane * placed.lane + placed.lane / 2 - 1, height: Math.max(2, placed.lane - 2) };
    }
    return null;
  }
}

/** What a thread does is as high as it uses a CPU: running, able to, waiting for something. */
export function stateHeight(state: string): number {
  if (/^running/i.test(state)) return 1;
  return /^(runnable|waiting for a cpu|preempted|ready)/i.test(state) ? 0.65 : 0.35;
}

/** Where events end that were never closed: with the last of their row. */
export const openEnd = (viewer: Viewer, track: Track): number => track.last_ns || viewer.length.value;

const isPinned = (placed: PlacedRow): boolean => placed.row.kind === 'track' && placed.row.pinned;

/** The nesting level of an event, from whatever tile knows it. */
export function laneOf(viewer: Viewer, track: number, event: string, start: number): number {
  const known = viewer.details.value;
  if (known && viewer.selected.value?.event === event && viewer.selected.value.track === track) return known.row;
  const wanted = BigInt(/^\d+$/.test(event) ? event : 0);
  const top = topLevel(viewer.length.value);
  for (let level = 0; level <= top; level++) {
    const tile = viewer.tiles.ready(track, level, Math.floor(start / 2 ** (level + 10)));
    if (tile?.kind !== 'events') continue;
    const at = tile.event.indexOf(wanted);
    if (at >= 0) return tile.row[at] as number;
  }
  return 0;
}
