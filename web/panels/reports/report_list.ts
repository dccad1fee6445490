// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Which reports of a folder are listed, in which order and under which headings.
import type { Report } from '../../api/types.ts';
import { compareCells } from '../csv.ts';

export const kSortKeys = [
  'name',
  'host',
  'program',
  'gpus',
  'started',
  'length_ns',
  'rank',
  'lost',
  'bytes',
  'verdict',
] as const;
export type SortKey = (typeof kSortKeys)[number];

export const kGroupKeys = ['folder', 'host', 'program', 'job', 'state', 'tag'] as const;
export type GroupKey = (typeof kGroupKeys)[number];

export interface Listed {
  report: Report;
  tags: string[];
}

export interface Group {
  title: string;
  listed: Listed[];
}

const keyValue = (report: Report, key: SortKey): string | number | null => {
  if (key === 'gpus') return report.gpus?.join(', ') ?? null;
  // "10" after "9".
  if (key === 'rank' && report.rank !== null && /^\d+$/.test(report.rank)) return Number(report.rank);
  return report[key];
};

/** "4 × NVIDIA A100" */
export function gpuText(gpus: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const gpu of gpus) counts.set(gpu, (counts.get(gpu) ?? 0) + 1);
  return [...counts].map(([gpu, count]) => (count > 1 ? `${count} × ${gpu}` : gpu)).join(', ');
}

/** Every word must be somewhere; #word must be a tag. */
export function matchesReport({ report, tags }: Listed, filter: string): boolean {
  const { name, path, host, program, verdict, rank, state } = report;
  const all = [name, path, host, program, verdict, rank, state, ...(report.gpus ?? []), ...tags]
    .join('\n')
    .toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) =>
      word.startsWith('#') && word.length > 1
        ? tags.some((tag) => tag.toLowerCase().startsWith(word.slice(1)))
        : all.includes(word),
    );
}

export function sortReports(listed: readonly Listed[], key: string, down: boolean): Listed[] {
  const by = kSortKeys.find((known) => known === key) ?? 'started';
  return [...listed].sort(
    (a, b) =>
      (down ? -1 : 1) * compareCells(keyValue(a.report, by), keyValue(b.report, by)) ||
      compareCells(a.report.path, b.report.path),
  );
}

const folderOf = (report: Report): string => report.path.slice(0, Math.max(0, report.path.lastIndexOf('/')));

/** Ranks of one run: the same program in the same folder, started within a minute of the first of them. */
const kJobMs = 60000;

function jobs(listed: readonly Listed[]): Map<Listed, string> {
  const titles = new Map<Listed, string>();
  const open = new Map<string, { from: number; title: string }>();
  const byStart = [...listed].sort((a, b) => compareCells(a.report.started, b.report.started));
  for (const one of byStart) {
    const { report } = one;
    const what = `${folderOf(report)}\n${report.program ?? report.name}`;
    const start = Date.parse(report.started ?? '');
    const job = open.get(what);
    if (job && report.rank !== null && start - job.from <= kJobMs) titles.set(one, job.title);
    else {
      const when = report.started?.replace('T', ' ').slice(0, 19) ?? '';
      const title = [report.program ?? report.name, when].filter(Boolean).join(' · ');
      titles.set(one, title);
      open.set(what, { from: start, title });
    }
  }
  return titles;
}

export function groupReports(listed: readonly Listed[], by: string): Group[] {
  if (!kGroupKeys.some((key) => key === by)) return [{ title: '', listed: [...listed] }];
  const jobTitles = by === 'job' ? jobs(listed) : null;
  const titlesOf = (one: Listed): string[] => {
    if (by === 'tag') return one.tags.length ? one.tags : ['–'];
    if (by === 'folder') return [folderOf(one.report) || '.'];
    if (jobTitles) return [jobTitles.get(one) ?? '–'];
    return [one.report[by as 'host' | 'program' | 'state'] ?? '–'];
  };
  const groups = new Map<string, Listed[]>();
  for (const one of listed) for (const title of titlesOf(one)) groups.set(title, [...(groups.get(title) ?? []), one]);
  return [...groups].map(([title, members]) => ({ title, listed: members }));
}
