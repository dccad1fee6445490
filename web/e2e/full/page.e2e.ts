// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// A report in one page without a server, opened by a double click.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressed, open, settled, until } from '../browser.ts';
// @ts-expect-error plain JavaScript
import { selfContained } from '../self_contained.mjs';
import { useSite } from '../site.ts';

const site = useSite();
let folder: string;
const file = (name: string): string => `file://${join(folder, name)}`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-page-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a self-contained page', () => {
  it('shows its report, finds names and follows them, and says what needs a server', async () => {
    const thinned = 'Finer parts are left out: the page would be larger than 1 MB.';
    writeFileSync(join(folder, 'small.html'), await selfContained(site.base, 'small', { most: 8, thinned }));
    const { page, problems } = await open(site.browser, file('small.html'));
    await settled(page);
    await page.getByText(thinned).waitFor();
    const ranges = (await site.json('small/range?from=0&to=80000000')).tracks as { events: number; track: number }[];
    const nvtx = ranges.find((one) => one.track === 5)?.events ?? 0;
    await until(
      page,
      (events) => [...document.querySelectorAll('.pane tbody td')].some((cell) => cell.textContent === events),
      nvtx.toLocaleString('en-US'),
    );
    await page.keyboard.press('/');
    await page.keyboard.type('gemm');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.event-name', { hasText: 'gemm' }).waitFor();
    await addressed(page, 'e=');
    await page.getByRole('tab', { name: 'Statistics' }).click();
    await page.locator('.chosen tbody tr').first().waitFor();
    await page.getByRole('tab', { name: 'SQL' }).click();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('SQL: not in this page').waitFor();
    expect(problems).toEqual([]);
    await page.reload();
    await settled(page);
    await page.close();
  });

  it('says calmly in every panel what it has for the whole run only, and leads there', async () => {
    writeFileSync(join(folder, 'part.html'), await selfContained(site.base, 'small'));
    const { page, problems } = await open(site.browser, `${file('part.html')}#/report/small?r=10000000_30000000`);
    await settled(page);
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await until(page, () => !document.querySelector('.pane')?.textContent?.includes('Loading…'), null);
      if ((await tab.textContent()) === 'SQL') await page.getByRole('button', { name: 'Run' }).click();
      expect(await page.locator('.problem').allTextContents(), (await tab.textContent()) ?? '').toEqual([]);
    }
    await page.getByRole('tab', { name: 'Statistics' }).click();
    await page.getByText('Statistics of a part of the run: not in this page').waitFor();
    await page.getByRole('tab', { name: 'Summary' }).click();
    await page.getByText('Why devices were idle in a part of the run: not in this page').waitFor();
    const threads = page.getByText('What threads did in a part of the run: not in this page');
    await threads.getByRole('button', { name: 'See the whole run' }).click();
    await threads.waitFor({ state: 'detached' });
    await page.locator('.device-time').first().waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it('takes names with HTML in them for what they are', async () => {
    writeFileSync(join(folder, 'hostile.html'), await selfContained(site.base, 'hostile'));
    const { page, problems } = await open(site.browser, file('hostile.html'));
    await settled(page);
    expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined();
    expect(problems).toEqual([]);
    await page.close();
  });

  it('that was cut off says so', async () => {
    const whole = (await selfContained(site.base, 'empty')) as string;
    const broken = whole.replace(/(id="sextant-data">)[^<]{40}/, '$1');
    writeFileSync(join(folder, 'broken.html'), broken);
    const { page } = await open(site.browser, file('broken.html'));
    await page.getByText('This page cannot be shown').waitFor();
    await page.close();
  });
});
