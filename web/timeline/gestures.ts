// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What pointer and wheel do on the rows. Drag: select time. Shift+drag or the middle button: move. Ctrl+drag:
// zoom to the box. Near an edge of the selected time: move that edge. Wheel: zoom at the pointer, or scroll rows, as the
// person chose; with Ctrl always zoom. Fingers are in touch.ts.
import { wheel } from '../model/settings.ts';
import { type Scale, type TimeView, pan, zoomAt } from '../model/time_view.ts';
import type { Viewer } from '../model/viewer.ts';
import { Touch } from './touch.ts';

/** A notch of a wheel is 100; a factor of 1.25 for it. */
export const wheelFactor = (deltaY: number): number => 1.25 ** Math.min(4, Math.max(-4, -deltaY / 100));

export interface DragState {
  kind: 'select' | 'pan' | 'box';
  startX: number;
  startView: TimeView;
  /** Where the other end is, in time. */
  anchor: number;
  moved: boolean;
}

/** Pixels a pointer may shake within a click, and how near an edge is meant. */
const kStill = 4;

export interface Callbacks {
  scale: () => Scale;
  scrollRows: (delta: number) => void;
  click: (x: number, y: number, event: PointerEvent) => void;
  hover: (x: number | null, y: number) => void;
  box: (range: TimeView | null) => void;
}

const pixels = (event: WheelEvent, delta: number): number =>
  event.deltaMode === 1 ? delta * 33 : event.deltaMode === 2 ? delta * 300 : delta;

export function onWheel(viewer: Viewer, callbacks: Callbacks, event: WheelEvent, alwaysZoom = false): void {
  event.preventDefault();
  const scale = callbacks.scale();
  const [dx, dy] = [pixels(event, event.deltaX), pixels(event, event.deltaY)];
  // Chromium turns Shift+wheel into a horizontal one.
  if (event.shiftKey) return callbacks.scrollRows(dy || dx);
  if (Math.abs(dx) > Math.abs(dy)) return viewer.setView(pan(viewer.view.value, dx / scale.width, viewer.length.value));
  const zooms = alwaysZoom || event.ctrlKey || event.metaKey || wheel.value === 'zoom';
  if (!zooms) return callbacks.scrollRows(dy);
  // A pinch comes as Ctrl+wheel with small steps.
  const factor = event.ctrlKey && Math.abs(dy) < 50 ? 1.01 ** -dy : wheelFactor(dy);
  viewer.setView(zoomAt(viewer.view.value, event.offsetX / scale.width, factor, viewer.length.value));
}

/** The end of the selected time that stays where it is when the one at `x` is taken hold of. */
export function heldEdge(range: TimeView | null, x: number, scale: Scale): number | null {
  if (!range) return null;
  const [left, right] = [Math.abs(scale.x(range.from) - x), Math.abs(scale.x(range.to) - x)];
  if (Math.min(left, right) > kStill) return null;
  return left < right ? range.to : range.from;
}

export class Drag {
  private state: DragState | null = null;
  private readonly touch: Touch;

  constructor(
    private readonly viewer: Viewer,
    private readonly callbacks: Callbacks,
    private readonly plain: DragState['kind'] = 'select',
  ) {
    this.touch = new Touch(viewer, callbacks);
  }

  get active(): boolean {
    return this.state !== null;
  }

  down = (event: PointerEvent): void => {
    if (event.pointerType === 'touch') return this.touch.down(event);
    if (event.button === 2) return;
    const kind = event.button === 1 || event.shiftKey ? 'pan' : event.ctrlKey || event.metaKey ? 'box' : this.plain;
    const scale = this.callbacks.scale();
    const held = kind === 'select' ? heldEdge(this.viewer.range.value, event.offsetX, scale) : null;
    const anchor = held ?? scale.time(event.offsetX);
    this.state = { kind, startX: event.offsetX, startView: this.viewer.view.value, anchor, moved: false };
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  };

  move = (event: PointerEvent): void => {
    if (event.pointerType === 'touch') return this.touch.move(event);
    this.callbacks.hover(event.offsetX, event.offsetY);
    const { state } = this;
    if (!state) return this.showHold(event);
    if (Math.abs(event.offsetX - state.startX) > kStill) state.moved = true;
    if (!state.moved) return;
    if (state.kind === 'pan') {
      const share = (state.startX - event.offsetX) / this.callbacks.scale().width;
      this.viewer.setView(pan(state.startView, share, this.viewer.length.value));
    } else if (state.kind === 'box') this.callbacks.box(this.between(state, event));
    else this.viewer.range.value = this.between(state, event);
  };

  up = (event: PointerEvent): void => {
    if (event.pointerType === 'touch') return this.touch.up(event);
    const { state } = this;
    this.state = null;
    if (!state) return;
    if (!state.moved) return this.callbacks.click(event.offsetX, event.offsetY, event);
    if (state.kind === 'box') {
      this.callbacks.box(null);
      this.viewer.setView(this.between(state, event));
    } else if (state.kind === 'select') this.showNumbers();
  };

  /** The browser took the pointer away: nothing was clicked, nothing is zoomed to. */
  cancel = (event: PointerEvent): void => {
    if (event.pointerType === 'touch') return this.touch.cancel(event);
    this.state = null;
    this.callbacks.box(null);
  };

  /** Panels that follow the selected time stay; others give way to the summary. */
  private showNumbers(): void {
    const { panel } = this.viewer;
    if (panel.value === 'details' || panel.value === 'notes' || panel.value === 'about') panel.value = 'summary';
  }

  private showHold(event: PointerEvent): void {
    if (this.plain !== 'select') return;
    const held = heldEdge(this.viewer.range.value, event.offsetX, this.callbacks.scale());
    (event.currentTarget as HTMLElement).style.cursor = held === null ? '' : 'ew-resize';
  }

  private between(state: DragState, event: PointerEvent): TimeView {
    const clamp = (time: number): number => Math.min(Math.max(time, 0), this.viewer.length.value);
    const ends = [clamp(state.anchor), clamp(this.callbacks.scale().time(event.offsetX))];
    const [a, b] = ends.sort((x, y) => x - y) as [number, number];
    return { from: Math.round(a), to: Math.max(Math.round(b), Math.round(a) + 1) };
  }
}
