// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The page of a folder: its reports, new and growing ones by themselves; filter, sort, group, tag, open one or several.
import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError, type Client } from '../../api/client.ts';
import type { Reports as Answer, Report } from '../../api/types.ts';
import { texts, verdictText } from '../../model/text.ts';
import type { Texts } from '../../model/text/en.ts';
import { bytes, count, duration } from '../../model/units.ts';
import { problemText } from '../problem_text.ts';
import { onlyOne } from './only_one.ts';
import {
  type Group,
  type Listed,
  type SortKey,
  gpuText,
  groupReports,
  kGroupKeys,
  matchesReport,
  sortReports,
} from './report_list.ts';
import { TagCell } from './tag_cell.tsx';
import { putTags, tagsOf } from './tags.ts';

const kPollMs = 4000;

interface ListState {
  filter: string;
  sort: string;
  down: boolean;
  group: string;
}

interface ReportsProps {
  client: Client;
  openOnlyOne: boolean;
  /** So many can be opened beside each other. */
  most: number;
  list: ListState;
  onList: (list: ListState) => void;
  onOpen: (ids: string[]) => void;
}

/** Signs with a text: never a colour alone. */
function stateText(t: Texts, report: Report): string {
  if (report.growing) return `● ${t.growing}`;
  const states: Record<string, string> = {
    cut: `✂ ${t.stateCut}`,
    unopened: `○ ${t.stateUnopened}`,
    unreadable: `✕ ${t.stateUnreadable}`,
  };
  return states[report.state ?? ''] ?? '';
}

interface RowProps {
  listed: Listed;
  chosen: boolean;
  /** As many as can be seen at once are chosen. */
  full: boolean;
  choose: (chosen: boolean) => void;
  open: () => void;
  tag: (tags: string[]) => void;
  filterTag: (tag: string) => void;
}

function ReportRow({ listed, chosen, full, choose, open, tag, filterTag }: RowProps) {
  const t = texts();
  const { report, tags } = listed;
  const state = stateText(t, report);
  return (
    <tr onDblClick={open}>
      <td>
        <input
          type="checkbox"
          aria-label={`${t.select} ${report.name}`}
          checked={chosen}
          disabled={full && !chosen}
          onChange={(event) => choose(event.currentTarget.checked)}
        />
      </td>
      <td class="report-cell">
        <button class="link" title={report.path} onClick={open}>
          {report.name}
        </button>
      </td>
      <td>
        <TagCell name={report.name} tags={tags} put={tag} pick={filterTag} />
      </td>
      <td class="program" title={report.program ?? ''}>
        {report.program}
      </td>
      <td>{report.host}</td>
      <td class="program" title={report.gpus?.join(', ')}>
        {gpuText(report.gpus ?? [])}
      </td>
      <td class="number">{report.started?.replace('T', ' ').replace(/(\.\d+)?Z?$/, '')}</td>
      <td class="number">{report.length_ns === null ? '' : duration(report.length_ns)}</td>
      <td class="number">{report.rank}</td>
      <td class="number">{bytes(report.bytes)}</td>
      <td class={report.lost ? 'number lost' : 'number'}>
        {report.lost ? '⚠ ' : ''}
        {report.lost === null ? '' : count(report.lost)}
      </td>
      <td class="verdict">
        {state && <b class={`state state-${report.growing ? 'growing' : report.state}`}>{state} </b>}
        {report.state !== 'unopened' && verdictText(report.verdict)}
      </td>
    </tr>
  );
}

function useReports(client: Client, openOnly: ((id: string) => void) | null) {
  const answer = useSignal<Answer | null>(null);
  const error = useSignal<ApiError | null>(null);
  const load = async (): Promise<boolean> => {
    try {
      const served = await client.reports();
      const only = openOnly ? onlyOne(served) : null;
      if (only !== null && openOnly) {
        openOnly(only);
        return false;
      }
      answer.value = served;
      error.value = null;
    } catch (cause) {
      error.value = cause instanceof ApiError ? cause : new ApiError('viewer', String(cause), 0);
    }
    return true;
  };
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    let gone = false;
    const again = (): void => {
      void load().then((more) => {
        if (more && !gone) timer = setTimeout(again, kPollMs);
      });
    };
    again();
    return () => {
      gone = true;
      if (timer) clearTimeout(timer);
    };
  }, [client]);
  return { answer, error, load };
}

