// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// SQL over the report, with its answer as a table.
import { useSignal } from '@preact/signals';
import type { SqlResult } from '../../api/types.ts';
import { texts } from '../../model/text.ts';
import { count } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import { csv, save } from '../csv.ts';
import type { Panel } from '../panel.ts';
import { Table } from '../table.tsx';

const kExample =
  'SELECT text, count(*) AS n, sum(end - start) / 1e6 AS ms\nFROM NVTX_EVENTS GROUP BY text ORDER BY ms DESC LIMIT 50';
const kLimit = 1000;

function View({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const sql = viewer.panelState.value.sql ?? kExample;
  const answer = useSignal<SqlResult | null>(null);
  const error = useSignal<string | null>(null);
  const running = useSignal(false);
  const run = async (): Promise<void> => {
    running.value = true;
    error.value = null;
    try {
      answer.value = await viewer.client.sql(viewer.id, sql, kLimit);
    } catch (cause) {
      answer.value = null;
      error.value = cause instanceof Error ? cause.message : String(cause);
    }
    running.value = false;
  };
  const columns = (answer.value?.columns ?? []).map((name) => ({ name }));
  return (
    <div class="panel-body">
      <div class="sql">
        <textarea
          value={sql}
          rows={3}
          spellcheck={false}
          aria-label="SQL"
          title={t.sqlHint}
          onInput={(event) => viewer.setPanelState('sql', event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              void run();
            }
          }}
        />
        <button disabled={running.value} onClick={() => void run()}>
          {t.run}
        </button>
      </div>
      {error.value && <p class="problem">{error.value}</p>}
      {!answer.value && !error.value && <p class="faint">{running.value ? t.loading : t.sqlHint}</p>}
      {answer.value && (
        <>
          <div class="panel-head">
            <span class="number">{t.rowsN(count(answer.value.rows.length))}</span>{' '}
            <span class="faint">
              {answer.value.ms} ms{answer.value.truncated ? ` · ${t.truncated}` : ''}
            </span>
            <span class="tools">
              <button
                onClick={() =>
                  save('sql.csv', new Blob([csv(columns, answer.value?.rows ?? [])], { type: 'text/csv' }))
                }
              >
                {t.csv}
              </button>
            </span>
          </div>
          <Table columns={columns} rows={answer.value.rows} label="SQL" />
        </>
      )}
    </div>
  );
}

export const sql: Panel = { id: 'sql', title: (t) => t.sql, View };
