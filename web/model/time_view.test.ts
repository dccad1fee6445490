// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { Scale, clampView, kMinSpan, pan, reveal, spanOf, viewOf, wholeView, zoomAt } from './time_view.ts';

const kLength = 1e9;

describe('time view', () => {
  it('keeps the time under the pointer in place', () => {
    let view = { from: 1e8, to: 9e8 };
    const under = (share: number): number => view.from + share * spanOf(view);
    const before = under(0.3);
    for (let i = 0; i < 40; i++) {
      view = zoomAt(view, 0.3, 1.25, kLength);
      expect(Math.abs(under(0.3) - before)).toBeLessThan(1e-3);
    }
  });

  it('goes from the whole run to single nanoseconds and back to the whole', () => {
    let view = wholeView(kLength);
    for (let i = 0; i < 200; i++) view = zoomAt(view, 0.5, 1.5, kLength);
    expect(spanOf(view)).toBeCloseTo(kMinSpan, 3);
    for (let i = 0; i < 200; i++) view = zoomAt(view, 0.5, 1 / 1.5, kLength);
    expect(view.from).toBeLessThanOrEqual(0);
    expect(view.to).toBeGreaterThanOrEqual(kLength);
  });

  it('does not leave the report, and keeps its span when it is pushed back', () => {
    const view = pan({ from: 8e8, to: 9e8 }, 50, kLength);
    expect(spanOf(view)).toBeCloseTo(1e8, 0);
    expect(view.to).toBeLessThanOrEqual(kLength * 1.01);
    expect(clampView({ from: -1e12, to: 1e12 }, kLength).from).toBeLessThanOrEqual(0);
  });

  it('has a view even of a report without length', () => {
    expect(spanOf(wholeView(0))).toBe(kMinSpan);
    expect(spanOf(zoomAt(wholeView(0), 0.5, 100, 0))).toBe(kMinSpan);
  });

  it('shows an event whole, and moves only when it must', () => {
    const view = viewOf(5e8, 5e8 + 100, kLength, 1);
    expect(view.from).toBeLessThan(5e8);
    expect(view.to).toBeGreaterThan(5e8 + 100);
    expect(reveal(view, 5e8, 5e8 + 100, kLength)).toBe(view);
    const moved = reveal(view, 7e8, 7e8 + 10, kLength);
    expect(spanOf(moved)).toBeCloseTo(spanOf(view), 3);
    expect(moved.from).toBeLessThan(7e8);
    expect(moved.to).toBeGreaterThan(7e8);
  });

  it('converts between time and pixels both ways', () => {
    const scale = new Scale({ from: 100, to: 300 }, 50);
    expect(scale.x(200)).toBe(25);
    expect(scale.time(25)).toBe(200);
  });
});
