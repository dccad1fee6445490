import { chromium } from 'playwright-core';
const b = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
const p = await b.newPage({ viewport: { width: 1400, height: 860 } });
p.on('console', (m) => m.type() === 'error' && console.log('console', m.text()));
await p.goto(process.argv[2]);
await p.waitForTimeout(2500);
const base = p.url().split('?')[0];
const api = async (u) =>
  await p.evaluate(async (u) => {
    const r = await fetch(u);
    return await r.json();
  }, u);
const reps = await api('/api/v1/reports');
const id = reps.reports[0].id;
const tracks = await api(`/api/v1/reports/${id}/tracks`);
const o = tracks.tracks.filter((t) => t.kind === 'osrt');
console.log(JSON.stringify(o).slice(0, 900));
const main = o.sort((a, b) => b.events - a.events)[0];
const ev = await api(`/api/v1/reports/${id}/events?track=${main.id ?? main.track}&limit=400`);
console.log(JSON.stringify(ev).slice(0, 500));
const list = ev.events ?? ev.rows;
for (const want of [0, 300, 304, list.length - 1]) {
  const e = list[Math.min(want, list.length - 1)];
  const d = await api(`/api/v1/reports/${id}/event/${main.id ?? main.track}/${e.event ?? e[0]}`);
  console.log(JSON.stringify(d).slice(0, 500));
}
await b.close();
