// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { marks, niceStep } from './ruler.ts';
import { bytes, duration, instant, percent, utc, withUnit } from './units.ts';

describe('units', () => {
  it('takes the unit that fits, also where rounding reaches the next one', () => {
    expect([0, 1, 999, 1000, 4900, 192590, 999960, 1.5e9, 61e9].map(duration)).toEqual([
      '0 ns',
      '1 ns',
      '999 ns',
      '1 µs',
      '4.90 µs',
      '193 µs',
      '1.00 ms',
      '1.50 s',
      '1.02 min',
    ]);
    expect(duration(Number.POSITIVE_INFINITY)).toBe('…');
  });
  it('writes points in time as exact as neighbours differ', () => {
    expect(instant(1234567890, 1)).toBe('1.234567890 s');
    expect(instant(1234567890, 1e6)).toBe('1.235 s');
    expect(utc('1714557600123456789', 1, 1)).toBe('10:00:00.123456790');
    expect(utc('1714557600123456789', 0, 1e9)).toBe('10:00:00');
  });
  it('never says 0 % of something nor 100 % of less', () => {
    expect([0, 0.0001, 0.05, 0.5, 0.994, 1].map(percent)).toEqual(['0 %', '<0.1 %', '5.0 %', '50 %', '99 %', '100 %']);
  });
  it('shows cells with their units', () => {
    expect(withUnit(2500, 'ns')).toBe('2.50 µs');
    expect(withUnit(49152, 'B')).toBe('49.2 kB');
    expect(withUnit(null, 'ns')).toBe('–');
    expect(withUnit({ hex: 'ff' }, null)).toBe('0xff');
    expect(bytes(5)).toBe('5 B');
  });
});

describe('ruler', () => {
  it('steps by 1, 2, 5, and by minutes for hours', () => {
    expect([0.2, 3, 40, 700, 4e8, 7e9, 100e9, 3000e9].map(niceStep)).toEqual([
      1, 5, 50, 1000, 5e8, 10e9, 120e9, 3600e9,
    ]);
  });
  it('labels neighbours differently at every zoom', () => {
    for (let span = 20; span < 1e13; span *= 3.7) {
      for (const from of [0, 123456789012]) {
        const labels = marks({ from, to: from + span }, 1200, 'absolute', 0, '0').map((mark) => mark.label);
        expect(labels.length).toBeGreaterThan(2);
        expect(new Set(labels).size).toBe(labels.length);
      }
    }
  });
  it('counts from the selection when asked', () => {
    const labels = marks({ from: 900, to: 1100 }, 220, 'relative', 1000, '0').map((mark) => mark.label);
    expect(labels).toContain('0');
    expect(labels).toContain('+100 ns');
    expect(labels).toContain('−100 ns');
  });
});
