// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The timeline: names at the left, one canvas for the rows in sight, a ruler and the whole run above.
import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { drawFlag, drawNotes, drawRuler } from '../draw/overlay.ts';
import { kDark, kLight } from '../draw/theme.ts';
import { type PlacedRow, rowsBetween } from '../model/layout.ts';
import { marks } from '../model/ruler.ts';
import { parseNotes } from '../model/notes.ts';
import { isDark, labelWidth } from '../model/settings.ts';
import { texts } from '../model/text.ts';
import { Scale, type TimeView, viewOf } from '../model/time_view.ts';
import { instant, utc } from '../model/units.ts';
import type { Viewer } from '../model/viewer.ts';
import { type Callbacks, Drag, onWheel } from './gestures.ts';
import { type Hit, hitTest } from './hit.ts';
import { InfoBar } from './info_bar.tsx';
import { RowLabel } from './labels.tsx';
import { Minimap } from './minimap.tsx';
import { Picture, pinnedHeight } from './picture.ts';
import { sized, useFrame, useSize } from './surface_element.ts';

const kRulerHeight = 24;

function rulerOrigin(viewer: Viewer): number {
  const details = viewer.details.value;
  return viewer.range.value?.from ?? (details ? viewer.placeOf(details)?.[0] : undefined) ?? 0;
}

