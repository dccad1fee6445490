// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Generated reports for the mock server: the same at every start.

/** Small, fast, the same everywhere. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

class Names {
  texts = [];
  index = new Map();
  id(text) {
    let id = this.index.get(text);
    if (id === undefined) {
      id = this.texts.push(text) - 1;
      this.index.set(text, id);
    }
    return id;
  }
}

/** Events of one track as columns, sorted by start. */
function columns(events) {
  events.sort((a, b) => a[0] - b[0] || a[3] - b[3]);
  const n = events.length;
  const out = {
    start: new Float64Array(n),
    duration: new Float64Array(n),
    name: new Uint32Array(n),
    row: new Uint16Array(n),
    rows: 1,
    link: new Map(),
  };
  events.forEach(([start, duration, name, row, link], i) => {
    out.start[i] = Math.round(start);
    out.duration[i] = Math.round(duration);
    out.name[i] = name;
    out.row[i] = row;
    out.rows = Math.max(out.rows, row + 1);
    if (link !== undefined) out.link.set(i, link);
  });
  return out;
}

class Builder {
  names = new Names();
  tracks = [];
  data = new Map();
  curves = new Map();
  constructor(id, length, about) {
    this.id = id;
    this.length = length;
    this.about = about;
  }
  track(parent, kind, name, events = [], more = {}) {
    const id = this.tracks.length + 1;
    const data = columns(events);
    this.data.set(id, data);
    let busy = 0;
    const shares = new Map();
    for (let i = 0; i < data.start.length; i++) {
      const duration = data.duration[i] < 0 ? this.length - data.start[i] : data.duration[i];
      if (data.row[i] === 0) busy += duration;
      shares.set(data.name[i], (shares.get(data.name[i]) ?? 0) + duration);
    }
    const total = [...shares.values()].reduce((a, b) => a + b, 0) || 1;
    const top = [...shares]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 5)
      .map(([key, value]) => ({ name: key, share: value / total }));
    this.tracks.push({
      id,
      parent,
      kind,
      name,
      events: data.start.length,
      busy_ns: Math.round(busy),
      first_ns: data.start[0] ?? 0,
      last_ns: data.start.length ? data.start[data.start.length - 1] : 0,
      rows: data.rows,
      unit: null,
      top,
      lost: [],
      ...more,
    });
    return id;
  }
  curve(parent, name, unit, value) {
    const id = this.track(parent, 'metric', name, [], { unit, events: 1000 });
    this.curves.set(id, value);
    return id;
  }
}

/** A training run: steps with nested ranges, API calls, and the kernels that they launched. */
export function training(id, steps, leaves, seed = 7) {
  const rnd = random(seed);
  const stepLength = 2e6;
  const length = steps * stepLength;
  const b = new Builder(id, length, { program: 'python3 train.py', host: 'node-17', gpus: ['NVIDIA H200'] });
  const name = (text) => b.names.id(text);
  const layers = ['embedding', 'attention', 'mlp', 'layernorm', 'softmax', 'dropout', 'loss', 'optimizer'];
  const kernels = [
    'sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64',
    'flash_fwd_kernel<cutlass::bfloat16_t, 128>',
    'vectorized_elementwise_kernel<4, FillFunctor>',
    'ncclDevKernel_AllReduce_Sum_bf16_RING_LL',
    'layer_norm_kernel',
    'adamw_multi_tensor_apply',
  ];
  const nvtx = [];
  const api = [];
  const gpu = [];
  const copies = [];
  for (let step = 0; step < steps; step++) {
    const t0 = step * stepLength + 1000;
    nvtx.push([t0, stepLength * 0.95, name('step'), 0]);
    let at = t0 + 5000;
    const per = Math.max(1, Math.floor(leaves / steps / 2));
    const slot = (stepLength * 0.9) / per;
    for (let i = 0; i < per; i++) {
      const layer = layers[Math.floor(rnd() * layers.length)];
      const length = slot * (0.5 + rnd() * 0.45);
      nvtx.push([at, length, name(layer), 1]);
      nvtx.push([at + length * 0.1, length * 0.6, name(`${layer}.${Math.floor(rnd() * 8)}`), 2]);
      if (i % 8 === 0) {
        const launch = at + length * 0.2;
        const kernelStart = launch + 12000 + rnd() * 20000;
        api.push([launch, 4000 + rnd() * 3000, name('cudaLaunchKernel'), 0]);
        gpu.push([kernelStart, slot * 4 * (0.4 + rnd()), name(kernels[Math.floor(rnd() * rnd() * kernels.length)]), 0]);
      }
      at += slot;
    }
    copies.push([t0, 90000 + rnd() * 50000, name('[CUDA memcpy Host-to-Device]'), 0]);
  }
  // A stream does one thing at a time; a kernel starts when the one before it has ended.
  gpu.sort((x, y) => x[0] - y[0]);
  let free = 0;
  for (const kernel of gpu) {
    kernel[0] = Math.max(kernel[0], free + 1500);
    free = kernel[0] + kernel[1];
  }
  while (gpu.length && gpu[gpu.length - 1][0] + gpu[gpu.length - 1][1] > length) gpu.pop();
  nvtx.push([length * 0.9, -1, name('checkpoint writer'), 3], [length * 0.5, 0, name('epoch boundary'), 0]);
  const cpu = b.track(null, 'cpu', 'CPU');
  b.curve(cpu, 'CPU utilisation', '%', (t) => 40 + 35 * Math.sin(t / 9e6) + 10 * Math.sin(t / 3e5));
  const process = b.track(null, 'process', '[4711] python3');
  const main = b.track(process, 'thread', '[4711] MainThread');
  b.track(main, 'nvtx', 'NVTX', nvtx);
  const apiTrack = b.track(main, 'cuda_api', 'CUDA API', api);
  b.track(main, 'osrt', 'OS runtime libraries', [
    [1e5, 3e6, name('poll'), 0],
    [8e6, 2e6, name('pthread_cond_wait'), 0],
  ]);
  b.track(main, 'overhead', 'Profiler overhead', [[length * 0.3, 1e5, name('buffer flush'), 0]], {
    lost: [[length * 0.3, length * 0.31]],
  });
  for (let i = 0; i < 3; i++) b.track(b.track(process, 'thread', `[${4720 + i}] pt_data_worker`), 'nvtx', 'NVTX');
  const device = b.track(null, 'device', 'CUDA HW (NVIDIA H200, 0000:1a:00.0)');
  const stream = b.track(device, 'stream', 'Stream 7');
  const kernelTrack = b.track(stream, 'kernels', 'Kernels', gpu);
  b.track(stream, 'memory', 'Memory', copies);
  b.curve(device, 'SM active', '%', (t) => 60 + 30 * Math.sin(t / 2e6) + (t % 7e6 < 1e6 ? -40 : 0));
  b.curve(device, 'Memory used', 'B', (t) => 2e10 + 6e10 * Math.min(1, t / (length / 4)));
  const [calls, work] = [b.data.get(apiTrack), b.data.get(kernelTrack)];
  for (let i = 0; i < work.start.length; i++) {
    calls.link.set(i, { kind: 'launches', track: kernelTrack, event: i });
    work.link.set(i, { kind: 'launched_by', track: apiTrack, event: i });
  }
  return b;
}

