// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The viewer on the real server and a real recording: SEXTANT_BUILD names a build folder with `sextant` and the
// example `pipeline`. Without it these are skipped, and say so.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressed, launch, open, row, settled, until } from './browser.ts';

const build = process.env.SEXTANT_BUILD ?? '';
const sextant = join(build, 'bin/sextant');
const pipeline = join(build, 'examples/pipeline');
const possible = build !== '' && existsSync(sextant) && existsSync(pipeline);
if (!possible)
  console.log(
    'SKIPPED: journeys on the real server need SEXTANT_BUILD, a folder with bin/sextant and examples/pipeline',
  );

let folder: string;
let browser: Browser;
let server: ChildProcess;
let address: string;
let port: number;

const run = (...words: string[]): string =>
  execFileSync(sextant, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

async function serve(atPort: number, ...more: string[]): Promise<void> {
  server = spawn(sextant, ['serve', '--port', String(atPort), '--no-cache', ...more, folder], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  address = await new Promise((done, failed) => {
    let said = '';
    const read = (part: Buffer): void => {
      said += part.toString();
      const found = /https?:\/\/\S+token=\S+/.exec(said);
      if (found) done(found[0]);
    };
    server.stdout?.on('data', read);
    server.stderr?.on('data', read);
    server.on('exit', () => failed(new Error(`sextant serve ended: ${said}`)));
  });
}

/** A port that was given is free again at once when its server ends; one that the system chose is not. */
const freePort = (): Promise<number> =>
  new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: found } = probe.address() as AddressInfo;
      probe.close(() => done(found));
    });
  });

const stop = (): Promise<void> =>
  new Promise((done) => {
    if (server.exitCode !== null) return done();
    server.on('exit', () => done());
    server.kill('SIGTERM');
  });

beforeAll(async () => {
  if (!possible) return;
  folder = mkdtempSync(join(tmpdir(), 'sextant-viewer-'));
  execFileSync(sextant, ['profile', '-o', 'run.sxt', pipeline, '8'], { cwd: folder, stdio: 'ignore' });
  writeFileSync(join(folder, 'cut.sxt'), readFileSync(join(folder, 'run.sxt')));
  truncateSync(join(folder, 'cut.sxt'), Math.floor(readFileSync(join(folder, 'run.sxt')).length * 0.6));
  port = await freePort();
  await serve(port);
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  if (server) await stop();
  if (folder) rmSync(folder, { recursive: true });
});

async function openReport(name: string): Promise<{ page: Page; problems: string[] }> {
  const watched = await open(browser, address);
  await watched.page.getByRole('button', { name, exact: true }).click();
  await settled(watched.page);
  return watched;
}