export function Timeline({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const ruler = useRef<HTMLCanvasElement>(null);
  const size = useSize(scroller);
  const scrollTop = useSignal(0);
  const pointer = useSignal<{ x: number; y: number } | null>(null);
  const box = useSignal<TimeView | null>(null);
  const width = useComputed(() => Math.max(50, size.value.width - labelWidth.value));
  const scale = useComputed(() => new Scale(viewer.view.value, width.value));
  const ticks = useComputed(() => marks(viewer.view.value, width.value, viewer.ruler.value, rulerOrigin(viewer), viewer.report.value?.clock.utc_start_ns ?? '0'));
  const picture = useMemo(() => new Picture(viewer), [viewer]);

  const rowAt = (y: number): PlacedRow | null => {
    const pinned = pinnedHeight(viewer);
    const at = y < pinned ? y : y + scrollTop.value;
    return rowsBetween(viewer.layout.value, at, at + 1)[0] ?? null;
  };
  const hit = useComputed<Hit | null>(() => {
    void viewer.arrivals.value;
    if (!pointer.value) return null;
    const row = rowAt(pointer.value.y);
    if (!row) return null;
    const top = pointer.value.y < pinnedHeight(viewer) ? row.top : row.top - scrollTop.value;
    return hitTest(viewer, row, pointer.value.y - top - 1, pointer.value.x, scale.value);
  });

  const callbacks: Callbacks = useMemo(() => ({
    scale: () => scale.value,
    scrollRows: (delta) => scroller.current?.scrollBy(0, delta),
    hover: (x, y) => { pointer.value = x === null ? null : { x, y }; },
    box: (range) => { box.value = range; },
    click: (x, y) => {
      pointer.value = { x, y };
      const found = hit.value;
      if (!found) return viewer.unselect();
      viewer.currentRow.value = found.track.id;
      if (found.kind === 'event') void viewer.select(found.track.id, found.event);
      else if (found.kind === 'dense') viewer.setView(viewOf(found.from, found.to, viewer.length.value, 4));
      else viewer.unselect();
    },
  }), [viewer]);
  const drag = useMemo(() => new Drag(viewer, callbacks), [viewer]);
  const rulerDrag = useMemo(() => new Drag(viewer, { ...callbacks, click: () => {} }, 'box'), [viewer]);

  useFrame(() => {
    void viewer.arrivals.value;
    const theme = isDark() ? kDark : kLight;
    const height = size.value.height;
    const surface = sized(canvas.current, width.value, height);
    if (!surface || !viewer.report.value) return;
    picture.paint(surface, { scale: scale.value, height, scrollTop: scrollTop.value, theme, marks: ticks.value, pointerX: pointer.value?.x ?? null });
    if (box.value) {
      surface.strokeStyle = theme.rangeEdge;
      surface.setLineDash([4, 3]);
      surface.strokeRect(scale.value.x(box.value.from), 1, (box.value.to - box.value.from) / scale.value.perPixel, height - 2);
      surface.setLineDash([]);
    }
    paintRuler(theme);
    // For tests and measurements: whether this picture still waits for data.
    if (canvas.current) canvas.current.dataset.settled = viewer.tiles.idle ? '1' : '0';
  });

  function paintRuler(theme: typeof kDark): void {
    const surface = sized(ruler.current, width.value, kRulerHeight);
    if (!surface) return;
    surface.fillStyle = theme.stripe;
    surface.fillRect(0, 0, width.value, kRulerHeight);
    drawRuler(surface, scale.value, theme, ticks.value, kRulerHeight);
    drawNotes(surface, scale.value, theme, parseNotes(viewer.panelState.value.notes), kRulerHeight);
    if (!pointer.value) return;
    const time = scale.value.time(pointer.value.x);
    const resolution = Math.max(1, scale.value.perPixel);
    const start = viewer.report.value?.clock.utc_start_ns;
    const label = viewer.ruler.value === 'utc' && start ? utc(start, time, resolution) : instant(time - (viewer.ruler.value === 'relative' ? rulerOrigin(viewer) : 0), resolution);
    drawFlag(surface, scale.value, theme, time, label, kRulerHeight);
  }

  useEffect(() => {
    const element = canvas.current;
    const head = ruler.current;
    if (!element || !head) return;
    // Not through the framework: these must be able to keep the page from scrolling or zooming.
    const rows = (event: WheelEvent): void => onWheel(viewer, callbacks, event);
    const top = (event: WheelEvent): void => onWheel(viewer, callbacks, event, true);
    element.addEventListener('wheel', rows, { passive: false });
    head.addEventListener('wheel', top, { passive: false });
    return () => {
      element.removeEventListener('wheel', rows);
      head.removeEventListener('wheel', top);
    };
  }, [viewer]);

  const pointerTime = useComputed(() => (pointer.value ? scale.value.time(pointer.value.x) : null));
  useSignalEffect(() => {
    const wish = viewer.rowToShow.value;
    const element = scroller.current;
    if (!wish || !element) return;
    const placed = viewer.layout.peek().rows.find((row) => row.row.kind === 'track' && !row.row.pinned && (row.row.node.track.id === wish.track || row.shown.some((node) => node.track.id === wish.track)));
    if (!placed) return;
    const top = placed.top - pinnedHeight(viewer);
    if (top < element.scrollTop) element.scrollTop = top;
    else if (placed.top + placed.height > element.scrollTop + element.clientHeight) element.scrollTop = placed.top + placed.height - element.clientHeight;
  });
  const doubleClick = (): void => {
    const found = hit.value;
    const { range } = viewer;
    if (found?.kind === 'event') viewer.setView(viewOf(found.start, Math.min(found.end, viewer.length.value), viewer.length.value, 0.5));
    else if (range.value) viewer.setView(viewOf(range.value.from, range.value.to, viewer.length.value, 0.05));
  };
  const pick = (track: number): void => {
    viewer.currentRow.value = track;
  };
  const pinned = pinnedHeight(viewer);
  const height = size.value.height;
  const visible = rowsBetween(viewer.layout.value, scrollTop.value + pinned, scrollTop.value + height);
  return (
    <section class="timeline" aria-label={t.timeline} style={{ '--label': `${labelWidth.value}px` } as never}>
      <div class="tl-head">
        <div class="tl-corner">
          <input id="row-filter" type="search" value={viewer.filter.value} placeholder={`${t.filterRows} ( F )`} aria-label={t.filterRows}
            onInput={(event) => { viewer.filter.value = event.currentTarget.value; }} />
          <Splitter />
        </div>
        <div class="tl-top">
          <Minimap viewer={viewer} width={width} />
          <canvas ref={ruler} class="ruler" aria-hidden="true" onPointerDown={rulerDrag.down} onPointerMove={rulerDrag.move} onPointerUp={rulerDrag.up} onPointerLeave={() => callbacks.hover(null, 0)} />
        </div>
      </div>
      <div class="tl-scroll" ref={scroller} onScroll={(event) => { scrollTop.value = event.currentTarget.scrollTop; }}>
        <div class="tl-body" style={{ height: `${Math.max(viewer.layout.value.height, height)}px` }}>
          <div class="tl-sticky" style={{ height: `${height}px` }}>
            <canvas ref={canvas} class="rows" role="img" tabIndex={0} aria-label={`${t.timeline}: ${t.rows} ${viewer.rows.value.length}`}
              onPointerDown={drag.down} onPointerMove={drag.move} onPointerUp={drag.up} onDblClick={doubleClick}
              onPointerLeave={() => { if (!drag.active) callbacks.hover(null, 0); }} />
            <div class="labels pinned" role="tree" aria-label={t.pin} style={{ height: `${pinned}px` }}>
              {rowsBetween(viewer.layout.value, 0, pinned).filter((row) => row.row.kind === 'track' && row.row.pinned).map((row) => (
                <RowLabel key={keyOf(row)} viewer={viewer} placed={row} y={row.top} onPick={pick} />
              ))}
            </div>
          </div>
          <div class="labels" role="tree" aria-label={t.rows}>
            {visible.filter((row) => row.row.kind !== 'track' || !row.row.pinned).map((row) => (
              <RowLabel key={keyOf(row)} viewer={viewer} placed={row} y={row.top} onPick={pick} />
            ))}
          </div>
        </div>
      </div>
      <InfoBar viewer={viewer} hit={hit} time={pointerTime} />
    </section>
  );
}

const keyOf = (placed: PlacedRow): string => (placed.row.kind === 'note' ? placed.row.key : `${placed.row.node.track.id}`);

/** The edge between names and rows. */
function Splitter() {
  const move = (event: PointerEvent): void => {
    if (event.buttons & 1) labelWidth.value = Math.min(700, Math.max(120, event.clientX));
  };
  return <div class="splitter" onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)} onPointerMove={move} />;
}
