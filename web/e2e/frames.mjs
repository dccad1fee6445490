// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What the viewer's pictures cost, on the mock server: for those who work on the viewer; with the real server
// bench/viewer_page.mjs measures. Prints a table; judges nothing.
//   node e2e/frames.mjs [NAME]     a report of the mock server: training (of 1 M events), dense (20 k boxes at once), ...
import { Meter, firstPicture, frames, heap, percentile, settled, sideways, zoomSteps, zooming } from './meter.mjs';
import { startMock } from './mock_server.mjs';

const name = process.argv[2] ?? 'training';
const server = await startMock(0);
const url = `http://127.0.0.1:${server.address().port}/#/report/${name}`;
// The mock makes its events at the first request, which is not what is measured.
await fetch(new URL(`/api/v1/reports/${name}/tracks`, url));

const print = (what, value) => console.log(`${what.padEnd(60)}${value}`);
const of = (values) => `${percentile(values, 0.5).toFixed(1)}, ${percentile(values, 0.95).toFixed(1)} ms`;
const meter = await Meter.start();
await meter.onPage(async (page) => {
  const began = Date.now();
  await page.goto(url);
  print('start to drawn, all rows', `${((await firstPicture(page)) - began).toFixed(0)} ms`);
  for (const [what, wheel] of Object.entries({ pan: sideways, 'pan and zoom': zooming })) {
    await page.keyboard.press('Home');
    await settled(page);
    const times = await frames(meter, page, 270, wheel);
    for (const kind of ['script', 'raster', 'interval'])
      print(`${what} (${times[kind].length} frames): ${kind}, median, 95 %`, of(times[kind]));
    print(`${what}: drawing in other threads, a frame`, `${times.draw.toFixed(1)} ms`);
  }
  await page.keyboard.press('Home');
  await settled(page);
  print('one zoom step, settled, median, 95 %', of(await zoomSteps(page, 15)));
  print('objects of script after it', `${(await heap(page)).megabytes.toFixed(0)} MB`);
});
await meter.close();
server.closeAllConnections();
server.close();
