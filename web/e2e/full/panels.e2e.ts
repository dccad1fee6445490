// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What the panels lead to: marks, tables, plots, pictures, evidence.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addressed, boxOf, open, row, settled, until } from '../browser.ts';
import { useSite } from '../site.ts';

const site = useSite();

async function saved(page: Page, start: () => Promise<unknown>): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), start()]);
  return readFileSync(await download.path());
}

describe('panels', () => {
  it('the summary is saved as CSV with the numbers that it shows, and says why a device was idle', async () => {
    const { page } = await site.report('small', '?r=10000000_30000000');
    await page.getByText('Selected time', { exact: true }).waitFor();
    const text = (await saved(page, () => page.getByRole('button', { name: 'Save as CSV' }).click())).toString();
    const range = (await site.json('small/range?from=10000000&to=30000000')).tracks as { busy_ns: number }[];
    const busiest = Math.max(...range.map((one) => one.busy_ns));
    expect(text.split('\r\n')[0]).toBe('row,from_ns,to_ns,busy_ns,events,name,name_ns,name_events,exact');
    expect(text.split('\r\n')[1]).toContain(`,10000000,30000000,${busiest},`);
    await page.locator('.causes', { hasText: 'the CPU was in a call' }).getByRole('button').click();
    await addressed(page, 'r=10001000_');
    await page.close();
  });

  it('the legend marks names, and the link carries it', async () => {
    const { page } = await site.report('small', '?p=legend');
    const name = page.locator('.legend-names button').first();
    await name.click();
    await addressed(page, 'm=');
    expect(await name.getAttribute('aria-pressed')).toBe('true');
    const other = await open(site.browser, page.url());
    await other.page.locator('.legend-names button[aria-pressed="true"]').waitFor();
    await other.page.close();
    await page.keyboard.press('Escape');
    await until(page, () => !location.hash.includes('m='), null);
    await page.close();
  });

  it('a bar of the histogram leads to its events', async () => {
    const { page } = await site.report('small', '?p=details&e=5.5');
    await page.locator('.histogram .catch').first().click();
    await addressed(page, 'p=events', 'p.events=');
    await page.locator('.filtered').waitFor();
    const wanted = await page.locator('.panel-head .number').first().textContent();
    expect(wanted).toMatch(/^\d+ events?$/);
    await page.locator('.filtered button').click();
    await page.locator('.filtered').waitFor({ state: 'detached' });
    await page.close();
  });

  it('SQL is plotted, and whoever gets the link sees the plot', async () => {
    const { page, problems } = await site.report('small', '?p=sql');
    await page.getByRole('textbox', { name: 'SQL' }).fill('SELECT text, n FROM t');
    await page.keyboard.press('Control+Enter');
    await page.getByLabel('Show', { exact: true }).selectOption('bars');
    await page.locator('.plot rect').first().waitFor();
    await addressed(page, 'p.sqlplot=bars', 'p.sqlran=');
    const other = await open(site.browser, page.url());
    await other.page.locator('.plot rect').first().waitFor();
    expect([...problems, ...other.problems]).toEqual([]);
    await other.page.close();
    await page.close();
  });

  it('the flame graph shows rows and devices, and goes into a box and out again', async () => {
    const { page } = await site.report('small', '?p=flame');
    await page.locator('.flame button').nth(1).click();
    await addressed(page, 'p.flame=');
    await page.getByRole('button', { name: 'Show all' }).click();
    await until(page, () => !location.hash.includes('p.flame='), null);
    await page.getByLabel('Flame graph of').selectOption('device');
    await addressed(page, 'p.flameof=device');
    await page.locator('.flame button', { hasText: 'gemm' }).first().waitFor();
    await page.close();
  });

  it('a finding leads to its evidence', async () => {
    const { page } = await site.report('small', '?p=findings');
    await page
      .getByRole('button', { name: /^Show: / })
      .first()
      .click();
    await addressed(page, 'v=', 'r=', 'e=', 'p=findings');
    await settled(page);
    await page.close();
  });

  it('a name of the statistics leads to the timeline', async () => {
    const { page } = await site.report('small', '?p=stats');
    await page.locator('.chosen tbody button.link').first().click();
    await addressed(page, 'e=', 'm=', 'p=stats');
    await page.close();
  });

  it('the view is saved as SVG and PNG', async () => {
    for (const id of ['small', 'hostile']) {
      const { page, problems } = await site.report(id);
      const pick = (kind: string) => () => page.getByLabel('Save the view as a picture').selectOption(kind);
      const svg = (await saved(page, pick('svg'))).toString();
      const found = await page.evaluate((text) => {
        const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
        return [parsed.querySelector('parsererror')?.textContent ?? '', parsed.querySelectorAll('script').length];
      }, svg);
      expect(found).toEqual(['', 0]);
      if (id === 'small') expect(svg).toContain('>Kernels</text>');
      expect((await saved(page, pick('png'))).subarray(1, 4).toString()).toBe('PNG');
      expect(problems).toEqual([]);
      await page.close();
    }
  });

  it('the line below says what is under the pointer, everywhere, and covers no row', async () => {
    const { page } = await site.report('small');
    const box = await boxOf(page, 'canvas.rows');
    for (let y = 5; y < box.height; y += 23) {
      await page.mouse.move(box.x + 333, box.y + y);
      await until(page, () => (document.querySelector('.info-line')?.textContent ?? '').length > 3, null);
    }
    expect((await boxOf(page, '.info-bar')).y).toBeGreaterThanOrEqual(box.y + box.height - 1);
    await row(page, 'Kernels').click();
    await page.keyboard.press('e');
    await page.locator('.list-row').first().click();
    await page.keyboard.press('z');
    await settled(page);
    await page.close();
  });
});
