// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Measures the viewer's page on `sextant serve`, in a Chromium without a screen (web/e2e/meter.mjs). Prints a line of JSON.
//   node bench/viewer_page.mjs SEXTANT REPORT WHAT[,WHAT...] [MINUTES]
//     open     start of the server to the first complete picture (3 times), processor time, memory of both sides, bytes of the viewer
//     zoom     single notches of the wheel until settled
//     frames   panning and zooming over some 20 000 boxes
//     table    the events of the row that has most: first page, sorted by duration
//     search   as one types
//     wander   panning, zooming and scrolling for MINUTES (10): memory every half minute
//   node bench/viewer_page.mjs speedscope FOLDER_OF_ITS_PACKAGE PROFILE [SECONDS]     the same file in speedscope, for so long at most (120)
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, normalize } from 'node:path';
import {
  Meter,
  firstPicture,
  frames,
  heap,
  percentile,
  settled,
  sideways,
  wander,
  zoomSteps,
  zooming,
} from '../web/e2e/meter.mjs';

const kBoxes = 20000;
const kTicks = 100; // of the clock that /proc/PID/stat counts in, a second
const kOpenings = 3;
const kSteps = 20;

const median = (values) => percentile(values, 0.5);
const both = (values) => ({ p50: percentile(values, 0.5), p95: percentile(values, 0.95) });

/** `sextant serve` of one report, from its start until `stop`. */
class Server {
  static async start(sextant, report) {
    const server = new Server();
    server.began = Date.now();
    server.process = spawn(sextant, ['serve', '--port', '0', report], { stdio: ['ignore', 'pipe', 'pipe'] });
    server.url = await new Promise((found, failed) => {
      let said = '';
      const read = (part) => {
        said += part;
        const address = /https?:\/\/\S+token=\S+/.exec(said);
        if (address) found(address[0]);
      };
      server.process.stdout.on('data', read);
      server.process.stderr.on('data', read);
      server.process.on('exit', () => failed(new Error(`sextant serve ended: ${said}`)));
    });
    return server;
  }

  /** Seconds of the processor, since it began. */
  cpu() {
    const fields = readFileSync(`/proc/${this.process.pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / kTicks;
  }

  /** MB now, as its share of what several use, and the most that was resident. */
  memory() {
    const of = (file, word) =>
      (Number(
        new RegExp(`^${word}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${this.process.pid}/${file}`, 'utf8'))?.[1],
      ) *
        1024) /
      1e6;
    return { now: of('smaps_rollup', 'Pss'), most: of('status', 'VmHWM') };
  }

  stop = () =>
    new Promise((done) => {
      this.process.on('exit', done);
      this.process.kill('SIGTERM');
    });
}

const api = (page, path) => page.evaluate(async (at) => (await fetch(`api/v1/reports/${at}`)).json(), path);
const idOf = (page) => page.evaluate(() => /report\/([^?]+)/.exec(location.hash)?.[1]);

/** Goes to another place of the same page, by its address. */
async function look(page, id, query) {
  await page.goto('about:blank');
  await page.goto(`${page.origin}#/report/${id}?${query}`);
  await settled(page);
}

async function open(meter, sextant, report) {
  const walls = [];
  const cpus = [];
  const found = { empty_page_mb: await meter.onPage(async () => (await meter.memory()).page) };
  for (let i = 0; i < kOpenings; i++) {
    const server = await Server.start(sextant, report);
    await meter.onPage(async (page) => {
      await page.goto(server.url);
      walls.push((await firstPicture(page)) - server.began);
      cpus.push(server.cpu());
      await page.waitForTimeout(1000);
      found.script = await heap(page);
      found.memory_mb = { server: server.memory(), ...(await meter.memory()) };
      found.viewer_bytes = await page.evaluate(() =>
        [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
          .filter((entry) => !entry.name.includes('/api/'))
          .reduce((sum, entry) => sum + entry.encodedBodySize, 0),
      );
    });
    await server.stop();
  }
  return { ...found, drawn_ms: median(walls), drawn_server_cpu_s: median(cpus) };
}

async function zoom(meter, page, server) {
  const before = [await meter.cpu(), server.cpu()];
  const steps = await zoomSteps(page, kSteps);
  const [browser, ours] = [(await meter.cpu()) - before[0], server.cpu() - before[1]];
  return { ms: both(steps), browser_cpu_ms: (browser / kSteps) * 1000, server_cpu_ms: (ours / kSteps) * 1000 };
}

/** Rows low and a stretch of time short enough that about so many boxes are in sight. */
async function manyBoxes(page, id) {
  const { length_ns: length } = await api(page, id);
  const { tracks } = await api(page, `${id}/tracks`);
  const within = async (span) => {
    const from = Math.round((length - span) / 2);
    await look(page, id, `s=0.4&v=${from}_${Math.round(from + span)}`);
    const rows = await page.evaluate(() => {
      const seen = document.querySelector('.tl-scroll').getBoundingClientRect();
      const inSight = (row) =>
        row.getBoundingClientRect().top < seen.bottom && row.getBoundingClientRect().bottom > seen.top;
      return [...document.querySelectorAll('.row-label[id^="row-"]')]
        .filter(inSight)
        .map((row) => Number(row.id.split('-').pop()));
    });
    let boxes = 0;
    for (const track of tracks.filter((one) => one.events > 0 && rows.includes(one.id)))
      boxes += (await api(page, `${id}/events?track=${track.id}&from=${from}&to=${Math.round(from + span)}&limit=1`))
        .total;
    return boxes;
  };
  let span = length / 1000;
  let boxes = await within(span);
  for (let i = 0; i < 4 && Math.abs(boxes / kBoxes - 1) > 0.1; i++) {
    span = Math.min(length, (span * kBoxes) / Math.max(1, boxes));
    boxes = await within(span);
  }
  return boxes;
}

async function measureFrames(meter, page, id) {
  const boxes = await manyBoxes(page, id);
  const found = { boxes };
  const place = page.url();
  for (const [what, wheel] of Object.entries({ pan: sideways, pan_zoom: zooming })) {
    const times = await frames(meter, page, 300, wheel);
    found[what] = {
      frames: times.script.length,
      script_ms: both(times.script),
      raster_ms: both(times.raster),
      interval_ms: both(times.interval),
      other_threads_ms: times.draw,
    };
    await page.goto('about:blank');
    await page.goto(place);
    await settled(page);
  }
  return found;
}

/** Milliseconds from a click or an input to the picture after the answer of the server to what it asked for. */
async function answered(page, asked, act) {
  const done = page.evaluate(
    (part) =>
      new Promise((resolve) => {
        let since = 0;
        const note = (event) => {
          since ||= event.timeStamp;
        };
        for (const kind of ['pointerdown', 'input']) addEventListener(kind, note, { capture: true, once: true });
        new PerformanceObserver((list, observer) => {
          if (!since || !list.getEntries().some((entry) => entry.name.includes(part) && entry.startTime >= since))
            return;
          observer.disconnect();
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - since)));
        }).observe({ type: 'resource' });
      }),
    asked,
  );
  await page.waitForTimeout(50);
  await act();
  return done;
}

