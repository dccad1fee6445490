// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Makes the pictures of docs/images from the mock server's generated reports, and one from a recording:
//   node e2e/pictures.mjs [URL_OF_A_RECORDING]        of `sextant serve`, with its token
// Host and program of the recording are replaced, so that a picture tells nothing of the machine that made it.
import { chromium } from 'playwright-core';
import { chromiumPath } from './chromium.mjs';
import { startMock } from './mock_server.mjs';

const images = new URL('../../docs/images/', import.meta.url).pathname;
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
const server = await startMock(0);
const base = `http://127.0.0.1:${server.address().port}/`;

async function picture(name, url, more = {}, act = async () => {}) {
  const page = await browser.newPage({ viewport: { width: 1240, height: 720 }, ...more });
  await page.route(/\/api\/v1\/reports(\/[^/?]+)?$/, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    for (const report of answer.reports ?? [answer]) {
      report.host = 'node-17';
      if (url.includes('token=')) report.program = './pipeline';
    }
    return route.fulfill({ response, json: answer });
  });
  await page.goto(url);
  await act(page);
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: `${images}viewer-${name}.png` });
  await page.close();
}

const drawn = (page) => page.waitForSelector('canvas.rows[data-settled="1"]');
const kernel = async () => {
  const { tracks } = await (await fetch(`${base}api/v1/reports/small/tracks`)).json();
  const track = tracks.find((one) => one.kind === 'kernels').id;
  const query = `events?track=${track}&sort=duration&order=desc&limit=1`;
  const [event, start] = (await (await fetch(`${base}api/v1/reports/small/${query}`)).json()).rows[0];
  return `#/report/small?v=${start - 200000}_${start + 260000}&e=${track}.${event}&p=details`;
};

await picture('kernel', base + (await kernel()), {}, drawn);
await picture('legend', `${base}#/report/small?v=20000000_34000000&p=legend`, { colorScheme: 'dark' }, drawn);
await picture(
  'compare',
  `${base}#/report/small/other/training`,
  { viewport: { width: 1240, height: 860 } },
  async (page) => {
    await drawn(page);
    await page.getByRole('separator', { name: 'Height of the pane' }).focus();
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('w');
  },
);
await picture('folder', `${base}#/?group=job&q=train`, {}, async (page) => {
  for (const [name, tag] of Object.entries({ 'small.sxt': 'baseline', 'other.sxt': 'batch-64' })) {
    await page.getByRole('button', { name: `Add a tag to ${name}` }).click();
    await page.keyboard.type(tag);
    await page.keyboard.press('Enter');
  }
  await page.mouse.click(600, 600);
});
if (process.argv[2]) {
  await picture('timeline', process.argv[2], {}, async (page) => {
    await drawn(page);
    await page.mouse.move(700, 250);
  });
}
await browser.close();
server.closeAllConnections();
server.close();
