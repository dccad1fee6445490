// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Fingers on the rows. One: the timeline moves with it, in both directions. Two: what is under each of them stays
// under it. A tap is a click.
import { clampView } from '../model/time_view.ts';
import type { Viewer } from '../model/viewer.ts';
import type { Callbacks } from './gestures.ts';

interface Finger {
  x: number;
  y: number;
  /** What lay under it when it came. */
  time: number;
  still: boolean;
}

/** Fingers are less steady than a mouse. */
const kStill = 8;
/** Closer together they cannot say what they mean. */
const kLeastSpread = 12;

export class Touch {
  private readonly fingers = new Map<number, Finger>();

  constructor(
    private readonly viewer: Viewer,
    private readonly callbacks: Callbacks,
  ) {}

  down(event: PointerEvent): void {
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, { x: event.offsetX, y: event.offsetY, time: 0, still: true });
    this.grip();
    if (this.fingers.size > 1) for (const finger of this.fingers.values()) finger.still = false;
  }

  move(event: PointerEvent): void {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const [dx, dy] = [event.offsetX - finger.x, event.offsetY - finger.y];
    if (finger.still && Math.abs(dx) + Math.abs(dy) <= kStill) return;
    finger.still = false;
    finger.x = event.offsetX;
    finger.y = event.offsetY;
    if (this.fingers.size === 1) this.callbacks.scrollRows(-dy);
    this.follow();
  }

  up(event: PointerEvent): void {
    const finger = this.fingers.get(event.pointerId);
    this.cancel(event);
    if (finger?.still) this.callbacks.click(finger.x, finger.y, event);
  }

  cancel(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    this.grip();
  }

  /** From now on the time under each finger is held. */
  private grip(): void {
    const scale = this.callbacks.scale();
    for (const finger of this.fingers.values()) finger.time = scale.time(finger.x);
  }

  private follow(): void {
    const scale = this.callbacks.scale();
    const [a, b] = [...this.fingers.values()];
    if (!a) return;
    let perPixel = scale.perPixel;
    if (b && Math.abs(b.x - a.x) >= kLeastSpread) perPixel = Math.abs((b.time - a.time) / (b.x - a.x));
    if (!(perPixel > 0)) return;
    const from = a.time - a.x * perPixel;
    this.viewer.setView(clampView({ from, to: from + perPixel * scale.width }, this.viewer.length.value));
  }
}
