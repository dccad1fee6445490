// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Answers of the mock server about where time went, and about source.

const cause = (name, text, ns, span, more = {}) => ({
  cause: name,
  text,
  ns,
  share: ns / (span || 1),
  longest: null,
  ...more,
});

/** `totals(track)`: of a track, within the span. */
export function busyDevices(b, from, to, totals) {
  const devices = b.tracks.filter((track) => track.kind === 'device');
  const span = to - from;
  return {
    from,
    to,
    left_out: 0,
    reason: devices.length ? null : 'the report holds no kernels',
    devices: devices.slice(0, 4).map((device) => {
      const kernels = b.tracks.find((track) => track.kind === 'kernels' && track.id > device.id);
      const ns = Math.min(span, kernels ? totals(kernels.id).busy_ns : 0);
      const rest = span - ns;
      const longest = rest ? { from: from + 1000, to: from + 1000 + Math.floor(rest / 4) } : null;
      return {
        track: device.id,
        name: device.name,
        busy_ns: ns,
        idle_ns: rest,
        causes: [
          cause('kernel', 'a kernel ran', ns, span),
          cause('api', 'the CPU was in a call', rest, span, { longest }),
        ],
      };
    }),
  };
}

export function busyThreads(b, from, to, totals) {
  const span = to - from;
  const threads = b.tracks.filter((track) => track.kind === 'thread').slice(0, 200);
  return {
    from,
    to,
    left_out: 0,
    reason: threads.length ? null : 'nothing was recorded',
    threads: threads.map((thread) => {
      const below = b.tracks.find((track) => track.parent === thread.id && track.events);
      const { busy_ns: busy, top } = below ? totals(below.id) : { busy_ns: 0, top: [] };
      const waits = Math.min(span, busy);
      return {
        track: thread.id,
        name: thread.name,
        scheduling: false,
        causes: [
          cause('osrt_wait', 'it waited', waits, span, {
            names: top.slice(0, 2).map(({ name, ns }) => ({ name, ns })),
            longest: waits ? { from, to: from + Math.ceil(waits / 2) } : null,
          }),
          cause('nothing', 'nothing was recorded', span - waits, span, { names: [] }),
        ],
      };
    }),
  };
}

/** Frames of every call: the first has source, the second has none. */
export const kStack = [
  { function: 'vmlinux<b>', module: '[kernel.kallsyms]', kernel: true },
  { function: 'launch<float>(int)', module: '/opt/app/train', kernel: false },
  { function: 'main', module: '/opt/app/train', kernel: false },
];

export const source = (id, frame) =>
  id === 'other'
    ? { allowed: false, reason: 'this server shows no source files' }
    : frame === 1
      ? {
          allowed: true,
          file: '/build/app/train.cu',
          line: 41,
          exact: true,
          program_newer: false,
          path: '/home/me/app/train.cu',
          first: 40,
          lines: ['// <script>window.hacked=1</script>', '  launch<float>(n);', '}'],
          source_newer: true,
          reason: null,
        }
      : { allowed: true, reason: '/opt/app/train has no debug information (compile with -g)' };
