// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The events of a row as a table of any length: only what is in sight is fetched; the server sorts and filters.
import { useComputed, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Cell, EventPage } from '../../api/types.ts';
import { texts } from '../../model/text.ts';
import { count, duration, instant, withUnit } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import { useLoaded } from '../load.ts';
import type { Panel } from '../panel.ts';
import { firstRow, kMaxHeight, kRow } from './first_row.ts';

const kPage = 100;

function cellOf(viewer: Viewer, column: string, value: Cell): string {
  if (value === null) return '';
  if (column === 'start' || column === 'end') return instant(Number(value), 1);
  if (column === 'duration') return Number(value) < 0 ? texts().notClosed : duration(Number(value));
  if (column === 'name' && typeof value === 'number') return viewer.names.text(value) ?? '';
  return withUnit(value, null);
}

const kSortable = new Set(['start', 'duration', 'name']);

function View({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const scroller = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const sort = useSignal<{ by: string; down: boolean }>({ by: 'start', down: false });
  const text = useSignal('');
  const onlyVisible = useSignal(false);
  const track = useComputed(() => viewer.currentRow.value ?? viewer.selected.value?.track ?? null);
  const page = useComputed(() => Math.floor(top.value / kPage));
  const loaded = useLoaded(
    () => {
      if (track.value === null) return null;
      const time = viewer.range.value ?? (onlyVisible.value ? viewer.view.value : null);
      const offset = page.value * kPage;
      return viewer.client
        .events(viewer.id, {
          track: track.value,
          text: text.value,
          sort: sort.value.by,
          order: sort.value.down ? 'desc' : 'asc',
          offset,
          limit: 3 * kPage,
          ...(time ? { from: Math.max(0, time.from), to: time.to } : {}),
        })
        .then(async (answer: EventPage) => {
          const name = answer.columns.indexOf('name');
          if (name >= 0)
            await viewer.names.need(
              answer.rows.flatMap((row) => (typeof row[name] === 'number' ? [row[name] as number] : [])),
            );
          return { ...answer, offset };
        });
    },
    60,
    [viewer],
  );
  const { value, error, loading } = loaded.value;
  if (track.value === null)
    return (
      <div class="panel-body">
        <p class="faint">{t.pickRow}</p>
      </div>
    );
  const total = value?.total ?? 0;
  const viewport = scroller.current?.clientHeight ?? 200;
  const columns = (value?.columns ?? [])
    .map((name, index) => ({ name, index }))
    .filter((column) => column.name !== 'event' && column.name !== 'row');
  const eventAt = value?.columns.indexOf('event') ?? 0;
  const first = Math.min(top.value, Math.max(0, total - 1));
  const visible = Math.ceil(viewport / kRow) + 1;
  const rows = value
    ? value.rows.slice(Math.max(0, first - value.offset), Math.max(0, first - value.offset) + visible)
    : [];
  const head = (name: string): void => {
    if (!kSortable.has(name)) return;
    sort.value =
      sort.value.by === name ? { by: name, down: !sort.value.down } : { by: name, down: name === 'duration' };
    scroller.current?.scrollTo(0, 0);
  };
  return (
    <div class="panel-body">
      <div class="panel-head">
        <b>{viewer.pathOf(track.value)}</b> <span class="number">{t.eventsN(count(total))}</span>
        {loading && <span class="faint"> {t.loading}</span>}
        <span class="tools">
          <input
            type="search"
            value={text.value}
            placeholder={t.filterText}
            aria-label={t.filterText}
            onInput={(event) => {
              text.value = event.currentTarget.value;
              scroller.current?.scrollTo(0, 0);
            }}
          />
          {viewer.range.value ? (
            <span class="faint">{t.selectedTime}</span>
          ) : (
            <label>
              <input
                type="checkbox"
                checked={onlyVisible.value}
                onChange={(event) => {
                  onlyVisible.value = event.currentTarget.checked;
                }}
              />{' '}
              {t.onlyVisible}
            </label>
          )}
        </span>
      </div>
      {error && <p class="problem">{error}</p>}
      <div class="list-head">
        {columns.map(({ name }) => (
          <button key={name} class={`cell cell-${name}`} disabled={!kSortable.has(name)} onClick={() => head(name)}>
            {name}
            {sort.value.by === name ? (sort.value.down ? ' ↓' : ' ↑') : ''}
          </button>
        ))}
      </div>
      <div
        class="list-scroll"
        ref={scroller}
        tabIndex={0}
        role={rows.length ? 'grid' : 'region'}
        aria-label={t.events}
        aria-rowcount={rows.length ? total : undefined}
        onScroll={(event) => {
          top.value = firstRow(event.currentTarget.scrollTop, total, event.currentTarget.clientHeight);
        }}
      >
        <div style={{ height: `${Math.min(total * kRow, kMaxHeight)}px` }}>
          <div class="list-window">
            {rows.map((row) => {
              const event = String(row[eventAt]);
              const selected = viewer.selected.value?.event === event && viewer.selected.value.track === track.value;
              return (
                <div
                  key={event}
                  role="row"
                  class={`list-row${selected ? ' current' : ''}`}
                  onClick={() => void choose(viewer, track.value as number, event, false)}
                  onDblClick={() => void choose(viewer, track.value as number, event, true)}
                >
                  {columns.map(({ name, index }) => (
                    <span key={name} role="gridcell" class={`cell cell-${name}`}>
                      {cellOf(viewer, name, row[index] ?? null)}
                    </span>
                  ))}
                </div>
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}

/** The table stays in sight while the timeline goes to the event. */
async function choose(viewer: Viewer, track: number, event: string, zoom: boolean): Promise<void> {
  const chosen = viewer.select(track, event, zoom ? 'zoom' : 'reveal');
  viewer.panel.value = 'events';
  await chosen;
}

export const events: Panel = { id: 'events', title: (t) => t.events, View };
