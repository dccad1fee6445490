// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The timeline: names at the left, one canvas for the rows in sight, a ruler and the whole run above.
import { useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { kDark, kLight } from '../draw/theme.ts';
import { isDark, labelWidth } from '../model/settings.ts';
import { texts } from '../model/text.ts';
import type { Viewer } from '../model/viewer.ts';
import { type Callbacks, Drag, onWheel } from './gestures.ts';
import { InfoBar } from './info_bar.tsx';
import { RowNames } from './labels.tsx';
import { Minimap } from './minimap.tsx';
import { pinnedHeight } from './picture.ts';
import { Stage, kRulerHeight } from './stage.ts';
import { pixelRatio, sized, useFrame, useSize } from './surface_element.ts';

/** Not through the framework: these must be able to keep the page from scrolling or zooming. */
function useWheel(canvas: RefObject<HTMLCanvasElement>, viewer: Viewer, callbacks: Callbacks, zooms: boolean): void {
  useEffect(() => {
    const element = canvas.current;
    const listen = (event: WheelEvent): void => onWheel(viewer, callbacks, event, zooms);
    element?.addEventListener('wheel', listen, { passive: false });
    return () => element?.removeEventListener('wheel', listen);
  }, [viewer]);
}

export function Timeline({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const scroller = useRef<HTMLDivElement>(null);
  const size = useSize(scroller);
  const stage = useMemo(() => new Stage(viewer, size), [viewer]);
  const callbacks = useMemo(() => stage.callbacks((delta) => scroller.current?.scrollBy(0, delta)), [viewer]);
  useEffect(() => stage.show(), [stage]);
  useSignalEffect(() => stage.showRow(viewer.rowToShow.value, scroller.current));
  const pinned = pinnedHeight(viewer);
  const height = size.value.height;
  return (
    <section
      class="timeline"
      aria-label={`${t.timeline}: ${viewer.report.value?.name ?? viewer.id}`}
      style={{ '--label': `${stage.labels.value}px` } as never}
    >
      <div class="tl-head">
        <div class="tl-corner">
          <RowFilter viewer={viewer} />
          <Splitter />
        </div>
        <div class="tl-top">
          <Minimap viewer={viewer} width={stage.width} />
          <Ruler stage={stage} callbacks={callbacks} />
        </div>
      </div>
      <div
        class="tl-scroll"
        ref={scroller}
        onScroll={(event) => {
          stage.scrollTop.value = event.currentTarget.scrollTop;
        }}
      >
        <div class="tl-body" style={{ height: `${Math.max(viewer.layout.value.height, height)}px` }}>
          <div class="tl-sticky" style={{ height: `${height}px` }}>
            <RowCanvas stage={stage} callbacks={callbacks} />
            <RowNames viewer={viewer} top={0} bottom={pinned} pinned />
          </div>
          <RowNames viewer={viewer} top={stage.scrollTop.value + pinned} bottom={stage.scrollTop.value + height} />
        </div>
      </div>
      <InfoBar stage={stage} />
    </section>
  );
}

function RowFilter({ viewer }: { viewer: Viewer }) {
  const t = texts();
  return (
    <input
      class="row-filter"
      type="search"
      value={viewer.filter.value}
      placeholder={`${t.filterRows} ( F )`}
      aria-label={t.filterRows}
      onInput={(event) => {
        viewer.filter.value = event.currentTarget.value;
      }}
    />
  );
}

interface CanvasProps {
  stage: Stage;
  callbacks: Callbacks;
}

function Ruler({ stage, callbacks }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drag = useMemo(() => new Drag(stage.viewer, { ...callbacks, click: stage.clickRuler }, 'box'), [stage]);
  useWheel(canvas, stage.viewer, callbacks, true);
  useFrame(() => {
    const surface = sized(canvas.current, stage.width.value, kRulerHeight);
    if (surface) stage.paintRuler(surface, isDark() ? kDark : kLight);
  });
  return (
    <canvas
      ref={canvas}
      class="ruler"
      aria-hidden="true"
      onPointerDown={drag.down}
      onPointerMove={drag.move}
      onPointerUp={drag.up}
      onPointerCancel={drag.cancel}
      onPointerLeave={() => callbacks.hover(null, 0)}
    />
  );
}

function RowCanvas({ stage, callbacks }: CanvasProps) {
  const t = texts();
  const { viewer } = stage;
  const canvas = useRef<HTMLCanvasElement>(null);
  const drag = useMemo(() => new Drag(viewer, callbacks), [stage]);
  useWheel(canvas, viewer, callbacks, false);
  useFrame(() => {
    void viewer.arrivals.value;
    const surface = sized(canvas.current, stage.width.value, stage.size.value.height);
    if (!surface || !viewer.report.value) return;
    stage.paint(surface, isDark() ? kDark : kLight, pixelRatio());
    // For tests and measurements: whether this picture still waits for data.
    if (canvas.current) canvas.current.dataset.settled = viewer.tiles.idle ? '1' : '0';
  });
  return (
    <canvas
      ref={canvas}
      class="rows"
      role="img"
      tabIndex={0}
      aria-label={`${t.timeline}: ${t.rows} ${viewer.rows.value.length}`}
      onPointerDown={drag.down}
      onPointerMove={drag.move}
      onPointerUp={drag.up}
      onPointerCancel={drag.cancel}
      onDblClick={stage.doubleClick}
      onPointerLeave={() => {
        if (!drag.active) callbacks.hover(null, 0);
      }}
    />
  );
}

/** The edge between names and rows. */
function Splitter() {
  const move = (event: PointerEvent): void => {
    if (event.buttons & 1) labelWidth.value = Math.min(700, Math.max(120, event.clientX));
  };
  return (
    <div
      class="splitter"
      role="separator"
      aria-orientation="vertical"
      aria-label={texts().labelWidth}
      aria-valuenow={Math.round(labelWidth.value)}
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
        event.preventDefault();
        labelWidth.value = Math.min(700, Math.max(120, labelWidth.value + (event.key === 'ArrowRight' ? 20 : -20)));
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={move}
    />
  );
}
