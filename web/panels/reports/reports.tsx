// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The page of a folder: its reports, new and growing ones by themselves; filter, sort, open one or two.
import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError, type Client } from '../../api/client.ts';
import type { Report } from '../../api/types.ts';
import { texts } from '../../model/text.ts';
import { bytes, count, duration } from '../../model/units.ts';
import { compareCells } from '../csv.ts';
import { onlyOne } from './only_one.ts';

const kPollMs = 4000;

type Key = 'name' | 'host' | 'program' | 'gpus' | 'started' | 'length_ns' | 'rank' | 'lost' | 'bytes' | 'verdict';

const keyValue = (report: Report, key: Key): string | number | null =>
  key === 'gpus' ? (report.gpus?.join(', ') ?? null) : report[key];

export function matchesReport(report: Report, filter: string): boolean {
  const all = [
    report.name,
    report.path,
    report.host,
    report.program,
    report.verdict,
    report.rank,
    ...(report.gpus ?? []),
  ]
    .join('\n')
    .toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

export function Reports({
  client,
  openOnlyOne,
  onOpen,
}: {
  client: Client;
  openOnlyOne: boolean;
  onOpen: (ids: string[]) => void;
}) {
  const t = texts();
  const reports = useSignal<Report[] | null>(null);
  const error = useSignal<ApiError | null>(null);
  const filter = useSignal('');
  const sort = useSignal<{ key: Key; down: boolean }>({ key: 'started', down: true });
  const chosen = useSignal<string[]>([]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const load = async (): Promise<void> => {
      try {
        const served = await client.reports();
        const only = openOnlyOne ? onlyOne(served) : null;
        if (only !== null) return onOpen([only]);
        reports.value = served.reports;
        error.value = null;
      } catch (cause) {
        error.value = cause instanceof ApiError ? cause : new ApiError('viewer', String(cause), 0);
      }
      timer = setTimeout(() => void load(), kPollMs);
    };
    void load();
    return () => clearTimeout(timer);
  }, [client]);
  const shown = useComputed(() => {
    const { key, down } = sort.value;
    return (reports.value ?? [])
      .filter((report) => matchesReport(report, filter.value))
      .sort((a, b) => (down ? -1 : 1) * compareCells(keyValue(a, key), keyValue(b, key)));
  });
  const heads: [Key, string][] = [
    ['name', t.name],
    ['program', t.program],
    ['host', t.host],
    ['gpus', t.gpus],
    ['started', t.started],
    ['length_ns', t.length],
    ['rank', t.rank],
    ['bytes', t.size],
    ['lost', t.lost],
    ['verdict', t.verdict],
  ];
  return (
    <main class="reports">
      <div class="panel-head">
        <h1>{t.reports}</h1>
        <input
          type="search"
          value={filter.value}
          placeholder={t.filterReports}
          aria-label={t.filterReports}
          onInput={(event) => {
            filter.value = event.currentTarget.value;
          }}
        />
        <button disabled={chosen.value.length !== 2} onClick={() => onOpen(chosen.value)}>
          {t.compare} ({chosen.value.length}/2)
        </button>
      </div>
      {error.value && <p class="problem">{problemText(error.value)}</p>}
      {reports.value && reports.value.length === 0 && <p>{t.noReports}</p>}
      {!reports.value && !error.value && <p class="faint">{t.loading}</p>}
      {shown.value.length > 0 && (
        <div class="table-scroll" tabIndex={0} role="region" aria-label={t.reports}>
          <table>
            <thead>
              <tr>
                <th>{t.select}</th>
                {heads.map(([key, title]) => (
                  <th
                    key={key}
                    aria-sort={sort.value.key === key ? (sort.value.down ? 'descending' : 'ascending') : undefined}
                  >
                    <button
                      onClick={() => {
                        sort.value = { key, down: sort.value.key === key ? !sort.value.down : false };
                      }}
                    >
                      {title}
                      {sort.value.key === key ? (sort.value.down ? ' ↓' : ' ↑') : ''}
                    </button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.value.map((report) => (
                <tr key={report.id} onDblClick={() => onOpen([report.id])}>
                  <td>
                    <input
                      type="checkbox"
                      aria-label={`${t.select} ${report.name}`}
                      checked={chosen.value.includes(report.id)}
                      onChange={(event) => {
                        chosen.value = event.currentTarget.checked
                          ? [...chosen.value, report.id].slice(-2)
                          : chosen.value.filter((id) => id !== report.id);
                      }}
                    />
                  </td>
                  <td>
                    <button class="link" title={report.path} onClick={() => onOpen([report.id])}>
                      {report.name}
                    </button>
                    {report.growing && <em class="growing"> ● {t.growing}</em>}
                  </td>
                  <td>{report.program}</td>
                  <td>{report.host}</td>
                  <td>{report.gpus?.join(', ')}</td>
                  <td class="number">{report.started?.replace('T', ' ').replace(/(\.\d+)?Z?$/, '')}</td>
                  <td class="number">{report.length_ns === null ? '' : duration(report.length_ns)}</td>
                  <td>{report.rank ?? ''}</td>
                  <td class="number">{bytes(report.bytes)}</td>
                  <td class={report.lost ? 'number lost' : 'number'}>
                    {report.lost === null ? '' : count(report.lost)}
                  </td>
                  <td class="wide">{report.verdict}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </main>
  );
}

export function problemText(error: ApiError): string {
  const t = texts();
  if (error.code === 'unreachable') return t.notReached;
  if (error.status === 401 || error.status === 403) return t.notAllowed;
  return error.message;
}
