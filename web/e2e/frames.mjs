// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Measures the viewer in a Chromium without a screen: start to drawn, one zoom step until settled, script time of
// pictures while panning and zooming, memory of the page. Prints a table; judges nothing.
//   node e2e/frames.mjs [URL_OF_A_REPORT]     default: the mock server's report of 1 M events
// Beside times stand seconds of CPU where they can be had: wall times on a busy machine say little.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { startMock } from './mock_server.mjs';

const executablePath = [process.env.SEXTANT_CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);
let server;
let url = process.argv[2];
if (!url) {
  server = await startMock(0);
  url = `http://127.0.0.1:${server.address().port}/#/report/training`;
  // The mock makes its events at the first request, which is not what is measured.
  await fetch(new URL('/api/v1/reports/training/tracks', url));
}
const percentile = (values, share) =>
  values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const print = (what, value) => console.log(`${what.padEnd(52)}${value}`);

const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--enable-precise-memory-info', '--js-flags=--expose-gc'],
});
const page = await browser.newPage({ viewport: { width: 2000, height: 1000 } });
const client = await page.context().newCDPSession(page);
await client.send('Performance.enable');
const metric = async (name) =>
  (await client.send('Performance.getMetrics')).metrics.find((entry) => entry.name === name)?.value ?? 0;
const settled = () => page.waitForSelector('canvas.rows[data-settled="1"]', { state: 'attached' });
const takeFrames = () => page.evaluate(() => globalThis.sextantFrames.splice(0));

const began = Date.now();
await page.goto(url);
await settled();
print(
  'start to drawn, all rows',
  `${Date.now() - began} ms, ${(await metric('TaskDuration')).toFixed(2)} s of CPU in the page`,
);

const box = await page.locator('canvas.rows').boundingBox();
await page.mouse.move(box.x + box.width / 2, box.y + 130);
const steps = [];
for (let i = 0; i < 20; i++) {
  await page.waitForTimeout(120);
  // Inside of the page: the wheel, the picture, and the pictures until nothing is missing.
  steps.push(
    await page.evaluate(
      () =>
        new Promise((done) => {
          const canvas = document.querySelector('canvas.rows');
          const from = performance.now();
          canvas.dispatchEvent(
            new WheelEvent('wheel', { deltaY: -100, clientX: 1000, clientY: 250, bubbles: true, cancelable: true }),
          );
          const look = () =>
            canvas.dataset.settled === '1' ? done(performance.now() - from) : requestAnimationFrame(look);
          requestAnimationFrame(() => requestAnimationFrame(look));
        }),
    ),
  );
}
print(
  'one zoom step, settled: median, 95 %',
  `${percentile(steps, 0.5).toFixed(0)}, ${percentile(steps, 0.95).toFixed(0)} ms (at least two frames)`,
);

await page.keyboard.press('Home');
await settled();
await takeFrames();
const scripts = [];
const intervals = [];
for (let round = 0; round < 6; round++) {
  const found = await page.evaluate(
    (zoom) =>
      new Promise((done) => {
        const canvas = document.querySelector('canvas.rows');
        const times = [];
        let last = performance.now();
        let n = 0;
        const frame = (now) => {
          times.push(now - last);
          last = now;
          const wheel = n % 2 ? { deltaX: n % 20 < 10 ? 60 : -60 } : { deltaY: zoom ? -30 : 30 };
          canvas.dispatchEvent(
            new WheelEvent('wheel', {
              ...wheel,
              clientX: 900 + (n % 7) * 40,
              clientY: 250,
              bubbles: true,
              cancelable: true,
            }),
          );
          if (++n < 90) requestAnimationFrame(frame);
          else done(times.slice(1));
        };
        requestAnimationFrame(frame);
      }),
    round < 4,
  );
  intervals.push(...found);
  scripts.push(...(await takeFrames()));
}
print(
  `pictures while moving (${scripts.length}): script median, 95 %`,
  `${percentile(scripts, 0.5).toFixed(1)}, ${percentile(scripts, 0.95).toFixed(1)} ms`,
);
print(
  'frame interval: median, 95 %',
  `${percentile(intervals, 0.5).toFixed(1)}, ${percentile(intervals, 0.95).toFixed(1)} ms`,
);
await page.evaluate(() => globalThis.gc?.());
const tileBytes = await page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0);
print('script memory of the page after it', `${(tileBytes / 1e6).toFixed(0)} MB`);
await browser.close();
if (server) {
  server.closeAllConnections();
  server.close();
}
