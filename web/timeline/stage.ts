// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What one timeline on the page knows beyond its report: its size, where it is scrolled to, where the pointer is,
// and what follows from them. Owned by the component; elements are handed in.
import { type Signal, computed, effect, signal } from '@preact/signals';
import type { EventDetails } from '../api/types.ts';
import { drawBox, drawFlag, drawMeasure, drawNotes, drawRuler, noteWidth } from '../draw/overlay.ts';
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

/** A pointer that rests this long wants to know more. */
const kRestMs = 150;

/** What is on the page, in its order: for pictures of it. */
const shownStages = new Set<Stage>();
export const openStages = (): Stage[] => [...shownStages];

export class Stage {
  readonly scrollTop = signal(0);
  readonly pointer = signal<{ x: number; y: number } | null>(null);
  readonly box = signal<TimeView | null>(null);
  /** Names take at most half of a narrow window. */
  readonly labels = computed(() => Math.min(labelWidth.value, Math.round(this.size.value.width / 2)));
  readonly width = computed(() => Math.max(50, this.size.value.width - this.labels.value));
  readonly scale = computed(() => new Scale(this.viewer.view.value, this.width.value));
  readonly ticks = computed(() => {
    const { view, ruler, report } = this.viewer;
    const utcStart = report.value?.clock.utc_start_ns ?? '0';
    return marks(view.value, this.width.value, ruler.value, this.rulerOrigin(), utcStart);
  });
  readonly pointerTime = computed(() => (this.pointer.value ? this.scale.value.time(this.pointer.value.x) : null));
  readonly hit = computed<Hit | null>(() => this.findHit());
  /** What the server knows of the event under a resting pointer. */
  readonly brief = signal<EventDetails | null>(null);
  private readonly picture: Picture;

  constructor(
    readonly viewer: Viewer,
    readonly size: Signal<Size>,
  ) {
    this.picture = new Picture(viewer);
  }

  /** While it is on the page. Returns what ends that. */
  show(): () => void {
    shownStages.add(this);
    let timer: ReturnType<typeof setTimeout> | null = null;
    let asked = '';
    const stop = effect(() => {
      const hit = this.hit.value;
      const wanted = hit?.kind === 'event' ? `${hit.track.id}/${hit.event}` : '';
      if (wanted === asked) return;
      asked = wanted;
      this.brief.value = null;
      if (timer) clearTimeout(timer);
      timer = hit?.kind === 'event' ? setTimeout(() => void this.loadBrief(hit.track.id, hit.event), kRestMs) : null;
    });
    return () => {
      stop();
      if (timer) clearTimeout(timer);
      shownStages.delete(this);
    };
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

  /** `ratio`: pixels of the screen in one of the surface, null for a file. */
  paint(surface: Surface, theme: Theme, ratio: number | null = null): void {
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
      ratio,
    });
    if (this.box.value) drawBox(surface, this.scale.value, theme, this.box.value, height);
  }

  paintRuler(surface: Surface, theme: Theme): void {
    const scale = this.scale.value;
    surface.fillStyle = theme.stripe;
    surface.fillRect(0, 0, scale.width, kRulerHeight);
    drawRuler(surface, scale, theme, this.ticks.value, kRulerHeight);
    const range = this.viewer.range.value;
    if (range) drawMeasure(surface, scale, theme, range, kRulerHeight);
    drawNotes(surface, scale, theme, parseNotes(this.viewer.panelState.value.notes), kRulerHeight);
    const time = this.pointerTime.value;
    if (time !== null) drawFlag(surface, scale, theme, time, this.flagText(time), kRulerHeight);
  }

  /** A click on the ruler: on a note it opens the notes. */
  readonly clickRuler = (x: number): void => {
    const { viewer } = this;
    const scale = this.scale.value;
    const notes = parseNotes(viewer.panelState.value.notes);
    const hit = notes.some((note) => x >= scale.x(note.time) - 2 && x <= scale.x(note.time) + noteWidth(note.text));
    if (hit) viewer.panel.value = 'notes';
  };

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

  private async loadBrief(track: number, event: string): Promise<void> {
    try {
      const details = await this.viewer.client.event(this.viewer.id, track, event);
      await this.viewer.names.need(details.parents.map((parent) => parent.name));
      const hit = this.hit.value;
      if (hit?.kind === 'event' && hit.event === event && hit.track.id === track) this.brief.value = details;
    } catch {
      // The line then says what the picture knows; a server that is away is told elsewhere.
    }
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

  flagText(time: number): string {
    const resolution = Math.max(1, this.scale.value.perPixel);
    const start = this.viewer.report.value?.clock.utc_start_ns;
    if (this.viewer.ruler.value === 'utc' && start) return utc(start, time, resolution);
    return instant(time - (this.viewer.ruler.value === 'relative' ? this.rulerOrigin() : 0), resolution);
  }
}
