// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { histogram } from '../api/histogram.ts';
import { formatNotes, parseNotes } from '../model/notes.ts';
import { compareCells, csv } from './csv.ts';
import { kAllEvents, packEvents, parseEvents } from './events/events_state.ts';
import { firstRow } from './events/first_row.ts';
import { at, buildFlame, visibleFlames } from './flame/flame_tree.ts';
import { sumNames } from './legend/sum_names.ts';
import { onlyOne } from './reports/only_one.ts';
import { type Listed, gpuText, groupReports, matchesReport, sortReports } from './reports/report_list.ts';
import { cleanTag } from './reports/tags.ts';
import { defaultForm, kMostPoints, kMostSeries, plotData } from './sql/plot_data.ts';

describe('list of reports', () => {
  it('opens the one file that is served, but never the one that lies in a served folder', () => {
    expect(onlyOne({ reports: [{ id: 'a' }], folders: [] })).toBe('a');
    expect(onlyOne({ reports: [{ id: 'a' }], folders: ['runs'] })).toBe(null);
    expect(onlyOne({ reports: [{ id: 'a' }, { id: 'b' }], folders: [] })).toBe(null);
    expect(onlyOne({ reports: [], folders: [] })).toBe(null);
  });
});

describe('list of reports', () => {
  const listed = (name: string, more: object = {}, tags: string[] = []): Listed => ({
    tags,
    report: {
      ...{ id: name, name, path: `runs/${name}`, host: 'node1', program: './train', gpus: null, started: null },
      ...{
        length_ns: 1,
        rank: null,
        lost: 0,
        verdict: 'complete',
        growing: false,
        bytes: 1,
        state: 'complete' as const,
      },
      ...more,
    },
  });
  const one = listed('a.sxt', { rank: '10', started: '2026-01-01T10:00:00Z', gpus: ['NVIDIA A100'] }, ['good']);
  const two = listed('b.sxt', { rank: '9', started: '2026-01-01T10:00:02Z' }, ['good', 'slow']);
  const three = listed('c.sxt', { path: 'old/c.sxt', started: '2026-01-02T10:00:00Z', state: 'cut' });
  const names = (all: Listed[]): string[] => all.map(({ report }) => report.name);
  it('finds words anywhere, and tags by #', () => {
    expect(matchesReport(one, 'a100 TRAIN')).toBe(true);
    expect(matchesReport(one, '#goo')).toBe(true);
    expect(matchesReport(three, '#good')).toBe(false);
    expect(matchesReport(three, 'cut')).toBe(true);
    expect(matchesReport(three, '')).toBe(true);
  });
  it('sorts ranks as numbers', () => {
    expect(names(sortReports([one, two, three], 'rank', false))).toEqual(['c.sxt', 'b.sxt', 'a.sxt']);
    expect(names(sortReports([one, two, three], 'nonsense', true))).toEqual(['c.sxt', 'b.sxt', 'a.sxt']);
  });
  it('groups by folder, tag and the run that ranks belong to', () => {
    const titles = (by: string): [string, string[]][] =>
      groupReports([one, two, three], by).map((group) => [group.title, names(group.listed)]);
    expect(titles('')).toEqual([['', ['a.sxt', 'b.sxt', 'c.sxt']]]);
    expect(titles('folder')).toEqual([
      ['runs', ['a.sxt', 'b.sxt']],
      ['old', ['c.sxt']],
    ]);
    expect(titles('tag')).toEqual([
      ['good', ['a.sxt', 'b.sxt']],
      ['slow', ['b.sxt']],
      ['–', ['c.sxt']],
    ]);
    expect(titles('job').map(([, members]) => members)).toEqual([['a.sxt', 'b.sxt'], ['c.sxt']]);
  });
  it('says equal GPUs once, and keeps tags to one word', () => {
    expect(gpuText(['A', 'A', 'B'])).toBe('2 × A, B');
    expect(cleanTag(' #very good, ')).toBe('very-good-');
  });
});

describe('event table', () => {
  it('keeps its filter in the address', () => {
    expect(packEvents(kAllEvents)).toBe('');
    const state = { by: 'duration', down: true, min: 5, max: null, onlyVisible: true, text: 'a;b\nc' };
    expect(parseEvents(packEvents(state))).toEqual(state);
    for (const broken of [undefined, '', 'x', ';;;;;']) expect(parseEvents(broken)).toEqual(kAllEvents);
  });
  it('reaches the first and the last row of any number of events', () => {
    for (const total of [0, 1, 8, 9, 100, 5e6, 1e8]) {
      const viewport = 200;
      const height = Math.min(total * 22, 8e6);
      expect(firstRow(0, total, viewport)).toBe(0);
      expect(firstRow(Math.max(0, height - viewport), total, viewport)).toBe(Math.max(0, total - 9));
    }
  });
});

