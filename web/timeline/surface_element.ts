// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Canvases as elements: their size in real pixels, and drawing at most once a frame.
import { type Signal, effect, signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';

export interface Size {
  width: number;
  height: number;
}

/** The size of an element, kept up to date. Scroll bars do not count. */
export function useSize(element: RefObject<HTMLElement>): Signal<Size> {
  const size = useMemo(() => signal<Size>({ width: 1000, height: 400 }), []);
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    const read = (): void => {
      size.value = { width: target.clientWidth, height: target.clientHeight };
    };
    const observer = new ResizeObserver(read);
    observer.observe(target);
    read();
    return () => observer.disconnect();
  }, []);
  return size;
}

export const pixelRatio = (): number => window.devicePixelRatio || 1;

/** A context whose units are CSS pixels, whatever the screen's resolution. */
export function sized(
  canvas: HTMLCanvasElement | null,
  width: number,
  height: number,
): CanvasRenderingContext2D | null {
  const context = canvas?.getContext('2d', { alpha: false });
  if (!canvas || !context) return null;
  const ratio = pixelRatio();
  const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** Milliseconds that drawing took in each of the last frames: for whoever measures, `sextantFrames` in the console. */
const kKept = 600;
const durations: number[] = [];
let lastFrame: CSSNumberish | null = null;

/** Rows, ruler and the strip above are drawn one after the other: together they are what a frame costs. */
function noteDuration(ms: number): void {
  const frame = document.timeline.currentTime;
  if (frame === lastFrame && durations.length)
    durations[durations.length - 1] = (durations[durations.length - 1] ?? 0) + ms;
  else durations.push(ms);
  lastFrame = frame;
  if (durations.length > kKept) durations.splice(0, durations.length - kKept);
}

(globalThis as { sextantFrames?: number[] }).sextantFrames = durations;

/** Draws once now and again in the next frame after any signal that the drawing read has changed. */
export function useFrame(draw: () => void): void {
  const latest = useRef(draw);
  latest.current = draw;
  useEffect(() => {
    let requested = 0;
    let stop = (): void => {};
    const timed = (): void => {
      const began = performance.now();
      latest.current();
      noteDuration(performance.now() - began);
    };
    // An effect that has drawn waits for one change only: the next frame makes a new one.
    const watch = (): void => {
      let drawn = false;
      stop = effect(() => {
        if (drawn) {
          requested ||= requestAnimationFrame(() => {
            requested = 0;
            stop();
            watch();
          });
          return;
        }
        drawn = true;
        timed();
      });
    };
    watch();
    return () => {
      cancelAnimationFrame(requested);
      stop();
    };
  }, []);
}
