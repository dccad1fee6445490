// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// SQL over the report, with its answer as a table or a plot. What was run last is in the address, and is run again by
// whoever opens it: statements cannot change anything, and the server bounds them.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { asError } from '../../api/client.ts';
import type { SqlResult } from '../../api/types.ts';
import { texts } from '../../model/text.ts';
import { count } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import { csv, save } from '../csv.ts';
import type { Panel } from '../panel.ts';
import { Problem } from '../problem.tsx';
import { Table } from '../table.tsx';
import { Plot } from './plot.tsx';
import { type Form, defaultForm, plotData } from './plot_data.ts';

const kExample =
  'SELECT text, count(*) AS n, sum(end - start) / 1e6 AS ms\nFROM NVTX_EVENTS GROUP BY text ORDER BY ms DESC LIMIT 50';
const kLimit = 1000;
const kForms: readonly Form[] = ['bars', 'line', 'points'];

function Answer({ viewer, answer }: { viewer: Viewer; answer: SqlResult }) {
  const t = texts();
  const columns = answer.columns.map((name) => ({ name }));
  const data = plotData(answer);
  const wish = viewer.panelState.value.sqlplot ?? '';
  const form = data && wish ? (kForms.find((one) => one === wish) ?? defaultForm(data)) : null;
  const formNames: Record<Form, string> = { bars: t.plotBars, line: t.plotLine, points: t.plotPoints };
  return (
    <>
      <div class="panel-head">
        <span class="number">{t.rowsN(count(answer.rows.length))}</span>{' '}
        <span class="faint">
          {answer.ms} ms{answer.truncated ? ` · ${t.truncated}` : ''}
        </span>
        <span class="tools">
          <select
            aria-label={t.showAs}
            title={data ? t.showAs : t.noNumbers}
            disabled={!data}
            value={form ?? ''}
            onChange={(event) => viewer.setPanelState('sqlplot', event.currentTarget.value)}
          >
            <option value="">{t.asTable}</option>
            {kForms.map((one) => (
              <option key={one} value={one}>
                {formNames[one]}
              </option>
            ))}
          </select>
          <button onClick={() => save('sql.csv', new Blob([csv(columns, answer.rows)], { type: 'text/csv' }))}>
            {t.csv}
          </button>
        </span>
      </div>
      {data && form ? (
        <Plot data={data} form={form} rows={answer.rows.length} />
      ) : (
        <Table columns={columns} rows={answer.rows} label="SQL" />
      )}
    </>
  );
}

function View({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const ran = viewer.panelState.value.sqlran ?? '';
  const sql = viewer.panelState.value.sql ?? (ran || kExample);
  const answer = useSignal<SqlResult | null>(null);
  const error = useSignal<Error | null>(null);
  const running = useSignal(false);
  const turn = useRef(0);
  // What stands below is the answer to the statement above: none while it runs, and never that of an earlier one.
  const run = async (statement: string): Promise<void> => {
    const mine = ++turn.current;
    running.value = true;
    answer.value = null;
    error.value = null;
    try {
      const rows = await viewer.client.sql(viewer.id, statement, kLimit);
      if (mine === turn.current) answer.value = rows;
    } catch (cause) {
      if (mine === turn.current) error.value = asError(cause);
    }
    if (mine === turn.current) running.value = false;
  };
  useEffect(() => {
    if (ran) void run(ran);
  }, [ran]);
  const start = (): void => {
    if (sql === ran) void run(sql);
    else viewer.setPanelState('sqlran', sql);
  };
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
              start();
            }
          }}
        />
        <button disabled={running.value} onClick={start}>
          {t.run}
        </button>
      </div>
      <Problem viewer={viewer} error={error.value} />
      {!answer.value && !error.value && <p class="faint">{running.value ? t.loading : t.sqlHint}</p>}
      {answer.value && <Answer viewer={viewer} answer={answer.value} />}
    </div>
  );
}

export const sql: Panel = { id: 'sql', title: (t) => t.sql, View };
