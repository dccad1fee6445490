// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Answers the HTTP API v1 from generated data, so that the viewer can be worked on and tested without a report.
//   node e2e/mock_server.mjs [PORT]
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { busyDevices, busyThreads, kStack, source } from './mock_answers.mjs';
import { dense, empty, hostile, late, ranks, training } from './mock_data.mjs';

const kTypes = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };
const kCsp =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";
const makers = {
  training: () => training('training', 500, 1000000),
  small: () => training('small', 40, 4000, 11),
  other: () => training('other', 44, 4400, 23),
  empty,
  hostile,
  ranks: () => ranks(300),
  dense: () => dense(48, 500),
  late,
};
/** The report 'changing', which is in no list, is what a test says: one of kStages. */
export const control = { stage: 'empty' };
const kStages = { empty: 'empty', grown: 'small', complete: 'small', damaged: 'small', replaced: 'other', gone: '' };
const isGrowing = (id) => id === 'changing' && (control.stage === 'empty' || control.stage === 'grown');
const isDamaged = (id) => id === 'changing' && control.stage === 'damaged';
const etagOf = (id) => (id !== 'changing' ? id : isDamaged(id) ? 'complete' : control.stage);
const versionOf = (id) => `"${etagOf(id)}${isDamaged(id) ? '-1' : ''}"`;

const built = new Map();
const report = (id) => {
  if (id === 'changing') return report(kStages[control.stage]);
  if (!built.has(id) && Object.hasOwn(makers, id)) built.set(id, makers[id]());
  return built.get(id);
};

const about = (id) => {
  const b = id === 'training' ? null : report(id);
  return {
    id,
    name: `${id}.sxt`,
    path: `/data/${id}.sxt`,
    host: b?.about.host ?? 'node-17',
    program: b?.about.program ?? 'python3 train.py',
    gpus: b?.about.gpus ?? ['NVIDIA H200'],
    started: '2024-05-01T10:00:00Z',
    length_ns: b?.length ?? 1e9,
    rank: id === 'ranks' ? '0-299' : null,
    lost: id === 'small' ? 12 : 0,
    verdict: id === 'empty' ? 'nothing was recorded: the program used no NVTX' : 'complete',
    growing: isGrowing(id),
    etag: etagOf(id),
    bytes: 13400000,
  };
};

const kNoPlace = { process: 0, count: 0, first_ns: null, last_ns: null };
const endOf = (b, data, i) => (data.duration[i] < 0 ? b.length : data.start[i] + data.duration[i]);

