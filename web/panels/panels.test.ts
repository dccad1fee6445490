// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { histogram } from '../model/histogram.ts';
import { formatNotes, parseNotes } from '../model/notes.ts';
import { compareCells, csv } from './csv.ts';
import { firstRow } from './events/first_row.ts';
import { buildFlame, visibleFlames } from './flame/flame_tree.ts';
import { onlyOne } from './reports/only_one.ts';

describe('list of reports', () => {
  it('opens the one file that is served, but never the one that lies in a served folder', () => {
    expect(onlyOne({ reports: [{ id: 'a' }], folders: [] })).toBe('a');
    expect(onlyOne({ reports: [{ id: 'a' }], folders: ['runs'] })).toBe(null);
    expect(onlyOne({ reports: [{ id: 'a' }, { id: 'b' }], folders: [] })).toBe(null);
    expect(onlyOne({ reports: [], folders: [] })).toBe(null);
  });
});

describe('event table', () => {
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
      const bins = histogram(values);
      expect(bins.counts.reduce((a, b) => a + b)).toBe(values.length);
      expect(bins.counts.length).toBeLessThanOrEqual(40);
    }
    expect(histogram([]).total).toBe(0);
    expect(histogram([1, 9, 4]).median).toBe(4);
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
