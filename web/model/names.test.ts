// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { Names } from './names.ts';
import { kPalette, paletteIndex } from './palette.ts';
import { en } from './text/en.ts';
import { ko } from './text/ko.ts';

describe('Names', () => {
  it('fetches a page once, however many ask', async () => {
    const asked: number[] = [];
    const names = new Names(async (from, count) => {
      asked.push(from);
      return Array.from({ length: count }, (_, i) => `name ${from + i}`);
    });
    expect([names.text(3000), names.colour(3000)]).toEqual([undefined, 255]);
    await Promise.all([names.need([1, 3000]), names.need([3001, 2])]);
    await names.need([5]);
    expect(asked.sort()).toEqual([0, 2048]);
    expect(names.text(3000)).toBe('name 3000');
    expect(names.colour(3000)).toBe(paletteIndex('name 3000'));
  });
  it('shows what cannot be seen, so that no name looks like another one', async () => {
    const names = new Names(async () => ['a\nb', '\u202Egnp.exe', 'plain é 한', 'z\u200bero']);
    await names.need([0]);
    expect([0, 1, 2, 3].map((id) => names.text(id))).toEqual(['a·b', '·gnp.exe', 'plain é 한', 'z·ero']);
  });
  it('asks again after a failure, and for the end of a report that grows', async () => {
    let turn = 0;
    const names = new Names(async () => {
      if (turn++ === 0) throw new Error('away');
      return turn === 2 ? ['a'] : ['a', 'b'];
    });
    await expect(names.need([0])).rejects.toThrow('away');
    await names.need([0]);
    expect(names.text(1)).toBeUndefined();
    names.forgetIncomplete();
    await names.need([1]);
    expect(names.text(1)).toBe('b');
  });
});

describe('palette', () => {
  it('has colours on which its ink can be read (contrast of 4.5 and more)', () => {
    const luminance = (hex: string): number => {
      const [r, g, b] = [1, 3, 5]
        .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
        .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [number, number, number];
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    for (const { fill, ink } of kPalette)
      expect((luminance(fill) + 0.05) / (luminance(ink) + 0.05), fill).toBeGreaterThanOrEqual(4.5);
  });
  it('spreads names over all of them', () => {
    const used = new Set(Array.from({ length: 200 }, (_, i) => paletteIndex(`kernel_${i}`)));
    expect(used.size).toBe(kPalette.length);
  });
});

describe('texts', () => {
  it('are there in every language, of the same kind, and not empty', () => {
    expect(Object.keys(ko).sort()).toEqual(Object.keys(en).sort());
    for (const [key, value] of Object.entries(ko)) {
      expect(typeof value, key).toBe(typeof en[key as keyof typeof en]);
      expect(String(value), key).not.toBe('');
    }
  });
});
