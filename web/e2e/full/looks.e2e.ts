// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// That everything can be seen and read: both themes, small windows, large letters, every panel, two languages.
import { describe, expect, it } from 'vitest';
import { addressed, axeProblems, boxOf, settled, until } from '../browser.ts';
import { useSite } from '../site.ts';

const site = useSite();
/** Buttons, headings, choices whose words do not fit into them; those that are made to be cut aside. */
const cutOff = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('button, th, h1, h2, summary, label, dt, dd')]
    .filter((one) => !one.closest('.flame, .chips, .legend-names, .choices') && one.clientWidth > 0)
    .filter((one) => one.scrollWidth > one.clientWidth + 1)
    .map((one) => one.outerHTML.slice(0, 120));
const kPanels = [
  'details&e=5.5',
  'details',
  'events&e=5.5',
  'stats',
  'findings',
  'flame',
  'sql',
  'notes',
  'legend',
  'about',
];

describe('looks', () => {
  it('zooms with the wheel to where the pointer is, in light and dark', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const { page, problems } = await site.report('training', '', scheme);
      const box = await boxOf(page, 'canvas.rows');
      await page.mouse.move(box.x + 600, box.y + 130);
      const before = await page.locator('.info-time').textContent();
      for (let i = 0; i < 25; i++) await page.mouse.wheel(0, -100);
      await addressed(page, 'v=');
      await settled(page);
      const after = await page.locator('.info-time').textContent();
      expect(Math.abs(Number.parseFloat(after ?? '') - Number.parseFloat(before ?? ''))).toBeLessThan(0.002);
      expect(problems).toEqual([]);
      await page.close();
    }
  });

  it.each(['light', 'dark'] as const)('pass the rules of axe in %s', async (scheme) => {
    for (const hash of [
      '',
      '#/?group=job',
      '#/report/small/other',
      ...kPanels.map((panel) => `#/report/small?p=${panel}`),
    ])
      expect(await axeProblems(site.browser, site.base + hash, scheme), hash).toEqual([]);
  });

  it.each([
    ['a small window', { viewport: { width: 640, height: 480 } }],
    ['letters of 200 %', { viewport: { width: 700, height: 430 }, deviceScaleFactor: 2 }],
    ['a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
    ['a large screen', { viewport: { width: 2560, height: 1300 } }],
  ])('fit into %s', async (_, size) => {
    const { page, problems } = await site.report('training', '', 'light', size);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    for (const selector of ['canvas.rows', '.pane-content', 'button[aria-label="Shortcuts"]']) {
      const box = await boxOf(page, selector);
      expect(box.height, selector).toBeGreaterThan(18);
      expect(box.x + box.width, selector).toBeLessThanOrEqual(size.viewport.width + 1);
    }
    expect((await boxOf(page, 'canvas.rows')).height).toBeGreaterThan(90);
    if (size.viewport.width < 1000) {
      await page.getByLabel('Menu').click();
      await page.getByLabel('Colours').selectOption('dark');
      expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    }
    await page.goto(site.base);
    await page.getByRole('heading', { name: 'Reports' }).waitFor();
    const help = await boxOf(page, 'button[aria-label="Shortcuts"]');
    expect(help.x + help.width).toBeLessThanOrEqual(size.viewport.width + 1);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('speak Korean everywhere', async () => {
    const { page, problems } = await site.report('small', '', 'light', { locale: 'ko-KR' });
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      // What is the program's own text stays; the viewer's own words are all Korean, "SQL" apart.
      const name = (await tab.textContent()) ?? '';
      expect(name === 'SQL' || /[가-힣]/.test(name), name).toBe(true);
      await until(page, () => !document.querySelector('.pane')?.textContent?.includes('불러오는 중'), null);
      expect(await page.evaluate(cutOff), name).toEqual([]);
    }
    await page.getByRole('tab', { name: '이벤트' }).click();
    const heads = page.locator('.list-head button');
    await heads.first().waitFor();
    for (const head of await heads.allTextContents()) expect(head).toMatch(/[가-힣]/);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    expect(await page.evaluate(cutOff), 'help').toEqual([]);
    for (const what of await page.locator('.help dd').allTextContents()) expect(what).toMatch(/[가-힣]/);
    await page.goto(site.base);
    await page.getByRole('heading', { name: '보고서' }).waitFor();
    await page.getByText('완전함').or(page.getByText('complete')).first().waitFor();
    expect(await page.evaluate(cutOff), 'folder').toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });
});
