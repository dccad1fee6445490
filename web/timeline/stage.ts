// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What one timeline on the page knows beyond its report: its size, where it is scrolled to, where the pointer is,
// and what follows from them. Owned by the component; elements are handed in.
import { type Signal, computed, signal } from '@preact/signals';
import { drawBox, drawFlag, drawNotes, drawRuler } from '../draw/overlay.ts';
import type { Surface } from '../draw/surface.ts';
import type { Theme } from '../draw/theme.ts';
import { type PlacedRow, rowsBetween } from '../model/layout.ts';
import { parseNotes } from '../model/notes.ts';
import { marks } from '../model/ruler.ts';
import { labelWidth } from '../model/settings.ts';
import { Scale, type TimeView, viewOf } from '../model/time_view.ts';
import { instant, utc } from '../model/units.ts';
import type { Viewer } from '../model/viewer.ts';
import type { Callbacks } from './gestures.ts';
import { type Hit, hitTest } from './hit.ts';
import { Picture, pinnedHeight } from './picture.ts';
import type { Size } from './surface_element.ts';

export const kRulerHeight = 24;

export class Stage {
  readonly scrollTop = signal(0);
  readonly pointer = signal<{ x: number; y: number } | null>(null);
  readonly box = signal<TimeView | null>(null);
  readonly width = computed(() => Math.max(50, this.size.value.width - labelWidth.value));
  readonly scale = computed(() => new Scale(this.viewer.view.value, this.width.value));
  readonly ticks = computed(() => {
    const { view, ruler, report } = this.viewer;
    const utcStart = report.value?.clock.utc_start_ns ?? '0';
    return marks(view.value, this.width.value, ruler.value, this.rulerOrigin(), utcStart);
  });
  readonly pointerTime = computed(() => (this.pointer.value ? this.scale.value.time(this.pointer.value.x) : null));
  readonly hit = computed<Hit | null>(() => this.findHit());
  private readonly picture: Picture;

  constructor(
    readonly viewer: Viewer,
    readonly size: Signal<Size>,
  ) {
    this.picture = new Picture(viewer);
  }

  callbacks(scrollRows: (delta: number) => void): Callbacks {
    return {
      scale: () => this.scale.value,
      scrollRows,
      hover: (x, y) => {
        this.pointer.value = x === null ? null : { x, y };
      },
      box: (range) => {
        this.box.value = range;
      },
      click: (x, y) => {
        this.pointer.value = { x, y };
        this.click();
      },
    };
  }

  readonly doubleClick = (): void => {
    const { viewer } = this;
    const found = this.hit.value;
    const range = viewer.range.value;
    const length = viewer.length.value;
    if (found?.kind === 'event') viewer.setView(viewOf(found.start, Math.min(found.end, length), length, 0.5));
    else if (range) viewer.setView(viewOf(range.from, range.to, length, 0.05));
  };

  paint(surface: Surface, theme: Theme): void {
    const height = this.size.value.height;
    const pointerX = this.pointer.value?.x ?? null;
    const scrollTop = this.scrollTop.value;
    this.picture.paint(surface, {
      scale: this.scale.value,
      height,
      scrollTop,
      theme,
      marks: this.ticks.value,
      pointerX,
    });
    if (this.box.value) drawBox(surface, this.scale.value, theme, this.box.value, height);
  }

  paintRuler(surface: Surface, theme: Theme): void {
    const scale = this.scale.value;
    surface.fillStyle = theme.stripe;
    surface.fillRect(0, 0, scale.width, kRulerHeight);
    drawRuler(surface, scale, theme, this.ticks.value, kRulerHeight);
    drawNotes(surface, scale, theme, parseNotes(this.viewer.panelState.value.notes), kRulerHeight);
    const time = this.pointerTime.value;
    if (time !== null) drawFlag(surface, scale, theme, time, this.flagText(time), kRulerHeight);
  }

  /** Scrolls so that the row that somebody wants to show is in sight. */
  showRow(wish: { track: number } | null, scroller: HTMLElement | null): void {
    if (!wish || !scroller) return;
    const isIt = (placed: PlacedRow): boolean =>
      placed.row.kind === 'track' &&
      !placed.row.pinned &&
      (placed.row.node.track.id === wish.track || placed.shown.some((node) => node.track.id === wish.track));
    const placed = this.viewer.layout.peek().rows.find(isIt);
    if (!placed) return;
    const top = placed.top - pinnedHeight(this.viewer);
    const bottom = placed.top + placed.height;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (bottom > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = bottom - scroller.clientHeight;
  }

  private click(): void {
    const { viewer } = this;
    const found = this.hit.value;
    if (!found) return viewer.unselect();
    viewer.currentRow.value = found.track.id;
    if (found.kind === 'event') void viewer.select(found.track.id, found.event);
    else if (found.kind === 'dense') viewer.setView(viewOf(found.from, found.to, viewer.length.value, 4));
    else viewer.unselect();
  }

  private findHit(): Hit | null {
    const { viewer } = this;
    // What is under a resting pointer changes when data arrives.
    void viewer.arrivals.value;
    const at = this.pointer.value;
    if (!at) return null;
    const inPinned = at.y < pinnedHeight(viewer);
    const y = inPinned ? at.y : at.y + this.scrollTop.value;
    const row = rowsBetween(viewer.layout.value, y, y + 1)[0];
    return row ? hitTest(viewer, row, y - row.top - 1, at.x, this.scale.value) : null;
  }

  private rulerOrigin(): number {
    const { viewer } = this;
    const details = viewer.details.value;
    return viewer.range.value?.from ?? (details ? viewer.placeOf(details)?.[0] : undefined) ?? 0;
  }

  private flagText(time: number): string {
    const resolution = Math.max(1, this.scale.value.perPixel);
    const start = this.viewer.report.value?.clock.utc_start_ns;
    if (this.viewer.ruler.value === 'utc' && start) return utc(start, time, resolution);
    return instant(time - (this.viewer.ruler.value === 'relative' ? this.rulerOrigin() : 0), resolution);
  }
}