export function Reports(props: ReportsProps) {
  const { client, most, onOpen } = props;
  const t = texts();
  const { answer, error, load } = useReports(client, props.openOnlyOne ? (id) => onOpen([id]) : null);
  const state = useSignal(props.list);
  const chosen = useSignal<string[]>([]);
  // Back and forward bring another state from outside.
  useEffect(() => {
    state.value = props.list;
  }, [props.list]);
  const change = (changed: Partial<ListState>): void => {
    state.value = { ...state.value, ...changed };
    props.onList(state.value);
  };
  const byServer = answer.value?.can_tag === true;
  const shown = useComputed<Listed[]>(() => {
    const all = (answer.value?.reports ?? []).map((report) => ({
      report,
      tags: tagsOf(report, answer.value?.can_tag === true),
    }));
    const { filter, sort, down } = state.value;
    return sortReports(
      all.filter((one) => matchesReport(one, filter)),
      sort,
      down,
    );
  });
  const groups = useComputed<Group[]>(() => groupReports(shown.value, state.value.group));
  const total = answer.value?.reports.length ?? 0;
  const choose = (ids: readonly string[], wanted: boolean): void => {
    const rest = chosen.value.filter((id) => !ids.includes(id));
    chosen.value = wanted ? [...rest, ...ids].slice(0, most) : rest;
  };
  return (
    <main class="reports">
      <div class="panel-head">
        <h1>{t.reports}</h1>
        <input
          type="search"
          value={state.value.filter}
          placeholder={t.filterReports}
          aria-label={t.filterReports}
          title={t.filterReportsHint}
          onInput={(event) => change({ filter: event.currentTarget.value })}
        />
        {shown.value.length < total && (
          <span class="filtered">
            {t.onlyFirst(count(shown.value.length), count(total))}{' '}
            <button onClick={() => change({ filter: '' })}>{t.clear}</button>
          </span>
        )}
        <GroupSelect value={state.value.group} change={(group) => change({ group })} />
        <button disabled={chosen.value.length < 2} onClick={() => onOpen(chosen.value)}>
          {t.compare} ({chosen.value.length}/{most})
        </button>
        <span class="faint">{byServer ? t.tagsByServer : t.tagsByBrowser}</span>
      </div>
      {error.value && (
        <p class="problem" role="alert">
          {problemText(error.value)}
        </p>
      )}
      {answer.value && total === 0 && <p>{t.noReports}</p>}
      {!answer.value && !error.value && <p class="faint">{t.loading}</p>}
      {shown.value.length > 0 && (
        <div class="table-scroll" tabIndex={0} role="region" aria-label={t.reports}>
          <table>
            <Heads state={state.value} change={change} />
            {groups.value.map((group) => (
              <tbody key={group.title}>
                {group.title !== '' && (
                  <GroupRow
                    group={group}
                    chosen={group.listed.every(({ report }) => chosen.value.includes(report.id))}
                    choose={(wanted) =>
                      choose(
                        group.listed.map(({ report }) => report.id),
                        wanted,
                      )
                    }
                  />
                )}
                {group.listed.map((listed) => (
                  <ReportRow
                    key={listed.report.id}
                    listed={listed}
                    chosen={chosen.value.includes(listed.report.id)}
                    full={chosen.value.length >= most}
                    choose={(wanted) => choose([listed.report.id], wanted)}
                    open={() => onOpen([listed.report.id])}
                    tag={(tags) =>
                      void putTags(client, listed.report, byServer, tags)
                        .then(() => (byServer ? load() : false))
                        .catch((cause: unknown) => {
                          error.value = cause instanceof ApiError ? cause : new ApiError('viewer', String(cause), 0);
                        })
                    }
                    filterTag={(tag) => change({ filter: `#${tag}` })}
                  />
                ))}
              </tbody>
            ))}
          </table>
        </div>
      )}
    </main>
  );
}

function GroupSelect({ value, change }: { value: string; change: (group: string) => void }) {
  const t = texts();
  const names: Record<(typeof kGroupKeys)[number], string> = {
    folder: t.folder,
    host: t.host,
    program: t.program,
    job: t.job,
    state: t.state,
    tag: t.tags,
  };
  return (
    <select aria-label={t.groupBy} value={value} onChange={(event) => change(event.currentTarget.value)}>
      <option value="">{t.notGrouped}</option>
      {kGroupKeys.map((key) => (
        <option key={key} value={key}>
          {t.groupBy}: {names[key]}
        </option>
      ))}
    </select>
  );
}

function GroupRow({ group, chosen, choose }: { group: Group; chosen: boolean; choose: (chosen: boolean) => void }) {
  const t = texts();
  const ranks = group.listed.flatMap(({ report }) => (report.rank === null ? [] : [report.rank]));
  return (
    <tr class="group-row">
      <td>
        <input
          type="checkbox"
          aria-label={`${t.select} ${group.title}`}
          checked={chosen}
          onChange={(event) => choose(event.currentTarget.checked)}
        />
      </td>
      <th colSpan={11} scope="rowgroup">
        {group.title}{' '}
        <span class="faint">
          {count(group.listed.length)}
          {ranks.length > 1 ? ` · ${t.rank} ${rankSpan(ranks)}` : ''}
        </span>
      </th>
    </tr>
  );
}

/** "0–7" for many, all of them for a few. */
function rankSpan(ranks: readonly string[]): string {
  const numbers = ranks.map(Number).sort((a, b) => a - b);
  if (ranks.length <= 4 || numbers.some(Number.isNaN)) return ranks.slice(0, 8).join(', ');
  return `${numbers[0]}–${numbers[numbers.length - 1]}`;
}

function Heads({ state, change }: { state: ListState; change: (changed: Partial<ListState>) => void }) {
  const t = texts();
  const heads: ([SortKey, string] | [null, string])[] = [
    ['name', t.name],
    [null, t.tags],
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
    <thead>
      <tr>
        <th>{t.select}</th>
        {heads.map(([key, title]) =>
          key === null ? (
            <th key={title}>{title}</th>
          ) : (
            <th key={key} aria-sort={state.sort === key ? (state.down ? 'descending' : 'ascending') : undefined}>
              <button onClick={() => change({ sort: key, down: state.sort === key ? !state.down : false })}>
                {title}
                {state.sort === key ? (state.down ? ' ↓' : ' ↑') : ''}
              </button>
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}
