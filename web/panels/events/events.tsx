// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The events of a row as a table of any length: only what is in sight is fetched; the server sorts and filters.
import { useComputed, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { EventQuery } from '../../api/client.ts';
import type { Cell, EventPage } from '../../api/types.ts';
import { texts } from '../../model/text.ts';
import { count, duration, instant, withUnit } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import { CopyButton } from '../copy_button.tsx';
import { csv, save } from '../csv.ts';
import { lengthText } from '../length_text.ts';
import { useLoaded } from '../load.ts';
import { noEventsText } from '../no_events.ts';
import type { Panel } from '../panel.ts';
import { Problem } from '../problem.tsx';
import { type EventsState, kAllEvents, packEvents, parseEvents } from './events_state.ts';
import { firstRow, kMaxHeight, kRow } from './first_row.ts';

const kPage = 100;
/** What one answer of the server holds at most. */
const kMostInCsv = 10000;
const kSortable = new Set(['start', 'duration', 'name']);

function cellOf(viewer: Viewer, column: string, value: Cell): string {
  if (value === null) return '';
  if (column === 'start' || column === 'end') return instant(Number(value), 1);
  if (column === 'duration') return lengthText(Number(value));
  if (column === 'name' && typeof value === 'number') return viewer.names.text(value) ?? '';
  return withUnit(value, null);
}

function queryOf(viewer: Viewer, track: number, state: EventsState): EventQuery {
  const time = viewer.range.value ?? (state.onlyVisible ? viewer.view.value : null);
  return {
    track,
    text: state.text,
    sort: state.by,
    order: state.down ? 'desc' : 'asc',
    min: state.min ?? undefined,
    max: state.max ?? undefined,
    ...(time ? { from: Math.max(0, time.from), to: time.to } : {}),
  };
}

async function fetchPage(viewer: Viewer, query: EventQuery): Promise<EventPage> {
  const answer = await viewer.client.events(viewer.id, query);
  const name = answer.columns.indexOf('name');
  const ids = answer.rows.flatMap((row) => (typeof row[name] === 'number' ? [row[name] as number] : []));
  if (name >= 0) await viewer.names.need(ids);
  return answer;
}

async function asCsv(viewer: Viewer, query: EventQuery): Promise<string> {
  const page = await fetchPage(viewer, { ...query, offset: 0, limit: kMostInCsv });
  const name = page.columns.indexOf('name');
  const rows = page.rows.map((row) =>
    row.map((cell, i) => (i === name && typeof cell === 'number' ? (viewer.names.text(cell) ?? '') : cell)),
  );
  return csv(
    page.columns.map((column) => ({ name: column })),
    rows,
  );
}

interface HeadProps {
  viewer: Viewer;
  track: number;
  state: EventsState;
  change: (changed: Partial<EventsState>) => void;
  total: number;
  loading: boolean;
}

function Head({ viewer, track, state, change, total, loading }: HeadProps) {
  const t = texts();
  const bounds = [
    state.min !== null ? `≥ ${duration(state.min)}` : '',
    state.max !== null ? `≤ ${duration(state.max)}` : '',
  ];
  const filtered = state.text !== '' || state.min !== null || state.max !== null;
  const csvText = (): Promise<string> => asCsv(viewer, queryOf(viewer, track, state));
  return (
    <div class="panel-head">
      <b>{viewer.pathOf(track)}</b> <span class="number">{t.eventsN(count(total))}</span>
      {filtered && (
        <span class="filtered">
          {t.filtered} {bounds.filter(Boolean).join(' ')}{' '}
          <button onClick={() => change({ text: '', min: null, max: null })}>{t.clear}</button>
        </span>
      )}
      {loading && <span class="faint"> {t.loading}</span>}
      <span class="tools">
        <input
          type="search"
          value={state.text}
          placeholder={t.filterText}
          aria-label={t.filterText}
          onInput={(event) => change({ text: event.currentTarget.value })}
        />
        {viewer.range.value ? (
          <span class="faint">{t.selectedTime}</span>
        ) : (
          <label>
            <input
              type="checkbox"
              checked={state.onlyVisible}
              onChange={(event) => change({ onlyVisible: event.currentTarget.checked })}
            />{' '}
            {t.onlyVisible}
          </label>
        )}
        {!viewer.client.selfContained && (
          <CopyButton
            label={t.copySql}
            text={() => viewer.client.rowSql(viewer.id, track, viewer.range.value?.from, viewer.range.value?.to)}
          />
        )}
        <button
          title={total > kMostInCsv ? t.onlyFirst(count(kMostInCsv), count(total)) : undefined}
          onClick={() => void csvText().then((text) => save('events.csv', new Blob([text], { type: 'text/csv' })))}
        >
          {t.csv}
          {total > kMostInCsv ? ` (${t.onlyFirst(count(kMostInCsv), count(total))})` : ''}
        </button>
      </span>
    </div>
  );
}

function View({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const scroller = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const state = useComputed(() => parseEvents(viewer.panelState.value.events));
  const page = useComputed(() => Math.floor(top.value / kPage));
  const loaded = useLoaded(
    viewer,
    () => {
      const track = viewer.shownRow.value;
      if (track === null) return null;
      const offset = page.value * kPage;
      const query = { ...queryOf(viewer, track, state.value), offset, limit: 3 * kPage };
      return fetchPage(viewer, query).then((answer) => ({ ...answer, offset }));
    },
    60,
  );
  const { value, error, loading } = loaded.value;
  const track = viewer.shownRow.value;
  if (track === null)
    return (
      <div class="panel-body">
        <p class="faint">{noEventsText(viewer)}</p>
      </div>
    );
  const change = (changed: Partial<EventsState>): void => {
    viewer.setPanelState('events', packEvents({ ...state.value, ...changed }));
    scroller.current?.scrollTo(0, 0);
  };
  const total = value?.total ?? 0;
  const viewport = scroller.current?.clientHeight ?? 200;
  const columns = (value?.columns ?? [])
    .map((name, index) => ({ name, index }))
    .filter((column) => column.name !== 'event' && column.name !== 'row');
  const eventAt = value?.columns.indexOf('event') ?? 0;
  const heads: Record<string, string> = { start: t.start, duration: t.duration, name: t.name };
  const first = Math.min(top.value, Math.max(0, total - 1));
  const skipped = Math.max(0, first - (value?.offset ?? 0));
  const rows = value?.rows.slice(skipped, skipped + Math.ceil(viewport / kRow) + 1) ?? [];
  const sort = (name: string): void => {
    const { by, down } = state.value;
    change({ by: name, down: by === name ? !down : name === 'duration' });
  };
  return (
    <div class="panel-body">
      <Head viewer={viewer} track={track} state={state.value} change={change} total={total} loading={loading} />
      <Problem viewer={viewer} error={error} />
      <div class="list-head">
        {columns.map(({ name }) => (
          <button key={name} class={`cell cell-${name}`} disabled={!kSortable.has(name)} onClick={() => sort(name)}>
            {heads[name] ?? name}
            {state.value.by === name ? (state.value.down ? ' ↓' : ' ↑') : ''}
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
              const selected = viewer.selected.value?.event === event && viewer.selected.value.track === track;
              return (
                <div
                  key={event}
                  role="row"
                  aria-selected={selected}
                  class={`list-row${selected ? ' current' : ''}`}
                  onClick={() => void choose(viewer, track, event, false)}
                  onDblClick={() => void choose(viewer, track, event, true)}
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
        {value && total === 0 && <p>{parseIsAll(state.value) ? noEventsText(viewer) : t.noneMatch}</p>}
      </div>
    </div>
  );
}

const parseIsAll = (state: EventsState): boolean =>
  state.text === kAllEvents.text && state.min === null && state.max === null;

/** The table stays in sight while the timeline goes to the event. */
async function choose(viewer: Viewer, track: number, event: string, zoom: boolean): Promise<void> {
  const chosen = viewer.select(track, event, zoom ? 'zoom' : 'reveal');
  viewer.panel.value = 'events';
  await chosen;
}

export const events: Panel = { id: 'events', title: (t) => t.events, View };