async function table(page, id, server) {
  const { tracks } = await api(page, `${id}/tracks`);
  const most = tracks.reduce((a, b) => (b.events > a.events ? b : a));
  await look(page, id, `row=${most.id}`);
  const found = { row_events: most.events };
  const tab = page.getByRole('tab', { name: 'Events', exact: true });
  const heading = (name) => page.locator('.list-head button', { hasText: name });
  const steps = {
    by_start: () => tab.click(),
    by_duration: () => heading('duration').click(),
    by_name: () => heading('name').click(),
  };
  for (const [name, act] of Object.entries(steps)) {
    const before = server.cpu();
    found[`${name}_ms`] = await answered(page, '/events?', act);
    found[`${name}_server_cpu_s`] = server.cpu() - before;
    await page.locator('.list-row').first().waitFor();
  }
  return found;
}

async function search(page, id) {
  await look(page, id, '');
  await page.keyboard.press('/');
  const times = [];
  for (const letter of 'operation 3') times.push(await answered(page, '/search?', () => page.keyboard.type(letter)));
  return { letters: times.length, ms: both(times), longest_ms: Math.max(...times) };
}

async function measureWander(meter, page, id, server, minutes) {
  await look(page, id, '');
  const samples = [];
  await wander(page, minutes, async (at) => {
    samples.push({
      minute: at,
      script: await heap(page),
      memory_mb: { server: server.memory(), ...(await meter.memory()) },
    });
    process.stderr.write(`${at.toFixed(1)} min: ${JSON.stringify(samples[samples.length - 1])}\n`);
  });
  return { minutes, samples };
}

async function measure(sextant, report, what, minutes) {
  const meter = await Meter.start();
  const found = { report };
  try {
    if (what.includes('open')) found.open = await open(meter, sextant, report);
    const server = await Server.start(sextant, report);
    await meter.onPage(async (page) => {
      await page.goto(server.url);
      await settled(page);
      page.origin = page.url().replace(/#.*/, '');
      const id = await idOf(page);
      if (what.includes('zoom')) found.zoom = await zoom(meter, page, server);
      if (what.includes('frames')) found.frames = await measureFrames(meter, page, id);
      if (what.includes('table')) found.table = await table(page, id, server);
      if (what.includes('search')) found.search = await search(page, id);
      if (what.includes('wander')) found.wander = await measureWander(meter, page, id, server, minutes);
    });
    await server.stop();
  } finally {
    await meter.close();
  }
  return found;
}

/** speedscope's own files, and the profile beside them. */
function speedscopeSite(folder, profile) {
  const types = { html: 'text/html', js: 'text/javascript', css: 'text/css' };
  const root = join(folder, 'dist', 'release');
  return createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://localhost').pathname);
    try {
      const body = readFileSync(path === '/profile' ? profile : join(root, path === '/' ? 'index.html' : path));
      response.writeHead(200, {
        'Content-Type': types[path === '/' ? 'html' : path.split('.').pop()] ?? 'application/octet-stream',
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
}

/** Until it has given the page the title of the profile, which it does when it shows it; null where that took too long. */
async function speedscope(folder, profile, seconds) {
  const server = speedscopeSite(folder, profile);
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const meter = await Meter.start();
  const found = { profile };
  try {
    await meter.onPage(async (page) => {
      const began = Date.now();
      await page.goto(`http://127.0.0.1:${server.address().port}/#profileURL=/profile&title=measured`);
      const shown = () =>
        page.waitForFunction(() => document.title.includes('measured') && document.querySelector('canvas'), null, {
          timeout: seconds * 1000,
        });
      found.drawn_ms = await shown().then(
        () => Date.now() - began,
        () => null,
      );
      found.memory_mb = await meter.memory();
    });
  } finally {
    await meter.close();
    server.closeAllConnections();
    server.close();
  }
  return found;
}

const [first, second, third, fourth] = process.argv.slice(2);
if (!third) {
  process.stderr.write('usage: node bench/viewer_page.mjs SEXTANT REPORT WHAT[,WHAT...] [MINUTES]\n');
  process.exit(2);
}
const result =
  first === 'speedscope'
    ? await speedscope(second, third, Number(fourth ?? 120))
    : await measure(first, second, third.split(','), Number(fourth ?? 10));
process.stdout.write(`${JSON.stringify(result)}\n`);
