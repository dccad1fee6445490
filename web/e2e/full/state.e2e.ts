// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Every way to change what is shown: by keys, mouse and fingers; that it is in the address, and that it can be undone.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { duration } from '../../model/units.ts';
import { addressed, boxOf, open, row, settled, until } from '../browser.ts';
// @ts-expect-error plain JavaScript
import { control } from '../mock_server.mjs';
import { useSite } from '../site.ts';

const site = useSite();
const hash = (page: Page): Promise<string> => page.evaluate(() => location.hash);
/** A pixel of these is that of those, two aside: pixels of time [from, to] over `width`. */
interface Spots {
  part: 'v' | 'r';
  width: number;
  whole: [number, number];
  /** Where in the picture, and where in the whole run that should be. */
  spots: [number, number][];
}

/** Waits until the view (v) or the selected time (r) of the address is where these pixels say. */
const placed = (page: Page, wanted: Spots): Promise<void> =>
  until(
    page,
    ({ part, width, whole, spots }) => {
      const found = new RegExp(`[?&]${part}=(-?\\d+)_(-?\\d+)`).exec(location.hash);
      if (!found) return false;
      const [from, to] = [Number(found[1]), Number(found[2])];
      const perPixel = (whole[1] - whole[0]) / width;
      return spots.every(
        ([x, then]) => Math.abs(from + ((to - from) / width) * x - (whole[0] + then * perPixel)) < 3 * perPixel,
      );
    },
    wanted,
  );
const viewOf = async (page: Page): Promise<[number, number]> => {
  const found = /[?&]v=(-?\d+)_(-?\d+)/.exec(await hash(page));
  return [Number(found?.[1]), Number(found?.[2])];
};

