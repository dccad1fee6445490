// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The whole run in one strip, with the visible part marked. Click or drag moves the view there.
import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { kDark, kLight } from '../draw/theme.ts';
import { isDark } from '../model/settings.ts';
import { texts } from '../model/text.ts';
import { Scale, clampView, spanOf, wholeView, zoomAt } from '../model/time_view.ts';
import type { Viewer } from '../model/viewer.ts';
import { wheelFactor } from './gestures.ts';
import { sized, useFrame } from './surface_element.ts';
import { WholeRun } from './whole_run.ts';

const kHeight = 34;

export function Minimap({ viewer, width }: { viewer: Viewer; width: ReadonlySignal<number> }) {
  const t = texts();
  const canvas = useRef<HTMLCanvasElement>(null);
  const wholeRun = useMemo(() => new WholeRun(viewer), [viewer]);
  const scale = (): Scale => new Scale(wholeView(viewer.length.value), width.value);

  useFrame(() => {
    const range = viewer.range.value;
    const theme = isDark() ? kDark : kLight;
    const surface = sized(canvas.current, width.value, kHeight);
    if (!surface || !viewer.report.value) return;
    const whole = scale();
    wholeRun.paint(surface, whole, kHeight, theme);
    const { from, to } = viewer.view.value;
    const [x0, x1] = [Math.max(0, whole.x(from)), Math.min(width.value, whole.x(to))];
    surface.fillStyle = theme.dark ? 'rgba(0, 0, 0, 0.55)' : 'rgba(255, 255, 255, 0.65)';
    surface.fillRect(0, 0, x0, kHeight);
    surface.fillRect(x1, 0, width.value - x1, kHeight);
    if (range) {
      surface.fillStyle = theme.rangeEdge;
      surface.fillRect(whole.x(range.from), kHeight - 3, Math.max(2, whole.x(range.to) - whole.x(range.from)), 3);
    }
    surface.strokeStyle = theme.rangeEdge;
    surface.lineWidth = 1;
    surface.strokeRect(Math.min(x0, width.value - 3) + 0.5, 0.5, Math.max(2, x1 - x0 - 1), kHeight - 1);
  });

  const centre = (event: PointerEvent): void => {
    const span = spanOf(viewer.view.value);
    const time = scale().time(event.offsetX);
    viewer.view.value = clampView({ from: time - span / 2, to: time + span / 2 }, viewer.length.value);
  };
  useEffect(() => {
    const element = canvas.current;
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      viewer.setView(zoomAt(viewer.view.value, 0.5, wheelFactor(event.deltaY), viewer.length.value));
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [viewer]);
  return (
    <canvas
      ref={canvas}
      class="minimap"
      role="img"
      aria-label={t.minimap}
      title={t.minimap}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        centre(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons & 1) centre(event);
      }}
    />
  );
}
