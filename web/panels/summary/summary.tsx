// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What is visible, or what was selected, in numbers: never empty. Follows every move of the view.
import { useSignal } from '@preact/signals';
import type { RangeTrack } from '../../api/types.ts';
import { colourOf } from '../../model/palette.ts';
import { texts } from '../../model/text.ts';
import { viewOf } from '../../model/time_view.ts';
import { count, duration, instant, percent } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import { useLoaded } from '../load.ts';
import type { Panel } from '../panel.ts';

function TopNames({ viewer, top, all }: { viewer: Viewer; top: RangeTrack['top']; all: number }) {
  return (
    <>
      {top.slice(0, 4).map((entry) => (
        <button
          key={entry.name}
          class="chip"
          onClick={() => {
            viewer.emphasis.value = new Set([entry.name]);
          }}
        >
          <i class="swatch" style={{ background: colourOf(viewer.names.colour(entry.name)).fill }} />
          {percent(entry.ns / Math.max(1, all))} {viewer.names.text(entry.name) ?? ''}
        </button>
      ))}
    </>
  );
}

function View({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const shown = useSignal<{ from: number; to: number }>({ from: 0, to: 1 });
  const loaded = useLoaded(
    () => {
      const { from, to } = viewer.range.value ?? viewer.view.value;
      const clamped = { from: Math.max(0, from), to: Math.min(viewer.length.value, to) };
      return viewer.client.range(viewer.id, clamped.from, clamped.to).then(async (tracks) => {
        await viewer.names.need(tracks.flatMap((track) => track.top.map((top) => top.name)));
        shown.value = clamped;
        return tracks;
      });
    },
    120,
    [viewer],
  );
  const { value, error } = loaded.value;
  const selected = viewer.range.value !== null;
  const { from, to } = shown.value;
  const span = Math.max(1, to - from);
  const rows = (value ?? [])
    .filter((row) => row.events > 0 && viewer.byId.value.has(row.track))
    .sort((a, b) => b.busy_ns - a.busy_ns);
  return (
    <div class="panel-body">
      <div class="panel-head">
        <b>{selected ? t.ofRange : t.ofVisible}</b> <span class="number">{duration(span)}</span>{' '}
        <span class="faint number">
          {instant(from, span / 1000)} – {instant(to, span / 1000)}
        </span>
        {selected && (
          <>
            {' '}
            <button onClick={() => viewer.setView(viewOf(from, to, viewer.length.value, 0.05))}>{t.zoomTo} (Z)</button>{' '}
            <button
              onClick={() => {
                viewer.range.value = null;
              }}
            >
              {t.clear} (Esc)
            </button>
          </>
        )}
      </div>
      {error && <p class="problem">{error}</p>}
      {value && rows.length === 0 && <p>{t.noEvents}</p>}
      {rows.length > 0 && (
        <div class="table-scroll" tabIndex={0} role="region" aria-label={t.summary}>
          <table>
            <thead>
              <tr>
                <th>{t.track}</th>
                <th>{t.busy}</th>
                <th>{t.share}</th>
                <th>{t.count}</th>
                <th>{t.topNames}</th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, 200).map((row) => {
                return (
                  <tr key={row.track}>
                    <td>
                      <button class="link" onClick={() => viewer.showRow(row.track)}>
                        {viewer.pathOf(row.track)}
                      </button>
                    </td>
                    <td class="number">
                      {row.exact === false ? '≈ ' : ''}
                      {duration(row.busy_ns)}
                    </td>
                    <td class="number bar">
                      <i style={{ width: `${Math.min(100, (100 * row.busy_ns) / span)}%` }} />
                      {percent(Math.min(1, row.busy_ns / span))}
                    </td>
                    <td class="number">
                      {row.exact === false ? '≈ ' : ''}
                      {count(row.events)}
                    </td>
                    <td class="wide">
                      <TopNames viewer={viewer} top={row.top} all={row.busy_ns} />
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

export const summary: Panel = { id: 'summary', title: (t) => t.summary, View };
