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

  it('the summary of very many rows holds few of them until more are asked for', async () => {
    const { page } = await site.report('ranks');
    const rows = page.locator('.pane tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(25);
    await page.getByRole('button', { name: /^25 of [\d,]+: show more$/ }).click();
    await until(page, () => document.querySelectorAll('.pane tbody tr').length === 225, null);
    await page.close();
  });

  it('the summary says what each thread did in a selected time, and in which calls', async () => {
    const { page, problems } = await site.report('small', '?r=10000000_30000000');
    const threads = (await site.json('small/busy?of=threads&from=10000000&to=30000000')).threads;
    await until(page, (wanted) => document.querySelectorAll('.thread-time').length === wanted, threads.length);
    await page.locator('.thread-time summary').first().click();
    await page.locator('.thread-time .causes', { hasText: 'osrt_wait' }).getByRole('button').first().click();
    await addressed(page, 'r=10000000_');
    await page.keyboard.press('Escape');
    await until(page, () => document.querySelectorAll('.thread-time').length === 0, null);
    await page.getByRole('button', { name: 'What threads did' }).click();
    await page.locator('.thread-time').first().waitFor();
    await addressed(page, 'p.threads=shown');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('a frame of a call stack leads to its source, or to what to do', async () => {
    const tracks = (await site.json('small/tracks')).tracks as { id: number; kind: string }[];
    const calls = tracks.find((track) => track.kind === 'cuda_api')?.id;
    const { page, problems } = await site.report('small', `?p=details&e=${calls}.5`);
    expect(await page.locator('.stack li').first().getByRole('button').count()).toBe(0);
    await page.getByRole('button', { name: 'launch<float>(int)' }).click();
    await page.locator('.source .here', { hasText: 'launch<float>(n);' }).waitFor();
    await page.getByText('/build/app/train.cu:41').waitFor();
    await page.getByText('newer than the recording').waitFor();
    expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined();
    await addressed(page, 'p.frame=1');
    await page.getByRole('button', { name: 'main', exact: true }).click();
    await page.getByText('compile with -g').waitFor();
    const other = await open(site.browser, page.url().replace('/small', '/other'));
    await other.page.getByText('Start it with --source-path').waitFor();
    await page.keyboard.press('Backspace');
    await page.locator('.source .here').waitFor();
    expect([...problems, ...other.problems]).toEqual([]);
    await other.page.close();
    await page.close();
  });

  it('a link to an event that is not there says so, and offers others', async () => {
    const { page } = await site.report('small', '?p=details&e=1.999999');
    await page.locator('.pane .problem', { hasText: 'no such thing' }).waitFor();
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

  it('SQL: what stands below is the answer to the statement above, whichever the server gives last', async () => {
    const { page, problems } = await site.report('small', '?p=sql');
    let release = (): void => {};
    const released = new Promise<void>((done) => {
      release = done;
    });
    await page.route('**/sql', async (route) => {
      const { sql } = route.request().postDataJSON();
      if (sql.includes('slow')) await released;
      await route.fulfill({ json: { columns: [sql.slice(-4)], rows: [[1]], truncated: false, ms: 1 } });
    });
    const ask = async (statement: string): Promise<void> => {
      await page.getByRole('textbox', { name: 'SQL' }).fill(statement);
      await page.keyboard.press('Control+Enter');
    };
    const heads = (): Promise<string[]> => page.locator('.panel-body th').allTextContents();
    await ask('SELECT 1 AS fast');
    await page.locator('th', { hasText: 'fast' }).waitFor();
    await ask('SELECT 1 AS slow');
    await addressed(page, 'AS+slow');
    expect(await heads()).toEqual([]);
    await ask('SELECT 1 AS last');
    await page.locator('th', { hasText: 'last' }).waitFor();
    const late = page.waitForResponse('**/sql');
    release();
    await (await late).finished();
    await page.waitForTimeout(300);
    expect(await heads()).toEqual(['last']);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('a table of a selected time says the command that gives it', async () => {
    const { page } = await site.report('small', '?p=stats&r=1000_2000');
    await page.locator('code', { hasText: 'sextant stats -r nvtx_sum --filter-time 1000/2000 small.sxt' }).waitFor();
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

  it('the line below says how long something took, however long its name is', async () => {
    const { page } = await site.report('hostile');
    const box = await boxOf(page, 'canvas.rows');
    const label = await row(page, '<script>window.hacked=1</script>').boundingBox();
    await page.mouse.move(box.x + box.width * 0.55, (label?.y ?? 0) + 12);
    await page.locator('.info-event b', { hasText: 'xxxx' }).waitFor();
    const seen = async (selector: string): Promise<boolean> => {
      const { x, width } = await boxOf(page, selector);
      return width > 10 && x + width <= 1400;
    };
    for (const selector of ['.info-row', '.info-event .number', '.info-event .faint', '.info-time'])
      expect([selector, await seen(selector)]).toEqual([selector, true]);
    await page.close();
  });
});
