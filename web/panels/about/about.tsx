// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The report itself: where it comes from, what it holds, and what is missing with the reason.
import { texts, verdictText } from '../../model/text.ts';
import { bytes, count, duration, instant } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import type { Panel } from '../panel.ts';

function View({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const report = viewer.report.value;
  if (!report)
    return (
      <div class="panel-body">
        <p class="faint">{t.loading}</p>
      </div>
    );
  const facts: [string, string][] = [
    [t.name, report.name],
    [t.program, report.program ?? ''],
    [t.host, report.host ?? ''],
    [t.gpus, report.gpus?.join(', ') ?? ''],
    [t.started, report.started?.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC') ?? ''],
    [t.length, duration(report.length_ns ?? 0)],
    [t.rank, report.rank ?? ''],
    [t.size, bytes(report.bytes)],
    [t.lost, count(report.lost ?? 0)],
    [t.verdict, verdictText(report.verdict)],
  ];
  return (
    <div class="panel-body scroll" tabIndex={0} role="region" aria-label={t.about}>
      <dl class="columns">
        {facts
          .filter(([, value]) => value !== '')
          .map(([key, value]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <h2>{t.diagnostics}</h2>
      {report.diagnostics.length === 0 ? (
        <p>{t.noDiagnostics}</p>
      ) : (
        <ul>
          {report.diagnostics.map((entry, i) => (
            <li key={i}>
              {entry.text}{' '}
              <span class="faint">
                {entry.code}
                {entry.count ? ` · ${count(entry.count)}` : ''}
                {entry.first_ns !== null ? ` · ${instant(entry.first_ns, 1e6)}` : ''}
              </span>
            </li>
          ))}
        </ul>
      )}
      <h2>{t.tables}</h2>
      <p>{report.tables.map((table) => `${table.name} ${count(table.rows)}`).join(' · ')}</p>
    </div>
  );
}

export const about: Panel = { id: 'about', title: (t) => t.about, View };