describe('histogram', () => {
  it('counts every value once, also where all are equal or far apart', () => {
    for (const values of [[5, 5], [1, 2, 3, 1000000], Array.from({ length: 500 }, (_, i) => i * i)]) {
      const bins = histogram(values, 40);
      expect(bins.counts.reduce((a, b) => a + b)).toBe(values.length);
      expect(bins.counts.length).toBeLessThanOrEqual(40);
    }
    expect(histogram([], 40).total).toBe(0);
    expect(histogram([1, 9, 4], 40).median).toBe(4);
    expect(histogram([1, 9, 4, 6], 40).median).toBe(5);
  });
});

describe('notes', () => {
  it('come back from the address, without what is broken', () => {
    const notes = [
      { time: 5, text: 'slow <b>here</b>' },
      { time: 123456789012345, text: 'two\nlines' },
    ];
    expect(parseNotes(formatNotes(notes))).toEqual([notes[0], { time: 123456789012345, text: 'two lines' }]);
    expect(parseNotes('x\n5\n-1 a\n7 b')).toEqual([{ time: 7, text: 'b' }]);
    expect(parseNotes(undefined)).toEqual([]);
  });
});

describe('flame graph', () => {
  const root = buildFlame({
    frames: ['main', 'a', 'b'],
    stacks: [
      [[0, 1], 30],
      [[0, 2], 60],
      [[0, 1, 2], 10],
    ],
  });
  it('merges stacks and keeps their weights', () => {
    expect(root.weight).toBe(100);
    expect(root.children.map((child) => [child.name, child.weight])).toEqual([['main', 100]]);
    expect(root.children[0]?.children.map((child) => [child.name, child.weight])).toEqual([
      ['a', 40],
      ['b', 60],
    ]);
  });
  it('places boxes inside of their parents', () => {
    const placed = visibleFlames(root);
    expect(placed[3]?.path).toEqual(['main', 'a', 'b']);
    expect(at(root, ['main', 'a', 'b'])?.weight).toBe(10);
    expect(at(root, ['main', 'x', 'b'])).toBeUndefined();
    expect(placed.map(({ flame, left, width, depth }) => [flame.name, left, width, depth])).toEqual([
      ['main', 0, 1, 0],
      ['b', 0, 0.6, 1],
      ['a', 0.6, 0.4, 1],
      ['b', 0.6, 0.1, 2],
    ]);
  });
});

describe('tables', () => {
  it('sort numbers as numbers and nothing first', () => {
    expect([10, 9, null, 'b', 'a'].sort(compareCells)).toEqual([null, 9, 10, 'a', 'b']);
  });
  it('are written as CSV that other programs read', () => {
    expect(
      csv(
        [{ name: 'a' }, { name: 'b,c' }],
        [
          [1, 'x "y"'],
          [null, 'two\nlines'],
        ],
      ),
    ).toBe('a,"b,c"\r\n1,"x ""y"""\r\n,"two\nlines"');
  });
});

describe('a plot', () => {
  const rows = [
    ['a', 1, 5, null],
    ['b', 3, -2, null],
  ];
  it('draws columns of numbers over the first column', () => {
    const data = plotData({ columns: ['name', 'n', 'm', 'none'], rows });
    expect(data?.x.labels).toEqual(['a', 'b']);
    expect(data?.series.map((one) => one.name)).toEqual(['n', 'm']);
    expect([data?.low, data?.high]).toEqual([-2, 5]);
    expect(data && defaultForm(data)).toBe('bars');
  });
  it('puts numbers where they are', () => {
    const data = plotData({
      columns: ['x', 'y'],
      rows: [
        [1, 2],
        [5, 3],
        [9, null],
      ],
    });
    expect(data?.x.at).toEqual([1, 5, 9]);
    expect(data?.series[0]?.values).toEqual([2, 3, null]);
    expect(data && defaultForm(data)).toBe('line');
  });
  it('has something to show for one column, and says when there is nothing or too much', () => {
    expect(plotData({ columns: ['n'], rows: [[4], [2]] })?.x.labels).toEqual(['1', '2']);
    expect(plotData({ columns: ['text'], rows: [['x']] })).toBeNull();
    expect(plotData({ columns: ['n'], rows: [] })).toBeNull();
    const wide = plotData({ columns: Array.from({ length: 12 }, (_, i) => `c${i}`), rows: [Array(12).fill(1)] });
    expect([wide?.series.length, wide?.leftOut]).toEqual([kMostSeries, 11 - kMostSeries]);
    expect(plotData({ columns: ['n'], rows: Array(5000).fill([1]) })?.x.at).toHaveLength(kMostPoints);
  });
});

describe('legend', () => {
  it('adds up a name over the rows', () => {
    const top = (name: number, ns: number) => ({ name, ns, events: 2 });
    const tracks = [
      { track: 1, busy_ns: 9, events: 4, top: [top(5, 6), top(7, 3)] },
      { track: 2, busy_ns: 9, events: 4, top: [top(7, 9)] },
    ];
    expect(sumNames({ tracks })).toEqual([
      { name: 7, ns: 12, events: 4, rows: 2 },
      { name: 5, ns: 6, events: 2, rows: 1 },
    ]);
  });
});
