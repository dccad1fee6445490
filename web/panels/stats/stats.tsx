// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Every report of `sextant stats`, for the whole run or for the selected time.
import { visible } from '../../model/names.ts';
import { texts } from '../../model/text.ts';
import { count } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import { csv, save } from '../csv.ts';
import { useLoaded } from '../load.ts';
import type { Panel } from '../panel.ts';
import { Problem } from '../problem.tsx';
import { Table } from '../table.tsx';

/** Columns whose text is the name of events on the timeline. */
const kNameColumns = new Set(['Name', 'Range', 'Operation', 'Kernel Name', 'Kernel', 'Source', 'Event Name']);

/** What gives the same table on a command line. */
function command(viewer: Viewer, name: string): string {
  const range = viewer.range.value;
  const time = range
    ? ` --filter-time ${Math.max(0, Math.round(range.from))}/${Math.max(0, Math.round(range.to))}`
    : '';
  const file = viewer.report.value?.name ?? '';
  const quoted = /^[\w.][\w.-]*$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
  return `sextant stats -r ${name}${time} ${quoted}`;
}

/** Marks the name, and goes to its first event. NVTX names may come as ":name" or "domain:name". */
async function findName(viewer: Viewer, text: string): Promise<void> {
  for (const wanted of new Set([text, text.replace(/^[^:]*:/, '')])) {
    if (!wanted) continue;
    const { names } = await viewer.client.search(viewer.id, wanted, 50);
    const hit = names.find((name) => name.text === wanted) ?? names[0];
    if (!hit) continue;
    await viewer.names.need([hit.name]);
    viewer.mark([hit.name]);
    const chosen = viewer.select(hit.first.track, String(hit.first.event), 'reveal');
    viewer.panel.value = 'stats';
    return chosen;
  }
}

function View({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const list = useLoaded(viewer, () => viewer.client.statsList(viewer.id));
  const entries = list.value.value ?? [];
  const chosen = viewer.panelState.value.stats ?? entries[0]?.name ?? '';
  const loaded = useLoaded(
    viewer,
    () => {
      const name = viewer.panelState.value.stats ?? list.value.value?.[0]?.name;
      const range = viewer.range.value;
      return name ? viewer.client.stats(viewer.id, name, range?.from, range?.to) : null;
    },
    150,
  );
  const { value, error, loading } = loaded.value;
  return (
    <div class="panel-body split">
      <nav class="choices" aria-label={t.chooseStats}>
        {entries.map((entry) => (
          <button
            key={entry.name}
            aria-pressed={entry.name === chosen}
            title={entry.meaning}
            onClick={() => viewer.setPanelState('stats', entry.name)}
          >
            <b>{entry.name}</b>
            <small>{entry.title}</small>
          </button>
        ))}
      </nav>
      <div class="chosen">
        <div class="panel-head">
          <b>{chosen}</b>{' '}
          <span class="faint">
            {viewer.range.value ? `${t.selectedTime} · ${t.countsWhole}` : t.wholeRun}
            {value?.total && value.total > value.rows.length
              ? ` · ${t.nOf(count(value.rows.length), count(value.total))}`
              : ''}
            {loading ? ` · ${t.loading}` : ''}
          </span>
          {value && value.rows.length > 0 && (
            <span class="tools">
              <code class="faint">{command(viewer, chosen)}</code>
              <button
                onClick={() => save(`${chosen}.csv`, new Blob([csv(value.columns, value.rows)], { type: 'text/csv' }))}
              >
                {t.csv}
              </button>
            </span>
          )}
        </div>
        <Problem viewer={viewer} error={error ?? list.value.error} />
        {viewer.report.value?.growing && <p class="faint">{t.soFar}</p>}
        {value?.reason && <p>{value.reason}</p>}
        {value?.notes?.map((note) => (
          <p key={note} class="faint">
            {note}
          </p>
        ))}
        {value && value.rows.length > 0 && (
          <Table
            columns={value.columns}
            rows={value.rows}
            label={chosen}
            cell={(cell, _, column) =>
              typeof cell === 'string' && kNameColumns.has(value.columns[column]?.name ?? '') ? (
                <button class="link" title={t.findOnTimeline} onClick={() => void findName(viewer, cell)}>
                  {visible(cell)}
                </button>
              ) : undefined
            }
          />
        )}
      </div>
    </div>
  );
}

export const stats: Panel = { id: 'stats', title: (t) => t.stats, View };