describe('state', () => {
  it('rows are chosen, made higher, pinned, collapsed and hidden by keys, and each step is undone', async () => {
    const { page, problems } = await site.report('small');
    const steps: [string, string][] = [
      ['j', 'row='],
      ['j', 'row=2'],
      ['j', 'row=3'],
      [']', 's='],
      ['}', 'rh='],
      ['i', 'pin='],
      ['c', '?c='],
      ['h', '&h='],
      ['t', 't=relative'],
      ['r', '?r='],
      ['g', 'p=legend'],
    ];
    const before: string[] = [];
    for (const [key, part] of steps) {
      before.push(await hash(page));
      await page.keyboard.press(key);
      await addressed(page, part);
    }
    for (const wanted of before.reverse()) {
      await page.keyboard.press('Backspace');
      await until(page, (one) => location.hash === one, wanted);
    }
    await page.keyboard.press('Shift+Backspace');
    await addressed(page, 'row=');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('rows are made higher by their edge, and the names wider by theirs', async () => {
    const { page } = await site.report('small');
    const before = await boxOf(page, '.row-label:has(.row-name:text-is("Kernels"))');
    await page.mouse.move(before.x + 40, before.y + before.height - 2);
    await page.mouse.down();
    await page.mouse.move(before.x + 40, before.y + before.height + 40, { steps: 5 });
    await page.mouse.up();
    await addressed(page, 'rh=');
    const after = await boxOf(page, '.row-label:has(.row-name:text-is("Kernels"))');
    expect(after.height).toBeGreaterThan(before.height + 15);
    const splitter = page.getByRole('separator', { name: 'Width of the names' });
    await splitter.focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
    expect((await boxOf(page, 'canvas.rows')).x).toBeGreaterThan(340);
    await page.close();
  });

  it('two fingers zoom, and what is under them stays; one finger moves; a tap selects', async () => {
    const { page, problems } = await site.report('training', '', 'light', { hasTouch: true });
    const box = await boxOf(page, 'canvas.rows');
    const devtools = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: number[]) =>
      devtools.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: xs.map((x, id) => ({ x: box.x + x, y: box.y + 120, id })),
      });
    await touch('touchStart', 400, 600);
    for (let i = 1; i <= 10; i++) await touch('touchMove', 400 - 20 * i, 600 + 20 * i);
    await touch('touchEnd');
    const whole: [number, number] = [0, 1e9];
    await placed(page, {
      part: 'v',
      width: box.width,
      whole,
      spots: [
        [200, 400],
        [800, 600],
      ],
    });
    const [from] = await viewOf(page);
    const pinched = await hash(page);
    await touch('touchStart', 500);
    for (let i = 1; i <= 5; i++) await touch('touchMove', 500 - 40 * i);
    await touch('touchEnd');
    await until(page, (one) => location.hash !== one, pinched);
    expect((await viewOf(page))[0]).toBeGreaterThan(from);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('an edge of the selected time can be moved, by mouse and by keys', async () => {
    const { page } = await site.report('small');
    const box = await boxOf(page, 'canvas.rows');
    const drag = async (from: number, to: number): Promise<void> => {
      await page.mouse.move(box.x + from, box.y + 60);
      await page.mouse.down();
      await page.mouse.move(box.x + to, box.y + 60, { steps: 6 });
      await page.mouse.up();
    };
    const selected = (from: number, to: number): Promise<void> => {
      const spots: [number, number][] = [
        [0, from],
        [box.width, to],
      ];
      return placed(page, { part: 'r', width: box.width, whole: [0, 80e6], spots });
    };
    await drag(200, 500);
    await selected(200, 500);
    await drag(500, 700);
    await selected(200, 700);
    for (let i = 0; i < 10; i++) await page.keyboard.press('Shift+ArrowLeft');
    await selected(200, 700 - box.width / 10);
    await page.close();
  });

  it('a box on the ruler zooms, and the strip above moves', async () => {
    const { page } = await site.report('training');
    const ruler = await boxOf(page, 'canvas.ruler');
    await page.mouse.move(ruler.x + 300, ruler.y + 10);
    await page.mouse.down();
    await page.mouse.move(ruler.x + 400, ruler.y + 10, { steps: 5 });
    await page.mouse.up();
    await addressed(page, 'v=');
    const [from, to] = await viewOf(page);
    expect(Math.abs(from - (300 / ruler.width) * 1e9)).toBeLessThan(3e6);
    expect(Math.abs(to - (400 / ruler.width) * 1e9)).toBeLessThan(3e6);
    const map = await boxOf(page, 'canvas.minimap');
    const before = await hash(page);
    await page.mouse.click(map.x + map.width * 0.8, map.y + 10);
    await until(page, (one) => location.hash !== one, before);
    expect((await viewOf(page))[0]).toBeGreaterThan(7e8);
    await page.close();
  });

  it('three reports stand above each other, aligned, and the link brings all of it back', async () => {
    const { page, problems } = await open(site.browser, site.base);
    for (const name of ['small.sxt', 'other.sxt', 'training.sxt'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    await page.getByRole('button', { name: 'Side by side (3/6)' }).click();
    const all = (one: Page, count: number): Promise<void> =>
      until(one, (n) => document.querySelectorAll('canvas.rows[data-settled="1"]').length === n, count);
    await all(page, 3);
    await page.keyboard.press('w');
    await page.keyboard.press('o');
    await addressed(page, 'a=2', 'v=');
    await page.keyboard.press('4');
    await page.keyboard.press('r');
    await page.getByLabel('Align').selectOption('range');
    await addressed(page, '2.p=stats', '2.r=', 'o=0_');
    await all(page, 3);
    const link = page.url();
    const other = await open(site.browser, link);
    await all(other.page, 3);
    expect(await other.page.getByRole('tab', { name: 'Statistics' }).getAttribute('aria-selected')).toBe('true');
    expect(await hash(other.page)).toBe(await hash(page));
    await other.page.getByRole('button', { name: 'Take this report away' }).nth(1).click();
    await all(other.page, 2);
    expect(await hash(other.page)).toContain('#/report/small/training');
    expect([...problems, ...other.problems]).toEqual([]);
    await other.page.close();
    await page.close();
  });

  it('back undoes a step of reports beside each other, however short one is, and then leads to where one came from', async () => {
    const { page, problems } = await open(site.browser, site.base);
    for (const name of ['training.sxt', 'small.sxt'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    await page.getByRole('button', { name: 'Side by side (2/6)' }).click();
    await addressed(page, '#/report/training/small', 'o=0_');
    const opened = await hash(page);
    await page.keyboard.press('w');
    await addressed(page, 'v=');
    await page.keyboard.press('Backspace');
    await until(page, (wanted) => location.hash === wanted, opened);
    await page.waitForTimeout(1000); // a state that rests so long would be another step
    expect(await hash(page)).toBe(opened);
    await page.goBack();
    await page.getByRole('checkbox', { name: 'Select small.sxt' }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it('back leads away from a report however its link was written', async () => {
    const { page } = await open(site.browser, `${site.base}#/`);
    await page.getByRole('checkbox', { name: 'Select small.sxt' }).waitFor();
    await page.goto(`${site.base}#/report/small?new=1&v=-99999999999_999999999999`);
    await settled(page);
    await page.waitForTimeout(1000);
    await page.goBack();
    await page.getByRole('checkbox', { name: 'Select small.sxt' }).waitFor();
    await page.close();
  });

  it('six reports can be marked, and none of them gives way to a seventh', async () => {
    const { page, problems } = await open(site.browser, site.base);
    const boxes = page.locator('tbody input[type=checkbox]');
    await boxes.nth(6).waitFor();
    for (let i = 0; i < 6; i++) await boxes.nth(i).check();
    await page.getByRole('button', { name: 'Side by side (6/6)' }).waitFor();
    expect(await boxes.nth(6).isDisabled()).toBe(true);
    expect(await boxes.nth(0).isChecked()).toBe(true);
    await boxes.nth(0).uncheck();
    await boxes.nth(6).check();
    await page.getByRole('button', { name: 'Side by side (6/6)' }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it('the list of a folder is filtered, grouped and tagged, and that is in the address', async () => {
    const { page, problems } = await open(site.browser, site.base);
    await page.getByRole('button', { name: 'Add a tag to small.sxt' }).click();
    await page.keyboard.type('good run');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '#good', exact: true }).click();
    await addressed(page, 'q=%23good');
    await until(page, () => document.querySelectorAll('tbody tr').length === 1, null);
    await page.getByLabel('Group', { exact: true }).selectOption('tag');
    await addressed(page, 'group=tag');
    await page.reload();
    await page.locator('.group-row', { hasText: /^good/ }).waitFor();
    await page.getByRole('button', { name: 'Remove tag good' }).first().click();
    await until(page, () => document.querySelectorAll('tbody tr').length === 0, null);
    await page.goBack();
    await page.goBack();
    await until(page, () => document.querySelectorAll('tbody tr').length > 3, null);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('notes are flags on the ruler: a key makes one, a click finds it', async () => {
    const { page } = await site.report('small', '?e=5.5');
    await page.keyboard.press('b');
    await page.locator('#note').waitFor();
    await until(page, () => document.activeElement?.id === 'note', null);
    await page.keyboard.type('here');
    await page.keyboard.press('Enter');
    await addressed(page, 'p.notes=');
    const time = Number(/p\.notes=(\d+)/.exec(await hash(page))?.[1]);
    await page.getByRole('tab', { name: 'Summary' }).click();
    const ruler = await boxOf(page, 'canvas.ruler');
    await page.mouse.click(ruler.x + (time / 80e6) * ruler.width + 8, ruler.y + 10);
    await page.locator('#note').waitFor();
    await page.close();
  });

  it('the row that is hidden by a filter is said, and comes back by a click', async () => {
    const { page } = await site.report('small');
    await page.keyboard.press('f');
    await page.keyboard.type('kernels');
    await addressed(page, 'q=kernels');
    await row(page, 'NVTX').waitFor({ state: 'detached' });
    await page.locator('.row-label.note', { hasText: 'hidden by the filter' }).first().getByRole('button').click();
    await row(page, 'NVTX').waitFor();
    await settled(page);
    await page.close();
  });

  it('the whole run is in sight at first, however little of it was recorded', async () => {
    const { page } = await site.report('late');
    const length = (await site.json('late')).length_ns as number;
    await page.locator('.panel-head', { hasText: `Visible ${duration(length)}` }).waitFor();
    expect(await hash(page)).not.toContain('v=');
    await page.close();
  });

  it('a report that grows fills by itself, and says why there is nothing yet', async () => {
    control.stage = 'empty';
    const { page, problems } = await open(site.browser, `${site.base}#/report/changing`);
    for (const tab of ['Summary', 'Events', 'Flame graph']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByText('there are no events yet').waitFor();
    }
    await page.getByRole('tab', { name: 'Statistics' }).click();
    await page.getByText('this is about what is there so far').waitFor();
    control.stage = 'grown';
    await page.locator('.chosen tbody tr').first().waitFor();
    await page.getByRole('tab', { name: 'Summary' }).click();
    await row(page, 'Kernels').waitFor();
    control.stage = 'complete';
    await page.locator('.growing').waitFor({ state: 'detached' });
    expect(await page.locator('.banner').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('damage that is met later is told when it is met', async () => {
    control.stage = 'complete';
    const { page, problems } = await site.report('changing');
    expect(await page.locator('.report-name .lost').count()).toBe(0);
    control.stage = 'damaged';
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.locator('.report-name .lost', { hasText: 'damaged' }).click();
    await page.getByText('damaged at byte 4096').waitFor();
    expect(await page.locator('.banner').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('a report that is replaced or deleted while it is open says so', async () => {
    control.stage = 'complete';
    const { page } = await site.report('changing', '?r=10000000_30000000&e=5.5&p=details');
    await page.locator('.event-name').waitFor();
    control.stage = 'replaced';
    await page.getByText('was changed or replaced').waitFor();
    await settled(page);
    const length = (await site.json('other')).length_ns as number;
    await page.locator('.report-name', { hasText: `node-17 · ${duration(length)}` }).waitFor();
    await until(page, () => !/[?&][re]=/.test(location.hash), null);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('was changed or replaced').waitFor({ state: 'detached' });
    control.stage = 'gone';
    await page.getByRole('alert').filter({ hasText: 'no longer there' }).waitFor();
    control.stage = 'replaced';
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.close();
  });
});
