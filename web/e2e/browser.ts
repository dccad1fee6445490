// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// A Chromium of the system, and pages that fail a test when anything goes wrong in them.
import { createRequire } from 'node:module';
import { type Browser, type Page, chromium } from 'playwright-core';
// @ts-expect-error plain JavaScript
import { chromiumPath } from './chromium.mjs';

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox', '--disable-dev-shm-usage'] });

export interface Watched {
  page: Page;
  problems: string[];
}

type Options = Parameters<Browser['newPage']>[0];
export type Scheme = 'light' | 'dark';

export async function open(
  browser: Browser,
  url: string,
  scheme: Scheme = 'light',
  more: Options = {},
): Promise<Watched> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 860 }, colorScheme: scheme, ...more });
  page.setDefaultTimeout(60000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('ERR_CONNECTION'))
      problems.push(`console: ${message.text()}`);
  });
  await page.goto(url);
  return { page, problems };
}

/** Waits until a function in the page says so. Not waitForFunction, which the content security policy forbids. */
export async function until<A>(page: Page, condition: (arg: A) => boolean, arg: A): Promise<void> {
  const end = Date.now() + 60000;
  while (!(await page.evaluate(condition as (arg: unknown) => boolean, arg))) {
    if (Date.now() > end) throw new Error(`never true: ${condition}`);
    await page.waitForTimeout(50);
  }
}

/** Waits until the address holds all of these. */
export const addressed = (page: Page, ...parts: string[]): Promise<void> =>
  until(page, (wanted) => wanted.every((part) => location.hash.includes(part)), parts);

/** Waits until the timeline has all the data of its picture. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector('canvas.rows[data-settled="1"]');
}

/** The label of a row by its name. */
export const row = (page: Page, name: string) =>
  page.locator('.row-label', { has: page.locator('.row-name', { hasText: new RegExp(`^${name}$`) }) });

export async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error(`nothing on the page: ${selector}`);
  return box;
}

/** What the rules of axe find on a page once its panel has its answer, one line each. */
export async function axeProblems(browser: Browser, url: string, scheme: Scheme): Promise<string[]> {
  const { page } = await open(browser, url, scheme, { bypassCSP: true });
  await page.waitForSelector('main, canvas.rows[data-settled="1"]');
  await until(page, (words) => !words.some((word) => document.body.innerText.includes(word)), ['Loading…']);
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') });
  const found = await page.evaluate(async () =>
    (await (window as any).axe.run(document)).violations.map(
      (violation: any) =>
        `${violation.id}: ${violation.nodes
          .map((node: any) => node.html.slice(0, 160))
          .slice(0, 3)
          .join(' | ')}`,
    ),
  );
  await page.close();
  return found;
}
