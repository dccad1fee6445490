// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What pointer and wheel do on the rows. Drag: select time. Shift+drag or the middle button: move. Ctrl+drag:
// zoom to the box. Wheel: zoom at the pointer, or scroll rows, as the person chose; with Ctrl always zoom.
import { wheel } from '../model/settings.ts';
import { type Scale, type TimeView, pan, zoomAt } from '../model/time_view.ts';
import type { Viewer } from '../model/viewer.ts';

/** A notch of a wheel is 100; a factor of 1.25 for it. */
export const wheelFactor = (deltaY: number): number => 1.25 ** Math.min(4, Math.max(-4, -deltaY / 100));

export interface DragState {
  kind: 'select' | 'pan' | 'box';
  startX: number;
  startView: TimeView;
  moved: boolean;
}

/** Pixels a pointer may shake within a click. */
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

export class Drag {
  private state: DragState | null = null;

  constructor(
    private readonly viewer: Viewer,
    private readonly callbacks: Callbacks,
    private readonly plain: DragState['kind'] = 'select',
  ) {}

  get active(): boolean {
    return this.state !== null;
  }

  down = (event: PointerEvent): void => {
    if (event.button === 2) return;
    const kind = event.button === 1 || event.shiftKey ? 'pan' : event.ctrlKey || event.metaKey ? 'box' : this.plain;
    this.state = { kind, startX: event.offsetX, startView: this.viewer.view.value, moved: false };
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  };

  move = (event: PointerEvent): void => {
    this.callbacks.hover(event.offsetX, event.offsetY);
    const { state } = this;
    if (!state) return;
    if (Math.abs(event.offsetX - state.startX) > kStill) state.moved = true;
    if (!state.moved) return;
    if (state.kind === 'pan') {
      const share = (state.startX - event.offsetX) / this.callbacks.scale().width;
      this.viewer.setView(pan(state.startView, share, this.viewer.length.value));
    } else if (state.kind === 'box') this.callbacks.box(this.between(state, event));
    else this.viewer.range.value = this.between(state, event);
  };

  up = (event: PointerEvent): void => {
    const { state } = this;
    this.state = null;
    if (!state) return;
    if (!state.moved) return this.callbacks.click(event.offsetX, event.offsetY, event);
    if (state.kind === 'box') {
      this.callbacks.box(null);
      this.viewer.setView(this.between(state, event));
    } else if (state.kind === 'select') this.viewer.panel.value = 'summary';
  };

  private between(state: DragState, event: PointerEvent): TimeView {
    const scale = this.callbacks.scale();
    const clamp = (x: number): number => Math.min(Math.max(scale.time(x), 0), this.viewer.length.value);
    const [a, b] = [clamp(state.startX), clamp(event.offsetX)].sort((x, y) => x - y) as [number, number];
    return { from: Math.round(a), to: Math.max(Math.round(b), Math.round(a) + 1) };
  }
}
