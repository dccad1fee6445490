// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What people do with the viewer, done in a browser against the mock server: the ways that must always work. More is
// in full/.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addressed, axeProblems, open, row, settled, until } from './browser.ts';
// @ts-expect-error plain JavaScript
import { startMock } from './mock_server.mjs';
import { useSite } from './site.ts';

const site = useSite();
const { report, json } = site;
const detailsName = (page: Page) => page.locator('.event-name');

describe('journeys', () => {
  it('opens a report from the list, and comes back to it', async () => {
    const { page, problems } = await open(site.browser, site.base);
    await page.getByRole('searchbox', { name: 'Filter reports' }).fill('train.py small');
    expect(await page.locator('tbody tr').count()).toBe(1);
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
    await page.getByRole('button', { name: /^Duration/ }).click();
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
    const other = await open(site.browser, page.url());
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
    const other = await open(site.browser, page.url());
    await settled(other.page);
    await other.page.getByText('slow <b>step</b>').waitFor();
    expect([...problems, ...other.problems]).toEqual([]);
    await other.page.close();
    await page.close();
  });

  it('shows names with HTML in them as what they are', async () => {
    const { page, problems } = await report('hostile');
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await page.waitForTimeout(200);
    }
    await page.getByRole('tab', { name: 'Summary' }).click();
    await page.getByRole('button', { name: '<script>window.hacked=1</script>' }).first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('<');
    await page.getByRole('option').first().waitFor();
    await page.goto(site.base);
    await page.getByText('<img src=x onerror=window.hacked=1>').waitFor();
    expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined();
    expect(await page.locator('#app img, #app script').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('opens a report without events, and says so', async () => {
    const { page, problems } = await open(site.browser, `${site.base}#/report/empty`);
    await page.getByText('The report has no events').waitFor();
    for (const tab of await page.getByRole('tab').all()) await tab.click();
    await page.getByText('nothing was recorded').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it('holds 300 ranks, of which only those in sight are elements', async () => {
    const { page } = await report('ranks');
    expect(await page.locator('.row-label').count()).toBeLessThan(80);
    await page.keyboard.press('f');
    await page.keyboard.type('rank 299');
    await page.locator('.row-label.note', { hasText: '299 rows hidden by the filter' }).waitFor();
    await row(page, 'Rank 299').waitFor();
    await page.close();
  });

  it('puts two reports beside each other, which move together', async () => {
    const { page, problems } = await open(site.browser, `${site.base}#/report/small/other`);
    await until(page, () => document.querySelectorAll('canvas.rows[data-settled="1"]').length === 2, null);
    await page.keyboard.press('w');
    await addressed(page, 'v=');
    await until(page, () => document.querySelectorAll('canvas.rows[data-settled="1"]').length === 2, null);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('says when the server is away, and goes on when it is back', async () => {
    const own = await startMock(0);
    const port = own.address().port as number;
    const { page } = await open(site.browser, `http://127.0.0.1:${port}/#/report/training`);
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
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('ko');
    await page.close();
  });

  it('passes the rules of axe', async () => {
    for (const hash of ['', '#/report/small?p=details&e=5.5'])
      expect(await axeProblems(site.browser, site.base + hash, 'light'), hash).toEqual([]);
  });
});
