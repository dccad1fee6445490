// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What is visible, or what was selected, in numbers: never empty. Follows every move of the view.
import { useSignal } from '@preact/signals';
import type { RangeTrack } from '../../api/types.ts';
import { colourOf } from '../../model/palette.ts';
import type { Summed } from '../../model/sums.ts';
import { texts } from '../../model/text.ts';
import { viewOf } from '../../model/time_view.ts';
import { isWork } from '../../model/track_tree.ts';
import { count, duration, instant, percent } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import { csv, save } from '../csv.ts';
import { noEventsText } from '../no_events.ts';
import type { Panel } from '../panel.ts';
import { Problem } from '../problem.tsx';
import { DeviceTime } from './device_time.tsx';
import { ThreadTime } from './thread_time.tsx';

/** They are laid out anew at each move of the view: 200 took more of the processor than all else of a zoom step. */
const kFirstRows = 25;
const kMoreRows = 200;
const kTopNames = 4;

function TopNames({ viewer, row }: { viewer: Viewer; row: RangeTrack }) {
  return (
    <>
      {row.top.slice(0, kTopNames).map((entry) => (
        <button
          key={entry.name}
          class="chip"
          title={viewer.names.text(entry.name) ?? ''}
          onClick={() => viewer.mark([entry.name])}
        >
          <i class="swatch" style={{ background: colourOf(viewer.names.colour(entry.name)).fill }} />
          {percent(entry.ns / Math.max(1, row.busy_ns))} {viewer.names.text(entry.name) ?? ''}
        </button>
      ))}
    </>
  );
}

/** Rows of work before the others. */
const rank = (viewer: Viewer, row: RangeTrack): number => {
  const track = viewer.byId.value.get(row.track);
  return track && isWork(track) ? 1 : 0;
};

/** The rows with something in them, the busiest first. */
function busyRows(viewer: Viewer, summed: Summed | null): RangeTrack[] {
  return (summed?.tracks ?? [])
    .filter((row) => row.events > 0 && viewer.byId.value.has(row.track))
    .sort((a, b) => rank(viewer, b) - rank(viewer, a) || b.busy_ns - a.busy_ns);
}

function saveCsv(viewer: Viewer, summed: Summed, rows: readonly RangeTrack[]): void {
  const columns = ['row', 'from_ns', 'to_ns', 'busy_ns', 'events', 'name', 'name_ns', 'name_events', 'exact'];
  const cells = rows.flatMap((row) => {
    const head = [viewer.pathOf(row.track), summed.from, summed.to, row.busy_ns, row.events].map((value) =>
      typeof value === 'number' ? Math.round(value) : value,
    );
    const exact = row.exact === false ? 'no' : 'yes';
    return row.top.map((top) => [...head, viewer.names.text(top.name) ?? '', Math.round(top.ns), top.events, exact]);
  });
  const name = `${viewer.report.value?.name ?? 'sextant'}-${summed.selected ? 'selected' : 'visible'}.csv`;
  save(
    name,
    new Blob(
      [
        csv(
          columns.map((column) => ({ name: column })),
          cells,
        ),
      ],
      { type: 'text/csv' },
    ),
  );
}

function Head({ viewer, summed, rows }: { viewer: Viewer; summed: Summed; rows: readonly RangeTrack[] }) {
  const t = texts();
  const { from, to, selected } = summed;
  const span = Math.max(1, to - from);
  return (
    <div class="panel-head">
      <b>{selected ? t.ofRange : t.ofVisible}</b> <span class="number">{duration(span)}</span>{' '}
      <span class="faint number">
        {instant(from, span / 1000)} – {instant(to, span / 1000)}
      </span>
      <span class="tools">
        {selected && (
          <>
            <button onClick={() => viewer.setView(viewOf(from, to, viewer.length.value, 0.05))}>{t.zoomTo} (Z)</button>
            <button
              onClick={() => {
                viewer.range.value = null;
              }}
            >
              {t.clear} (Esc)
            </button>
          </>
        )}
        {rows.length > 0 && <button onClick={() => saveCsv(viewer, summed, rows)}>{t.csv}</button>}
      </span>
    </div>
  );
}

function Row({ viewer, row, span }: { viewer: Viewer; row: RangeTrack; span: number }) {
  const about = row.exact === false ? '≈ ' : '';
  return (
    <tr>
      <td>
        <button class="link" onClick={() => viewer.showRow(row.track)}>
          {viewer.pathOf(row.track)}
        </button>
      </td>
      <td class="number">
        {about}
        {duration(row.busy_ns)}
      </td>
      <td class="number bar">
        <i style={{ width: `${Math.min(100, (100 * row.busy_ns) / span)}%` }} />
        {percent(Math.min(1, row.busy_ns / span))}
      </td>
      <td class="number">
        {about}
        {count(row.events)}
      </td>
      <td class="wide chips">
        <TopNames viewer={viewer} row={row} />
      </td>
    </tr>
  );
}

function View({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const summed = viewer.sums.summed.value;
  const error = viewer.sums.error.value;
  const rows = busyRows(viewer, summed);
  const shown = useSignal(kFirstRows);
  const span = Math.max(1, (summed?.to ?? 1) - (summed?.from ?? 0));
  return (
    <div class="panel-body">
      {summed && <Head viewer={viewer} summed={summed} rows={rows} />}
      <Problem viewer={viewer} error={error} />
      {!summed && !error && <p class="faint">{t.loading}</p>}
      {summed && rows.length === 0 && <p>{noEventsText(viewer)}</p>}
      {rows.length > 0 && (
        <div class="table-scroll" tabIndex={0} role="region" aria-label={t.summary}>
          <DeviceTime viewer={viewer} />
          <ThreadTime viewer={viewer} />
          <table>
            <thead>
              <tr>
                <th>{t.track}</th>
                <th>{t.busyTime}</th>
                <th>{t.share}</th>
                <th>{t.count}</th>
                <th>{t.topNames}</th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, shown.value).map((row) => (
                <Row key={row.track} viewer={viewer} row={row} span={span} />
              ))}
            </tbody>
          </table>
          {rows.length > shown.value && (
            <button
              onClick={() => {
                shown.value += kMoreRows;
              }}
            >
              {t.showMore(count(shown.value), count(rows.length))}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

export const summary: Panel = { id: 'summary', title: (t) => t.summary, View };
