// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The visible piece of time and how it moves. Pure functions: a view goes in, a view comes out.

export interface TimeView {
  from: number;
  to: number;
}

/** The narrowest view: so that one nanosecond is wide enough to look at. */
export const kMinSpan = 20;
/** How much empty time may be seen beyond the ends of the report, as a share of the view. */
const kMargin = 0.02;

export const spanOf = (view: TimeView): number => view.to - view.from;

export function wholeView(length: number): TimeView {
  const span = Math.max(length, kMinSpan);
  return { from: 0, to: span };
}

/** Moves and narrows a wish until it lies in the report. The span is kept where it can be. */
export function clampView(wish: TimeView, length: number): TimeView {
  const whole = Math.max(length, kMinSpan);
  const span = Math.min(Math.max(wish.to - wish.from, kMinSpan), whole * (1 + 2 * kMargin));
  const margin = span * kMargin;
  const from = Math.min(Math.max(wish.from, -margin), whole + margin - span);
  return { from, to: from + span };
}

/** Zooms so that the time at `share` (0 left edge, 1 right edge) stays where it is. Factor > 1: closer. */
export function zoomAt(view: TimeView, share: number, factor: number, length: number): TimeView {
  const anchor = view.from + share * spanOf(view);
  const limit = Math.max(length, kMinSpan) * (1 + 2 * kMargin);
  const span = Math.min(Math.max(spanOf(view) / factor, kMinSpan), limit);
  return clampView({ from: anchor - share * span, to: anchor + (1 - share) * span }, length);
}

export function pan(view: TimeView, share: number, length: number): TimeView {
  const delta = share * spanOf(view);
  return clampView({ from: view.from + delta, to: view.to + delta }, length);
}

/** A view of [from, to] with some air around it, so that the ends can be seen. */
export function viewOf(from: number, to: number, length: number, air = 0.1): TimeView {
  const span = Math.max(to - from, kMinSpan / 2);
  const middle = (from + to) / 2;
  const half = (span * (1 + 2 * air)) / 2;
  return clampView({ from: middle - half, to: middle + half }, length);
}

/** Brings [from, to] into view without changing the scale, unless it is already there. */
export function reveal(view: TimeView, from: number, to: number, length: number): TimeView {
  if (to >= view.from && from <= view.to && (from >= view.from || to <= view.to)) return view;
  const middle = Math.min((from + to) / 2, from + spanOf(view) / 2);
  return clampView({ from: middle - spanOf(view) / 2, to: middle + spanOf(view) / 2 }, length);
}

/** Between nanoseconds and pixels of a canvas `width` wide. */
export class Scale {
  readonly perPixel: number;
  constructor(
    readonly view: TimeView,
    readonly width: number,
  ) {
    this.perPixel = spanOf(view) / Math.max(width, 1);
  }
  x = (time: number): number => (time - this.view.from) / this.perPixel;
  time = (x: number): number => this.view.from + x * this.perPixel;
}
