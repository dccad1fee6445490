// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What people do with the viewer, done in a browser against the mock server.
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressed, launch, open, settled, until } from './browser.ts';
// @ts-expect-error plain JavaScript
import { startMock } from './mock_server.mjs';

let browser: Browser;
let server: { close: () => void; closeAllConnections: () => void; address: () => { port: number } };
let base: string;
const pictures = new URL('./out/', import.meta.url).pathname;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  server = await startMock(0);
  base = `http://127.0.0.1:${server.address().port}/`;
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

const json = async (path: string): Promise<any> => (await fetch(`${base}api/v1/reports/${path}`)).json();
const row = (page: Page, name: string) =>
  page.locator('.row-label', { has: page.locator('.row-name', { hasText: new RegExp(`^${name}$`) }) });
const detailsName = (page: Page) => page.locator('.event-name');

async function report(id: string, query = '', scheme: 'light' | 'dark' = 'light') {
  const watched = await open(browser, `${base}#/report/${id}${query}`, scheme);
  await settled(watched.page);
  return watched;
}

describe('journeys', () => {
  it('opens a report from the list, and comes back to it', async () => {
    const { page, problems } = await open(browser, base);
    await page.getByRole('searchbox', { name: 'Filter reports' }).fill('train.py small');
    expect(await page.locator('tbody tr').count()).toBe(1);
    await page.screenshot({ path: `${pictures}reports.png` });
    await page.getByRole('button', { name: 'small.sxt', exact: true }).click();
    await settled(page);
    expect(page.url()).toContain('#/report/small');
    await page.getByTitle('All reports').click();
    await page.getByRole('heading', { name: 'Reports' }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it('finds the longest kernel and follows it to its launch', async () => {
    const { page, problems } = await report('small');
    await row(page, 'Kernels').click();
    await page.keyboard.press('e');
    await page.getByRole('button', { name: /^duration/ }).click();
    const tracks = (await json('small/tracks')).tracks as { id: number; kind: string }[];
    const kernels = tracks.find((track) => track.kind === 'kernels')?.id;
    const longest = (await json(`small/events?track=${kernels}&sort=duration&order=desc&limit=1`)).rows[0] as number[];
    const first = page.locator('.list-row').first();
    await until(
      page,
      (wanted) => document.querySelector('.list-row .cell-start')?.textContent === wanted,
      `${((longest[1] as number) / 1e9).toFixed(9)} s`,
    );
    await first.click();
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByText('launched by').waitFor();
    await settled(page);
    await page.screenshot({ path: `${pictures}kernel.png` });
    await page.locator('canvas.rows').focus();
    await page.keyboard.press('l');
    await until(page, () => document.querySelector('.event-name')?.textContent === 'cudaLaunchKernel', null);
    await page.getByText('launches').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it('selects a range and reads the numbers that the server has', async () => {
    const { page } = await report('small');
    const box = await page.locator('canvas.rows').boundingBox();
    if (!box) throw new Error('no canvas');
    await page.mouse.move(box.x + 200, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + 500, box.y + 60, { steps: 4 });
    await page.mouse.up();
    await page.getByText('Selected time', { exact: true }).waitFor();
    await addressed(page, 'r=');
    const [from, to] = (/r=(\d+)_(\d+)/.exec(page.url()) ?? []).slice(1);
    const range = (await json(`small/range?from=${from}&to=${to}`)).tracks as { events: number; busy_ns: number }[];
    const busiest = range.filter((track) => track.events > 0).sort((a, b) => b.busy_ns - a.busy_ns)[0];
    await until(
      page,
      (events) => document.querySelector('.pane tbody tr td:nth-child(4)')?.textContent === events,
      busiest?.events.toLocaleString('en-US') ?? '',
    );
    await page.keyboard.press('z');
    await addressed(page, 'v=');
    await page.keyboard.press('Escape');
    await page.getByText('Visible', { exact: true }).waitFor();
    await page.close();
  });

  it('searches as one types and jumps to the first of a name', async () => {
    const { page, problems } = await report('training');
    await page.keyboard.press('/');
    await page.keyboard.type('flash');
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('option').first().textContent()).toContain('flash_fwd_kernel');
    await page.keyboard.press('Enter');
    await detailsName(page).waitFor();
    expect(await detailsName(page).textContent()).toContain('flash_fwd_kernel');
    await page.keyboard.press('Escape');
    await settled(page);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('shares the view by its address, and steps back', async () => {
    const { page } = await report('small');
    for (const key of ['w', 'w', 'd']) await page.keyboard.press(key);
    await row(page, 'Kernels').hover();
    await row(page, 'Kernels').getByRole('button', { name: 'Pin to the top' }).click();
    await page.keyboard.press('4');
    await addressed(page, 'pin=', 'p=stats', 'v=');
    const other = await open(browser, page.url());
    await settled(other.page);
    await other.page.locator('.labels.pinned .row-label').waitFor();
    expect(await other.page.getByRole('tab', { name: 'Statistics' }).getAttribute('aria-selected')).toBe('true');
    const view = /v=[\d_]+/.exec(page.url())?.[0];
    expect(view).toBeTruthy();
    expect(other.page.url()).toContain(view);
    await other.page.close();
    await page.locator('canvas.rows').focus();
    await page.keyboard.press('Backspace');
    await until(page, () => !location.hash.includes('p=stats'), null);
    await page.close();
  });

  it('keeps notes in the link', async () => {
    const { page, problems } = await report('small', '?p=notes');
    await page.getByPlaceholder('Note at the selection').fill('slow <b>step</b>');
    await page.keyboard.press('Enter');
    await addressed(page, 'p.notes=');
    const other = await open(browser, page.url());
    await settled(other.page);
    await other.page.getByText('slow <b>step</b>').waitFor();
    expect([...problems, ...other.problems]).toEqual([]);
    await other.page.close();
    await page.close();
  });

  it('zooms with the wheel to where the pointer is, in light and dark', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const { page, problems } = await report('training', '', scheme);
      await page.screenshot({ path: `${pictures}overview-${scheme}.png` });
      const box = await page.locator('canvas.rows').boundingBox();
      if (!box) throw new Error('no canvas');
      await page.mouse.move(box.x + 600, box.y + 130);
      const before = await page.locator('.info-time').textContent();
      for (let i = 0; i < 25; i++) await page.mouse.wheel(0, -100);
      await addressed(page, 'v=');
      await settled(page);
      const after = await page.locator('.info-time').textContent();
      expect(Math.abs(Number.parseFloat(after ?? '') - Number.parseFloat(before ?? ''))).toBeLessThan(0.002);
      await page.screenshot({ path: `${pictures}zoomed-${scheme}.png` });
      expect(problems).toEqual([]);
      await page.close();
    }
  });

  it('shows names with HTML in them as what they are', async () => {
    const { page, problems } = await report('hostile');
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await page.waitForTimeout(200);
    }
    await page.getByRole('tab', { name: 'Summary' }).click();
    await page.getByRole('button', { name: '<script>window.hacked=1</script>' }).first().waitFor();
    await page.screenshot({ path: `${pictures}hostile.png` });
    await page.keyboard.press('/');
    await page.keyboard.type('<');
    await page.getByRole('option').first().waitFor();
    await page.goto(base);
    await page.getByText('<img src=x onerror=window.hacked=1>').waitFor();
    expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined();
    expect(await page.locator('#app img, #app script').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('opens a report without events, and says so', async () => {
    const { page, problems } = await open(browser, `${base}#/report/empty`);
    await page.getByText('No events in this time').waitFor();
    for (const tab of await page.getByRole('tab').all()) await tab.click();
    await page.getByText('nothing was recorded').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it('holds 300 ranks, of which only those in sight are elements', async () => {
    const { page } = await report('ranks');
    expect(await page.locator('.row-label').count()).toBeLessThan(80);
    await page.screenshot({ path: `${pictures}ranks.png` });
    await page.keyboard.press('f');
    await page.keyboard.type('rank 299');
    await page.locator('.row-label.note', { hasText: '299 rows hidden by the filter' }).waitFor();
    await row(page, 'Rank 299').waitFor();
    await page.close();
  });

  it('puts two reports beside each other, which move together', async () => {
    const { page, problems } = await open(browser, `${base}#/report/small/other`);
    await until(page, () => document.querySelectorAll('canvas.rows[data-settled="1"]').length === 2, null);
    await page.keyboard.press('w');
    await addressed(page, 'v=');
    await until(page, () => document.querySelectorAll('canvas.rows[data-settled="1"]').length === 2, null);
    await page.screenshot({ path: `${pictures}compare.png` });
    expect(problems).toEqual([]);
    await page.close();
  });

  it('says when the server is away, and goes on when it is back', async () => {
    const own = await startMock(0);
    const port = own.address().port as number;
    const { page } = await open(browser, `http://127.0.0.1:${port}/#/report/training`);
    await settled(page);
    own.closeAllConnections();
    await new Promise<void>((done) => own.close(() => done()));
    for (let i = 0; i < 12; i++) await page.keyboard.press('w');
    await page.getByRole('alert').waitFor();
    const again = await startMock(port);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await settled(page);
    await page.close();
    again.closeAllConnections();
    again.close();
  });

  it('speaks Korean, and lists its shortcuts', async () => {
    const { page } = await report('small');
    await page.getByLabel('Language').selectOption('ko');
    await page.getByRole('tab', { name: '요약' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    expect(await page.locator('.help dt').count()).toBeGreaterThan(20);
    await page.screenshot({ path: `${pictures}korean.png` });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('ko');
    await page.close();
  });

  it('passes the rules of axe in both themes', async () => {
    const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
    const pages = {
      light: [
        '',
        '#/report/small',
        ...['details&e=5.5', 'events&e=5.5', 'stats', 'findings', 'flame', 'sql', 'notes', 'about'].map(
          (panel) => `#/report/small?p=${panel}`,
        ),
      ],
      dark: ['', '#/report/small?p=details&e=5.5', '#/report/small?p=stats'],
    };
    for (const scheme of ['light', 'dark'] as const) {
      for (const hash of pages[scheme]) {
        const page = await browser.newPage({
          viewport: { width: 1400, height: 860 },
          colorScheme: scheme,
          bypassCSP: true,
        });
        await page.goto(base + hash);
        await page.waitForSelector('main, canvas.rows[data-settled="1"]');
        await page.waitForTimeout(400);
        await page.addScriptTag({ path: axe });
        const found = await page.evaluate(async () =>
          (await (window as any).axe.run(document)).violations.map(
            (violation: any) =>
              `${violation.id}: ${violation.nodes
                .map((node: any) => node.html.slice(0, 160))
                .slice(0, 3)
                .join(' | ')}`,
          ),
        );
        expect(found, `${scheme} ${hash}`).toEqual([]);
        await page.close();
      }
    }
  });
});