export function empty() {
  return new Builder('empty', 0, { program: './nothing', host: 'node-17', gpus: [] });
}

/** As many boxes as a large screen can show: `count` streams of kernels, each a few pixels long. */
/** Little of a long run: three ranges at its end. */
export function late() {
  const b = new Builder('late', 10e9, { program: './late', host: 'node-17', gpus: [] });
  const process = b.track(null, 'process', 'late [1]');
  const thread = b.track(process, 'thread', 'main thread [1]');
  const name = b.names.id('late work');
  const ranges = [9.1e9, 9.2e9, 9.3e9].map((start) => [start, 5e7, name, 0]);
  b.track(thread, 'nvtx', 'NVTX', ranges);
  return b;
}

export function dense(count, each) {
  const rnd = random(5);
  const length = 1e9;
  const b = new Builder('dense', length, { program: './streams', host: 'node-17', gpus: ['NVIDIA H200'] });
  const device = b.track(null, 'device', 'GPU 0');
  const step = length / each;
  for (let stream = 0; stream < count; stream++) {
    const events = Array.from({ length: each }, (_, i) => [
      (i + 0.2 * rnd()) * step,
      step * (0.4 + 0.4 * rnd()),
      b.names.id(`kernel_${Math.floor(rnd() * 40)}`),
      0,
    ]);
    b.track(device, 'kernels', `Stream ${stream}`, events);
  }
  return b;
}

export function ranks(count) {
  const rnd = random(3);
  const length = 60e9;
  const b = new Builder('ranks', length, { program: 'torchrun train.py', host: 'node-[0-37]', gpus: ['NVIDIA H200'] });
  for (let rank = 0; rank < count; rank++) {
    const process = b.track(null, 'process', `Rank ${rank}`);
    const make = (texts, n) =>
      Array.from({ length: n }, (_, i) => [
        (i * length) / n + rnd() * 1e6,
        (length / n) * (0.3 + 0.6 * rnd()),
        b.names.id(texts[Math.floor(rnd() * texts.length)]),
        0,
      ]);
    b.track(b.track(process, 'thread', 'MainThread'), 'nvtx', 'NVTX', make(['forward', 'backward', 'optimizer'], 300));
    b.track(b.track(process, 'device', 'GPU'), 'kernels', 'Kernels', make(['gemm', 'allreduce', 'softmax'], 500));
  }
  return b;
}

export function hostile() {
  const b = new Builder('hostile', 1e9, {
    program: '<img src=x onerror=window.hacked=1>',
    host: '<b>host</b>',
    gpus: [],
  });
  const texts = [
    '<script>window.hacked=1</script>',
    '<img src=x onerror="window.hacked=1">',
    '"><svg onload=window.hacked=1>',
    'javascript:window.hacked=1',
    '\u202Eright to left',
    'x'.repeat(9000),
    '',
    'line\nbreak',
    '{{constructor}}',
  ];
  const process = b.track(null, 'process', '<img src=x onerror=window.hacked=1>');
  b.track(
    process,
    'nvtx',
    '<script>window.hacked=1</script>',
    texts.map((text, i) => [i * 1e8, 9e7, b.names.id(text), 0]),
  );
  return b;
}