describe.skipIf(!possible)('on the real server', () => {
  it('lets the key leave the address', async () => {
    const { page, problems } = await open(browser, address);
    await page.getByRole('button', { name: 'run.sxt', exact: true }).waitFor();
    expect(page.url()).not.toContain('token');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('asks whoever follows a link for the password, and then shows what the link says', async () => {
    const { page: known } = await openReport('run.sxt');
    await known.keyboard.press('w');
    await addressed(known, 'v=');
    const link = known.url();
    await known.close();
    await stop();
    const file = join(folder, 'password');
    writeFileSync(file, 'correct horse\n', { mode: 0o600 });
    await serve(port, '--password-file', file);
    const { page } = await open(browser, link);
    for (const password of ['wrong horse', 'correct horse']) {
      await page.getByLabel('Password').fill(password);
      const answered = page.waitForEvent('load');
      await page.keyboard.press('Enter');
      await answered;
    }
    await settled(page);
    expect(page.url()).toBe(link);
    await page.close();
    await stop();
    await serve(port);
  });

  it('shows every tab without a complaint', async () => {
    const { page, problems } = await openReport('run.sxt');
    await row(page, 'NVTX').first().click();
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await until(page, () => !document.querySelector('.pane')?.textContent?.includes('Loading…'), null);
      expect(await page.locator('.pane .problem').allTextContents(), (await tab.textContent()) ?? '').toEqual([]);
    }
    expect(problems).toEqual([]);
    await page.close();
  });

  it('has the numbers of `sextant stats`', async () => {
    const { page } = await openReport('run.sxt');
    await page.getByRole('tab', { name: 'Statistics' }).click();
    await page.locator('.choices button', { hasText: 'nvtx_sum' }).click();
    await page.locator('.chosen tbody tr').first().waitFor();
    const lines = run('stats', '-q', '-r', 'nvtx_sum', '-f', 'csv', 'run.sxt').trim().split('\n');
    const [head, first] = [lines[0]?.split(',') ?? [], lines[1]?.split(',') ?? []];
    const instances = Number(first[head.indexOf('Instances')]);
    const range = first[head.indexOf('Range')];
    expect(instances).toBeGreaterThan(0);
    const cells = await page.locator('.chosen tbody tr').first().locator('td').allTextContents();
    expect(cells).toContain(instances.toLocaleString('en-US'));
    expect(cells[cells.length - 1]).toBe(range);
    expect(await page.locator('.chosen tbody tr').count()).toBe(lines.length - 1);
    await page.close();
  });

  it('has the numbers of `sextant stats` for a part of the run, too', async () => {
    const { page } = await openReport('run.sxt');
    await page.getByRole('tab', { name: 'Statistics' }).click();
    await page.locator('.choices button', { hasText: 'nvtx_sum' }).click();
    await addressed(page, 'p.stats=nvtx_sum');
    // The middle of the run, in whole milliseconds: when work begins depends on the machine.
    const [from, to] = await page.evaluate(async () => {
      const id = /report\/([^?]+)/.exec(location.hash)?.[1];
      const { length_ns: length } = await (await fetch(`api/v1/reports/${id}`)).json();
      const ends = [0.4, 0.8].map((share) => Math.floor((share * length) / 1e6));
      location.hash = `${location.hash}&r=${ends.map((ms) => ms * 1e6).join('_')}`;
      return ends;
    });
    await page.locator('.chosen', { hasText: 'selected time' }).waitFor();
    const span = ['--filter-time', `${from}ms/${to}ms`];
    const lines = run('stats', '-q', '-r', 'nvtx_sum', '-f', 'csv', ...span, 'run.sxt')
      .trim()
      .split('\n');
    const at = (lines[0]?.split(',') ?? []).indexOf('Instances');
    const wanted = lines.slice(1).map((line) => Number(line.split(',')[at]).toLocaleString('en-US'));
    expect(wanted.length).toBeGreaterThan(0);
    const shown = ({ column, instances }: { column: number; instances: string }): boolean =>
      [...document.querySelectorAll('.chosen tbody tr')].map((line) => line.children[column]?.textContent).join() ===
      instances;
    await until(page, shown, { column: at, instances: wanted.join() });
    await page.close();
  });

  it('finds a range by its name, steps to the next one, and sends the place', async () => {
    const { page, problems } = await openReport('run.sxt');
    await page.keyboard.press('/');
    await page.keyboard.type('step');
    await page.getByRole('option', { name: /^step/ }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.event-name').waitFor();
    await addressed(page, 'e=');
    await page.locator('.pane').getByText('Copy as SQL').waitFor();
    const before = page.url();
    await page.keyboard.press('.');
    await until(page, (url) => location.href !== url && /e=\d/.test(location.hash), before);
    // Somebody else, whom the server knows already.
    const { page: other } = await open(browser, address);
    await other.goto(page.url());
    await settled(other);
    await other.locator('.event-name', { hasText: /^step$/ }).waitFor();
    expect(problems).toEqual([]);
    await other.close();
    await page.close();
  });

  it('opens what is left of a report that was cut off in the middle', async () => {
    const { page, problems } = await openReport('cut.sxt');
    await page.getByRole('tab', { name: 'Report' }).click();
    await page.getByRole('heading', { name: 'What is missing and why' }).waitFor();
    await page.locator('.pane li', { hasText: 'the end of the file is missing' }).waitFor();
    expect(await page.locator('.report-name .lost').textContent()).toContain('its end is missing');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('says that a report is gone, and that another is in its place', async () => {
    const file = join(folder, 'other.sxt');
    copyFileSync(join(folder, 'run.sxt'), file);
    const { page } = await openReport('other.sxt');
    rmSync(file);
    await page.getByRole('alert').filter({ hasText: 'no longer there' }).waitFor();
    copyFileSync(join(folder, 'cut.sxt'), file);
    await page.getByText('was changed or replaced').waitFor();
    await page.locator('.report-name .lost', { hasText: 'its end is missing' }).waitFor();
    await settled(page);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.close();
    rmSync(file);
  });

  it('fills with a recording that goes on', async () => {
    const going = spawn(sextant, ['profile', '-t', 'nvtx', '-o', 'going.sxt', 'sh', '-c', `sleep 5; ${pipeline} 4`], {
      cwd: folder,
      stdio: 'ignore',
    });
    const ended = new Promise((done) => going.on('exit', done));
    try {
      const { page, problems } = await open(browser, address);
      await page.getByRole('button', { name: 'going.sxt', exact: true }).click();
      await page.locator('.growing').waitFor();
      await row(page, 'NVTX').first().waitFor();
      await ended;
      await page.locator('.growing').waitFor({ state: 'detached' });
      expect(await page.locator('.banner').count()).toBe(0);
      await settled(page);
      expect(problems).toEqual([]);
      await page.close();
    } finally {
      going.kill('SIGTERM');
      await ended;
    }
  });

  it('says that the address is old when the server was started again', async () => {
    const { page } = await openReport('run.sxt');
    await stop();
    await serve(port);
    await page.reload();
    await page.getByText('Open the address that').waitFor();
    await page.goto(address);
    await page.getByRole('button', { name: 'run.sxt', exact: true }).waitFor();
    await page.close();
  });
});
