// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Measures the viewer in a Chromium without a screen. Times of the processor come from the browser's own tracing: wall
// times of a busy machine say little. Judges nothing.
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { chromiumPath } from './chromium.mjs';

/** The window, so that the rows have 2000 x 1000 pixels. */
const kWindow = { width: 2305, height: 1380 };
const kMain = 'CrRendererMain';

export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
const sum = (values) => values.reduce((a, b) => a + b, 0);

/** What happens in the page before anything else of it: notes when a picture of the rows was complete. */
function watchPictures() {
  globalThis.sextantSettled = [];
  const note = (change) => {
    if (change.target.dataset.settled === '1') globalThis.sextantSettled.push(performance.now());
  };
  new MutationObserver((changes) => changes.forEach(note)).observe(document, {
    subtree: true,
    attributes: true,
    attributeFilter: ['data-settled'],
  });
}

export class Meter {
  static async start() {
    const meter = new Meter();
    const args = ['--no-sandbox', '--enable-precise-memory-info', '--js-flags=--expose-gc'];
    meter.browser = await chromium.launch({ executablePath: chromiumPath(), args });
    meter.session = await meter.browser.newBrowserCDPSession();
    return meter;
  }

  /** An empty page of its own; `act` is given it. What it returns is returned. */
  async onPage(act) {
    const page = await this.browser.newPage({ viewport: kWindow });
    page.setDefaultTimeout(120000);
    try {
      await page.addInitScript(watchPictures);
      return await act(page);
    } finally {
      await page.close();
    }
  }

  close = () => this.browser.close();

  /** Seconds of the processor that all processes of the browser have taken. */
  async cpu() {
    const { processInfo } = await this.session.send('SystemInfo.getProcessInfo');
    return sum(processInfo.map((one) => one.cpuTime));
  }

  /** MB of the page's process and of the browser's others: their share of what several use (PSS). */
  async memory() {
    const sizes = { page: 0, others: 0 };
    for (const { type, id } of (await this.session.send('SystemInfo.getProcessInfo')).processInfo) {
      const line = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'));
      const size = (Number(line?.[1]) * 1024) / 1e6;
      // Others of the kind are spare ones that the browser keeps ready.
      if (type === 'renderer' && size > sizes.page) sizes.page = size;
      else if (type !== 'renderer') sizes.others += size;
    }
    return sizes;
  }
}

export const settled = (page) => page.waitForSelector('canvas.rows[data-settled="1"]', { state: 'attached' });

/** When the first complete picture was there, ms of the wall clock. */
export async function firstPicture(page) {
  await settled(page);
  return page.evaluate(() => performance.timeOrigin + globalThis.sextantSettled[0]);
}

/** Bytes of objects of script that are in use, numbers of elements and of listeners. */
export async function heap(page) {
  const client = await page.context().newCDPSession(page);
  await client.send('HeapProfiler.collectGarbage');
  await client.send('Performance.enable');
  const { metrics } = await client.send('Performance.getMetrics');
  const of = (name) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  await client.detach();
  return { megabytes: of('JSHeapUsedSize') / 1e6, elements: of('Nodes'), listeners: of('JSEventListeners') };
}

/** The middle of the rows in the window. */
async function middle(page) {
  const box = await page.locator('canvas.rows').boundingBox();
  return { x: box.x + box.width / 2, y: box.y + Math.min(130, box.height / 2), width: box.width, height: box.height };
}

/** Milliseconds from single notches of the wheel to complete pictures. */
export async function zoomSteps(page, count) {
  const { x, y } = await middle(page);
  await page.mouse.move(x, y);
  const steps = [];
  for (let i = 0; i < count; i++) {
    await page.waitForTimeout(300);
    const done = page.evaluate(
      () =>
        new Promise((resolve) => {
          const wheel = (event) => {
            globalThis.sextantSettled.length = 0;
            const look = () =>
              globalThis.sextantSettled.length
                ? resolve(globalThis.sextantSettled[0] - event.timeStamp)
                : setTimeout(look, 5);
            look();
          };
          addEventListener('wheel', wheel, { once: true, capture: true });
        }),
    );
    await page.waitForTimeout(50);
    await page.mouse.wheel(0, -100);
    steps.push(await done);
  }
  return steps;
}

