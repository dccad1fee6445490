// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { Scale, type TimeView } from '../model/time_view.ts';
import type { Viewer } from '../model/viewer.ts';
import type { Callbacks } from './gestures.ts';
import { Touch } from './touch.ts';

const kLength = 1e9;

function hand() {
  let view: TimeView = { from: 2e8, to: 6e8 };
  const seen = { clicks: [] as number[][], scrolled: 0 };
  const viewer = {
    length: { value: kLength },
    setView: (wish: TimeView) => {
      view = wish;
    },
  } as unknown as Viewer;
  const callbacks = {
    scale: () => new Scale(view, 1000),
    scrollRows: (delta: number) => {
      seen.scrolled += delta;
    },
    click: (x: number, y: number) => seen.clicks.push([x, y]),
  } as unknown as Callbacks;
  const touch = new Touch(viewer, callbacks);
  const event = (pointerId: number, offsetX: number, offsetY = 50): PointerEvent =>
    ({ pointerId, offsetX, offsetY, currentTarget: { setPointerCapture: () => {} } }) as unknown as PointerEvent;
  return { touch, event, seen, at: (x: number): number => new Scale(view, 1000).time(x) };
}

describe('fingers', () => {
  it('keep what is under both of them, when they spread and when they move together', () => {
    const { touch, event, at, seen } = hand();
    touch.down(event(1, 400));
    touch.down(event(2, 600));
    const [left, right] = [at(400), at(600)];
    touch.move(event(1, 250));
    touch.move(event(2, 650));
    expect(at(250)).toBeCloseTo(left, 0);
    expect(at(650)).toBeCloseTo(right, 0);
    touch.move(event(1, 350));
    touch.move(event(2, 750));
    expect(at(350)).toBeCloseTo(left, 0);
    expect(at(750)).toBeCloseTo(right, 0);
    touch.up(event(1, 350));
    touch.up(event(2, 750));
    expect(seen.clicks).toEqual([]);
  });
  it('go on with one when the other is lifted, without a jump', () => {
    const { touch, event, at } = hand();
    touch.down(event(1, 400));
    touch.down(event(2, 600));
    touch.move(event(2, 800));
    const before = at(400);
    touch.up(event(2, 800));
    expect(at(400)).toBe(before);
    touch.move(event(1, 500));
    expect(at(500)).toBeCloseTo(before, 0);
  });
  it('that are too close to each other change no scale', () => {
    const { touch, event, at } = hand();
    touch.down(event(1, 400));
    touch.down(event(2, 402));
    const span = at(1000) - at(0);
    touch.move(event(2, 409));
    expect(at(1000) - at(0)).toBeCloseTo(span, 3);
  });
  it('alone move the time and the rows', () => {
    const { touch, event, at, seen } = hand();
    touch.down(event(1, 400, 50));
    const held = at(400);
    touch.move(event(1, 300, 20));
    expect(at(300)).toBeCloseTo(held, 0);
    expect(seen.scrolled).toBe(30);
    touch.up(event(1, 300, 20));
    expect(seen.clicks).toEqual([]);
  });
  it('that rest are a click, also when they shake', () => {
    const { touch, event, seen } = hand();
    touch.down(event(1, 400, 50));
    touch.move(event(1, 403, 52));
    touch.up(event(1, 403, 52));
    expect(seen.clicks).toEqual([[400, 50]]);
    touch.down(event(1, 10));
    touch.cancel(event(1, 10));
    touch.up(event(1, 10));
    expect(seen.clicks).toHaveLength(1);
  });
});
