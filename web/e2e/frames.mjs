// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Measures the viewer in a Chromium without a screen: start to drawn, one zoom step until settled, script time of
// pictures while panning and zooming, memory of the page. Prints a table; judges nothing.
//   node e2e/frames.mjs [URL_OF_A_REPORT | NAME]     NAME: a report of the mock server; default: training, of 1 M events;
//                                                    dense: 20 k boxes on the screen at once
// Beside times stand seconds of CPU where they can be had: wall times on a busy machine say little.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { startMock } from './mock_server.mjs';

const executablePath = [process.env.SEXTANT_CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);
let server;
let url = process.argv[2] ?? 'training';
if (!url.includes('/')) {
  server = await startMock(0);
  const name = url;
  url = `http://127.0.0.1:${server.address().port}/#/report/${name}`;
  // The mock makes its events at the first request, which is not what is measured.
  await fetch(new URL(`/api/v1/reports/${name}/tracks`, url));
}
const percentile = (values, share) =>
  values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const print = (what, value) => console.log(`${what.padEnd(60)}${value}`);

const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--enable-precise-memory-info', '--js-flags=--expose-gc'],
});
// So that the rows have 2000 x 1000 pixels.
const page = await browser.newPage({ viewport: { width: 2305, height: 1380 } });
const client = await page.context().newCDPSession(page);
await client.send('Performance.enable', { timeDomain: 'threadTicks' });
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
print('rows', `${box.width} x ${box.height}`);
const boxes = await page.evaluate(
  () =>
    new Promise((done) => {
      const { prototype } = CanvasRenderingContext2D;
      const original = prototype.fillRect;
      let calls = 0;
      prototype.fillRect = function (...at) {
        if (this.canvas.classList.contains('rows')) calls++;
        return original.apply(this, at);
      };
      document
        .querySelector('canvas.rows')
        .dispatchEvent(new WheelEvent('wheel', { deltaX: 1, deltaY: 0, clientX: 900, clientY: 250, bubbles: true }));
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          prototype.fillRect = original;
          done(calls);
        }),
      );
    }),
);
print('boxes in one picture', boxes);
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

/** `wheel`: what happens in frame n. The times between frames, and of drawing in each. */
async function move(what, rounds, wheel) {
  const scripts = [];
  const intervals = [];
  const before = await metric('ScriptDuration');
  for (let round = 0; round < rounds; round++) {
    const deltas = Array.from({ length: 90 }, (_, n) => wheel(n, round));
    const found = await page.evaluate(
      (steps) =>
        new Promise((done) => {
          const canvas = document.querySelector('canvas.rows');
          const times = [];
          let last = performance.now();
          const frame = (now) => {
            times.push(now - last);
            last = now;
            const delta = steps[times.length - 1];
            const at = { clientX: 900 + (times.length % 7) * 40, clientY: 250, bubbles: true, cancelable: true };
            canvas.dispatchEvent(new WheelEvent('wheel', { ...delta, ...at }));
            if (times.length < steps.length) requestAnimationFrame(frame);
            else done(times.slice(1));
          };
          requestAnimationFrame(frame);
        }),
      deltas,
    );
    intervals.push(...found);
    scripts.push(...(await takeFrames()));
  }
  const of = (values) => `${percentile(values, 0.5).toFixed(1)}, ${percentile(values, 0.95).toFixed(1)} ms`;
  print(`${what} (${scripts.length} frames): script, median, 95 %`, of(scripts));
  const cpu = ((await metric('ScriptDuration')) - before) / Math.max(1, scripts.length);
  print(`${what}: CPU time of script in a frame, mean`, `${(cpu * 1000).toFixed(1)} ms`);
  print(`${what}: frame interval, median, 95 %`, of(intervals));
}
const sideways = (n) => ({ deltaX: n % 20 < 10 ? 60 : -60 });
await move('pan', 3, sideways);
await move('pan and zoom', 6, (n, round) => (n % 2 ? sideways(n) : { deltaY: round < 4 ? -30 : 30 }));
await page.evaluate(() => globalThis.gc?.());
const tileBytes = await page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0);
print('script memory of the page after it', `${(tileBytes / 1e6).toFixed(0)} MB`);
await browser.close();
if (server) {
  server.closeAllConnections();
  server.close();
}