/** First event that starts at or after a time. */
function lowerBound(starts, time) {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

const padded = (bytes) => (bytes + 7) & ~7;

function tileBuffer(kind, rows, count, from, widths) {
  const bytes = 32 + widths.reduce((sum, width) => sum + padded(width * count), 0);
  const buffer = new ArrayBuffer(bytes);
  const view = new DataView(buffer);
  view.setUint32(0, 0x31545853, true);
  view.setUint8(4, 1);
  view.setUint8(5, kind);
  view.setUint16(6, rows, true);
  view.setUint32(8, count, true);
  view.setBigInt64(16, BigInt(from), true);
  const offsets = [];
  let at = 32;
  for (const width of widths) {
    offsets.push(at);
    at += padded(width * count);
  }
  return { buffer, offsets };
}

function eventTile(b, data, hits, from) {
  const { buffer, offsets } = tileBuffer(1, data.rows, hits.length, from, [8, 8, 4, 2, 8]);
  const start = new BigInt64Array(buffer, offsets[0], hits.length);
  const duration = new BigInt64Array(buffer, offsets[1], hits.length);
  const name = new Uint32Array(buffer, offsets[2], hits.length);
  const row = new Uint16Array(buffer, offsets[3], hits.length);
  const event = new BigUint64Array(buffer, offsets[4], hits.length);
  hits.forEach((i, at) => {
    start[at] = BigInt(data.start[i]);
    duration[at] = BigInt(data.duration[i]);
    name[at] = data.name[i];
    row[at] = data.row[i];
    event[at] = BigInt(i);
  });
  return buffer;
}

function bucketTile(b, data, hits, from, level) {
  const width = 2 ** level;
  const cells = new Map();
  for (const i of hits) {
    const [s, e] = [Math.max(data.start[i], from), Math.min(endOf(b, data, i), from + width * 1024)];
    for (let bucket = Math.floor((s - from) / width); bucket < 1024 && from + bucket * width <= e; bucket++) {
      const key = data.row[i] * 1024 + bucket;
      const cell = cells.get(key) ?? { busy: 0, events: 0, best: 0, name: data.name[i] };
      cells.set(key, cell);
      const part = Math.max(0, Math.min(e, from + (bucket + 1) * width) - Math.max(s, from + bucket * width));
      cell.busy += part;
      cell.events++;
      if (part > cell.best) [cell.best, cell.name] = [part, data.name[i]];
    }
  }
  const keys = [...cells.keys()].sort((x, y) => x - y);
  const { buffer, offsets } = tileBuffer(2, data.rows, keys.length, from, [2, 2, 1, 4, 4]);
  const row = new Uint16Array(buffer, offsets[0], keys.length);
  const bucket = new Uint16Array(buffer, offsets[1], keys.length);
  const busy = new Uint8Array(buffer, offsets[2], keys.length);
  const name = new Uint32Array(buffer, offsets[3], keys.length);
  const events = new Uint32Array(buffer, offsets[4], keys.length);
  keys.forEach((key, at) => {
    const cell = cells.get(key);
    row[at] = key >> 10;
    bucket[at] = key & 1023;
    busy[at] = Math.min(255, Math.max(1, Math.round((cell.busy / width) * 255)));
    name[at] = cell.name;
    events[at] = cell.events;
  });
  return buffer;
}

function curveTile(b, curve, from, level) {
  const width = 2 ** level;
  const count = Math.max(0, Math.min(1024, Math.ceil((b.length - from) / width)));
  const { buffer, offsets } = tileBuffer(3, 1, count, from, [8, 8, 8, 2]);
  const columns = [0, 1, 2].map((i) => new Float64Array(buffer, offsets[i], count));
  const bucket = new Uint16Array(buffer, offsets[3], count);
  for (let i = 0; i < count; i++) {
    const values = [0, 0.3, 0.6, 0.9].map((part) => curve(from + (i + part) * width));
    columns[0][i] = Math.min(...values);
    columns[1][i] = Math.max(...values);
    columns[2][i] = values.reduce((x, y) => x + y) / values.length;
    bucket[i] = i;
  }
  return buffer;
}

function severalTiles(b, of) {
  const parts = of.split(',').flatMap((place) => {
    const bytes = new Uint8Array(tile(b, ...place.split('/').map(Number)));
    return [new Uint8Array(new BigUint64Array([BigInt(bytes.length)]).buffer), bytes];
  });
  return new Uint8Array(Buffer.concat(parts)).buffer;
}

const tiles = new Map();
function tile(b, track, level, index) {
  const key = `${b.id}/${track}/${level}/${index}`;
  if (!tiles.has(key)) {
    const from = index * 2 ** (level + 10);
    const curve = b.curves.get(track);
    tiles.set(key, curve ? curveTile(b, curve, from, level) : dataTile(b, b.data.get(track), from, level));
  }
  return tiles.get(key);
}

function dataTile(b, data, from, level) {
  const to = from + 2 ** (level + 10);
  const hits = [];
  for (let i = 0, end = lowerBound(data.start, to); i < end; i++) if (endOf(b, data, i) >= from) hits.push(i);
  if (!hits.length) return bucketTile(b, data, hits, from, level);
  return hits.length <= 4096 || level === 0 ? eventTile(b, data, hits, from) : bucketTile(b, data, hits, from, level);
}

function events(b, query) {
  const data = b.data.get(Number(query.get('track')));
  const [from, to] = [Number(query.get('from') ?? 0), Number(query.get('to') ?? b.length)];
  const text = (query.get('text') ?? '').toLowerCase();
  const name = query.get('name');
  let hits = [];
  for (let i = 0; i < data.start.length; i++) {
    if (data.start[i] > to || endOf(b, data, i) < from) continue;
    if (name !== null && data.name[i] !== Number(name)) continue;
    const length = endOf(b, data, i) - data.start[i];
    if (length < Number(query.get('min') ?? 0) || length > Number(query.get('max') ?? Number.MAX_VALUE)) continue;
    if (text && !b.names.texts[data.name[i]].toLowerCase().includes(text)) continue;
    hits.push(i);
  }
  const sort = query.get('sort') ?? 'start';
  if (sort === 'duration') hits.sort((x, y) => data.duration[x] - data.duration[y]);
  if (sort === 'name') hits.sort((x, y) => (b.names.texts[data.name[x]] < b.names.texts[data.name[y]] ? -1 : 1));
  if (query.get('order') === 'desc') hits.reverse();
  const total = hits.length;
  const offset = Number(query.get('offset') ?? 0);
  hits = hits.slice(offset, offset + Number(query.get('limit') ?? 100));
  return {
    columns: ['event', 'start', 'duration', 'name', 'row'],
    total,
    rows: hits.map((i) => [i, data.start[i], data.duration[i], data.name[i], data.row[i]]),
  };
}

function event(b, track, i) {
  const data = b.data.get(track);
  if (!data || !(i < data.start.length)) return null;
  const same = (step) => {
    for (let at = i + step; at >= 0 && at < data.start.length; at += step)
      if (data.name[at] === data.name[i]) return at;
    return null;
  };
  const parents = [];
  for (let row = data.row[i] - 1; row >= 0; row--) {
    for (let at = i - 1; at >= 0; at--) {
      if (data.row[at] !== row || endOf(b, data, at) < endOf(b, data, i)) continue;
      parents.unshift({ track, event: at, name: data.name[at], start: data.start[at], duration: data.duration[at] });
      break;
    }
  }
  const link = data.link.get(i);
  const other = link && b.data.get(link.track);
  const name = b.names.texts[data.name[i]];
  return {
    name: data.name[i],
    row: data.row[i],
    table: 'nvtx_range',
    event: {
      name,
      start: data.start[i],
      duration: data.duration[i],
      ...(link
        ? { correlationId: 1000 + i, gridX: 128, blockX: 256, registersPerThread: 168, staticSharedMemory: 49152 }
        : {}),
    },
    units: { start: 'ns', duration: 'ns', staticSharedMemory: 'B' },
    parents,
    links: link
      ? [
          {
            ...link,
            start: other.start[link.event],
            duration: other.duration[link.event],
            name: other.name[link.event],
            delay:
              link.kind === 'launches'
                ? other.start[link.event] - data.start[i] - data.duration[i]
                : data.start[i] - other.start[link.event] - other.duration[link.event],
          },
        ]
      : [],
    stack: name.startsWith('cuda') ? kStack : [],
    explained: name.includes('gemm')
      ? 'Matrix multiplication on tensor cores, bf16 in, f32 accumulated, tiles of 128x128.'
      : null,
    previous: same(-1),
    next: same(1),
    sql: `SELECT * FROM NVTX_EVENTS WHERE start = ${data.start[i]}`,
  };
}

function search(b, text, limit) {
  const wanted = text.toLowerCase();
  const found = new Map();
  b.names.texts.forEach((name, id) => {
    if (name.toLowerCase().includes(wanted))
      found.set(id, { name: id, text: name, track_kind: '', events: 0, total_ns: 0, first: null });
  });
  for (const [track, data] of b.data) {
    for (let i = 0; i < data.start.length; i++) {
      const hit = found.get(data.name[i]);
      if (!hit) continue;
      hit.track_kind ||= b.tracks[track - 1].kind;
      hit.events++;
      hit.total_ns += Math.max(0, data.duration[i]);
      hit.first ??= { track, event: i, start: data.start[i] };
    }
  }
  const names = [...found.values()].filter((hit) => hit.first).sort((x, y) => y.total_ns - x.total_ns);
  return { names: names.slice(0, limit), more: names.length > limit };
}

function totals(b, track, from, to) {
  const data = b.data.get(track);
  const sums = new Map();
  let [busy, count] = [0, 0];
  for (let i = 0; i < data.start.length && data.start[i] < to; i++) {
    const part = Math.min(endOf(b, data, i), to) - Math.max(data.start[i], from);
    if (part < 0) continue;
    count++;
    if (data.row[i] === 0) busy += part;
    const sum = sums.get(data.name[i]) ?? { total: 0, events: 0 };
    sums.set(data.name[i], { total: sum.total + part, events: sum.events + 1 });
  }
  const top = [...sums]
    .sort((x, y) => y[1].total - x[1].total)
    .map(([name, sum]) => ({ name, ns: sum.total, events: sum.events }));
  return { track, busy_ns: Math.round(busy), events: count, top };
}

function stats(b, name, from, to) {
  if (name !== 'nvtx_sum')
    return { report: name, columns: [], rows: [], reason: 'no GPU was traced: the report holds no kernels' };
  const nvtx = b.tracks.find((track) => track.kind === 'nvtx' && track.events);
  if (!nvtx) return { report: name, columns: [], rows: [], reason: 'the program used no NVTX' };
  const { top } = totals(b, nvtx.id, from, to);
  return {
    report: name,
    columns: [
      { name: 'Time', unit: '%' },
      { name: 'Total Time', unit: 'ns' },
      { name: 'Instances', unit: null },
      { name: 'Avg', unit: 'ns' },
      { name: 'Range', unit: null },
    ],
    rows: top.map((entry) => [
      (100 * entry.ns) / (to - from),
      entry.ns,
      entry.events,
      entry.ns / entry.events,
      b.names.texts[entry.name],
    ]),
    reason: null,
    notes: [],
    total: top.length,
  };
}

function findings(b) {
  const kernels = b.tracks.find((track) => track.kind === 'kernels' && track.events);
  if (!kernels) return { findings: [], reasons: [{ rule: 'gpu_idle', text: 'the report holds no kernels' }] };
  const data = b.data.get(kernels.id);
  const at = Math.floor(data.start.length / 2);
  return {
    findings: [
      {
        rule: 'gpu_idle',
        what: 'The GPU waits 1.2 ms between two kernels',
        where: [
          {
            text: 'Stream 7',
            track: kernels.id,
            event: at,
            from: data.start[at],
            to: data.start[at] + data.duration[at],
          },
        ],
        evidence: 'no kernel ran',
        gain_ns: 1200000,
        advice: 'launch the next kernel before the last one ends',
      },
    ],
    reasons: [{ rule: 'sync_memcpy', text: 'no memory copies of that kind' }],
  };
}

const flameOf = (b, track, from, to) => {
  const { top } = totals(b, track, from, to);
  return {
    frames: ['main', ...top.map((entry) => b.names.texts[entry.name])],
    stacks: top.map((entry, i) => [[0, i + 1], Math.round(entry.ns)]),
    unit: 'ns',
  };
};

function histogram(b, query) {
  const data = b.data.get(Number(query.get('track')));
  const name = Number(query.get('name'));
  const values = [...data.duration].filter((value, i) => data.name[i] === name && value >= 0).sort((x, y) => x - y);
  const [from, to] = [values[0] ?? 0, values[values.length - 1] ?? 0];
  const step = Math.max(1, Math.ceil((to - from + 1) / Number(query.get('bins') ?? 40)));
  const counts = new Array(Math.ceil((to - from + 1) / step)).fill(0);
  for (const value of values) counts[Math.floor((value - from) / step)]++;
  return { from, to, step, counts, median: values[Math.floor(values.length / 2)] ?? 0, total: values.length };
}

function answer(path, query) {
  const [, , , kind, id, what, ...rest] = path.split('/');
  if (kind !== 'reports') return null;
  if (id === undefined) return { reports: Object.keys(makers).map(about), folders: ['/data'] };
  const b = report(id);
  if (!b) return null;
  const [from, to] = [Number(query.get('from') ?? 0), Number(query.get('to') ?? b.length)];
  switch (what) {
    case undefined:
      return {
        ...about(id),
        length_ns: b.length,
        tables: [{ name: 'range', rows: 1000 }],
        diagnostics: isDamaged(id)
          ? [{ ...kNoPlace, code: 'damage', text: 'damaged at byte 4096: the checksum is wrong (64 KiB skipped)' }]
          : id === 'small'
            ? [
                {
                  code: 'ring_full',
                  process: 1,
                  count: 12,
                  first_ns: 24e6,
                  last_ns: 25e6,
                  text: '12 ranges lost: the buffer was full',
                },
              ]
            : [],
        clock: { utc_start_ns: '1714557600000000000' },
        names: b.names.texts.length,
      };
    case 'tracks':
      return { settled: true, tracks: b.tracks };
    case 'names':
      return { names: b.names.texts.slice(from, from + Number(query.get('count'))) };
    case 'tiles':
      return rest.length ? tile(b, ...rest.map(Number)) : severalTiles(b, query.get('of') ?? '');
    case 'events':
      return events(b, query);
    case 'event':
      return event(b, Number(rest[0]), Number(rest[1]));
    case 'search':
      return search(b, query.get('text') ?? '', Number(query.get('limit') ?? 50));
    case 'stats':
      return query.get('report')
        ? stats(b, query.get('report'), from, to)
        : {
            reports: [
              { name: 'nvtx_sum', title: 'NVTX Range Summary', meaning: 'NVTX ranges by name', by_default: true },
              {
                name: 'cuda_gpu_kern_sum',
                title: 'CUDA GPU Kernel Summary',
                meaning: 'Kernels by name',
                by_default: true,
              },
            ],
          };
    case 'range':
      return {
        tracks: b.tracks
          .filter((track) => track.events && !b.curves.has(track.id))
          .map((track) => ({ ...totals(b, track.id, from, to), top: totals(b, track.id, from, to).top.slice(0, 5) })),
      };
    case 'findings':
      return findings(b);
    case 'stacks': {
      const kernels = b.tracks.find((track) => track.kind === 'kernels')?.id;
      return flameOf(b, query.get('by') === 'device' ? kernels : Number(query.get('track')), from, to);
    }
    case 'busy':
      return (query.get('of') === 'threads' ? busyThreads : busyDevices)(b, from, to, (id) => totals(b, id, from, to));
    case 'source':
      return source(id, Number(query.get('frame') ?? -1));
    case 'histogram':
      return histogram(b, query);
    case 'row_sql':
      return { sql: `SELECT * FROM NVTX_EVENTS WHERE start < ${to}` };
    case 'sql':
      return {
        columns: ['text', 'n'],
        rows: b.names.texts.slice(0, 20).map((text, i) => [text, i]),
        truncated: false,
        ms: 3,
      };
    default:
      return null;
  }
}

async function serveFile(path, response) {
  const name = path === '/' ? 'index.html' : path.slice(1);
  if (name.includes('..')) throw new Error('outside');
  const content = await readFile(new URL(`../dist/${name}`, import.meta.url));
  response.writeHead(200, {
    'Content-Type': kTypes[name.split('.').pop()] ?? 'application/octet-stream',
    'Content-Security-Policy': kCsp,
  });
  response.end(content);
}

export function startMock(port = 0) {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    try {
      if (!url.pathname.startsWith('/api/v1/')) return await serveFile(url.pathname, response);
      for await (const part of request) void part;
      const found = answer(url.pathname, url.searchParams);
      const id = url.pathname.split('/')[4];
      if (id && found) response.setHeader('ETag', versionOf(id));
      if (found instanceof ArrayBuffer) {
        response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
        return response.end(Buffer.from(found));
      }
      response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(found ?? { error: { code: 'not_found', message: 'no such thing' } }));
    } catch (error) {
      response.writeHead(500, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ error: { code: 'mock', message: String(error) } }));
    }
  });
  return new Promise((done) => server.listen(port, '127.0.0.1', () => done(server)));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const server = await startMock(Number(process.argv[2] ?? 0));
  console.log(`http://127.0.0.1:${server.address().port}/`);
}
