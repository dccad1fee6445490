// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// A self-contained page made from a server's answers and the built viewer, as `sextant view FILE --html` makes it: for
// tests of the viewer alone.
import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url);

async function collectTiles(base, id, track, length, most) {
  const tiles = [];
  const top = Math.max(0, Math.ceil(Math.log2(Math.max(length, 1) / 1024)));
  const walk = async (level, index) => {
    if (tiles.length >= most || index * 2 ** (level + 10) > length) return;
    const answer = await fetch(`${base}api/v1/reports/${id}/tiles/${track}/${level}/${index}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    tiles.push({ track, level, index, bytes });
    // An event tile says everything; an empty one, too.
    if (bytes[5] === 1 || bytes.readUInt32LE(8) === 0 || level === 0) return;
    await walk(level - 1, 2 * index);
    await walk(level - 1, 2 * index + 1);
  };
  await walk(top, 0);
  return tiles;
}

/** The page as text. `most`: tiles of a track, beyond which finer ones are left out. */
export async function selfContained(base, id, { most = 200, thinned = null } = {}) {
  const json = async (path) => (await fetch(`${base}api/v1${path}`)).json();
  const root = `/reports/${id}`;
  const report = await json(root);
  const tracks = await json(`${root}/tracks`);
  const answers = { '/reports': { reports: [report], folders: [] }, [root]: report, [`${root}/tracks`]: tracks };
  answers[`${root}/names`] = await json(`${root}/names?from=0&count=100000`);
  for (const path of ['/findings', '/stats', '/stats?report=nvtx_sum', '/busy', '/busy?of=threads'])
    answers[root + path] = await json(root + path);
  const found = [];
  for (const track of tracks.tracks.filter((one) => one.events > 0))
    found.push(...(await collectTiles(base, id, track.id, report.length_ns, most)));
  let offset = 0;
  const tiles = found.map(({ track, level, index, bytes }) => {
    offset += bytes.length;
    return [track, level, index, offset - bytes.length, bytes.length];
  });
  const header = Buffer.from(JSON.stringify({ version: 1, answers, tiles, events: {}, links: [], thinned }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  const data = gzipSync(Buffer.concat([length, header, ...found.map(({ bytes }) => bytes)])).toString('base64');
  const assets = readdirSync(new URL('assets/', dist));
  const asset = (end) => readFileSync(new URL(`assets/${assets.find((name) => name.endsWith(end))}`, dist), 'utf8');
  const script = asset('.js').replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  return readFileSync(new URL('index.html', dist), 'utf8')
    .replace(/<script type="module"[^>]*><\/script>/, '')
    .replace(/<link rel="icon"[^>]*>/, '')
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${asset('.css')}</style>`)
    .replace(
      '</body>',
      () =>
        `<script type="application/octet-stream" id="sextant-data">${data}</script><script type="module">${script}</script></body>`,
    );
}