/** One wheel event a frame, `steps` of them; the times between frames. Runs in the page. */
const wheelEachFrame = (steps) =>
  new Promise((done) => {
    const canvas = document.querySelector('canvas.rows');
    const times = [];
    let last = performance.now();
    const frame = (now) => {
      times.push(now - last);
      last = now;
      if (times.length > steps.length) return done(times.slice(1));
      const at = { clientX: 900 + (times.length % 7) * 40, clientY: 250, bubbles: true, cancelable: true };
      canvas.dispatchEvent(new WheelEvent('wheel', { ...steps[times.length - 1], ...at }));
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });

export const sideways = (n) => ({ deltaX: n % 20 < 10 ? 60 : -60 });
export const zooming = (n) => (n % 2 ? sideways(n) : { deltaY: n % 120 < 60 ? -30 : 30 });

/** Milliseconds of each frame while the wheel turns: `interval` between them; of the processor: `script`, `raster` on the page's thread, `draw` elsewhere. */
export async function frames(meter, page, count, wheel) {
  const steps = Array.from({ length: count }, (_, n) => wheel(n));
  const categories = ['devtools.timeline', 'cc', 'viz', 'toplevel', 'v8', 'benchmark', '__metadata'];
  await meter.browser.startTracing(page, { categories });
  const interval = await page.evaluate(wheelEachFrame, steps);
  const { traceEvents } = JSON.parse((await meter.browser.stopTracing()).toString());
  return { interval, ...processorTimes(traceEvents) };
}

const kScript = new Set(['FunctionCall', 'EvaluateScript', 'RunMicrotasks', 'v8.callFunction', 'MinorGC', 'MajorGC']);
const kRaster = new Set(['LayerTreeHost::DoUpdateLayers']);
const kElsewhere = new Set(['RasterTask', 'Display::DrawAndSwap', 'RasterDecoderImpl::DoRasterCHROMIUM']);

/** The outermost of these events of a thread, by time. */
function outermost(events, names) {
  const found = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const event of events) {
    if (!names.has(event.name) || event.ts < end) continue;
    found.push(event);
    end = event.ts + event.dur;
  }
  return found;
}

function processorTimes(traceEvents) {
  const names = new Map(
    traceEvents
      .filter((event) => event.name === 'thread_name')
      .map((event) => [`${event.pid}/${event.tid}`, event.args.name]),
  );
  const threads = new Map();
  for (const event of traceEvents) {
    if (event.ph !== 'X') continue;
    const thread = `${event.pid}/${event.tid}`;
    if (!threads.has(thread)) threads.set(thread, []);
    threads.get(thread).push(event);
  }
  for (const events of threads.values()) events.sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const isFrame = (event) => event.name === 'ProxyMain::BeginMainFrame';
  const mains = [...threads].filter(([thread]) => names.get(thread) === kMain).map(([, events]) => events);
  const main = mains.sort((a, b) => b.filter(isFrame).length - a.filter(isFrame).length)[0] ?? [];
  const ends = main.filter(isFrame).map((event) => event.ts + event.dur);
  // What ran since the last frame belongs to this one: answers that came, timers.
  const perFrame = (chosen) => {
    const times = ends.map(() => 0);
    let frame = 0;
    for (const event of chosen) {
      while (frame < ends.length && ends[frame] < event.ts) frame++;
      if (frame < ends.length) times[frame] += (event.tdur ?? 0) / 1000;
    }
    return times;
  };
  const elsewhere = [...threads].flatMap(([, events]) => (events === main ? [] : outermost(events, kElsewhere)));
  return {
    script: perFrame(outermost(main, kScript)),
    raster: perFrame(outermost(main, kRaster)),
    draw: sum(elsewhere.map((event) => (event.tdur ?? 0) / 1000)) / Math.max(1, ends.length),
  };
}

/** Pans, zooms and scrolls at random, the same each time, for so many minutes; calls `each` every half minute. */
export async function wander(page, minutes, each) {
  const end = Date.now() + minutes * 60000;
  for (let round = 0; Date.now() < end; round++) {
    const until = Math.min(end, Date.now() + 30000);
    await page.evaluate(wanderHere, { seed: round + 1, ms: Math.max(0, until - Date.now()) });
    await each(minutes - (end - Date.now()) / 60000);
  }
}

/** Runs in the page. */
const wanderHere = ({ seed, ms }) =>
  new Promise((done) => {
    const canvas = document.querySelector('canvas.rows');
    const began = performance.now();
    let state = seed;
    const random = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 4294967296;
    };
    let kind = 0;
    let left = 0;
    const frame = () => {
      if (performance.now() - began > ms) return done();
      if (left-- <= 0) [kind, left] = [Math.floor(random() * 5), 10 + random() * 50];
      const at = { clientX: 500 + random() * 1500, clientY: 250, bubbles: true, cancelable: true };
      const step = [
        { deltaX: 80 },
        { deltaX: -80 },
        { deltaY: -40 },
        { deltaY: 40 },
        { deltaY: random() < 0.5 ? 30 : -30, shiftKey: true },
      ][kind];
      canvas.dispatchEvent(new WheelEvent('wheel', { ...step, ...at }));
      requestAnimationFrame(frame);
    };
    frame();
  });
