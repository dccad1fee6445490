// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Flame graphs of the visible or selected time: the row's call stacks or nesting, or the time of devices by the ranges
// that launched it. As wide as they weigh.
import { useComputed } from '@preact/signals';
import type { Stacks } from '../../api/types.ts';
import { colourOf, paletteIndex } from '../../model/palette.ts';
import { texts } from '../../model/text.ts';
import { count, duration, percent } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import { useLoaded } from '../load.ts';
import { noEventsText } from '../no_events.ts';
import type { Panel } from '../panel.ts';
import { Problem } from '../problem.tsx';
import { type Flame, at, buildFlame, kLeastWidth, visibleFlames } from './flame_tree.ts';

const kRowHeight = 19;
/** Kinds of rows whose work runs on a device. */
const kDeviceKinds = new Set([
  ...['kernels', 'memory', 'graphs', 'nvtx_gpu', 'device', 'context', 'stream'],
  ...['opencl_kernels', 'opencl_memory', 'nvtx_opencl'],
]);

type Mode = 'row' | 'device';

async function askStacks(viewer: Viewer, mode: Mode, track: number | null): Promise<Stacks> {
  const { from, to } = viewer.range.value ?? viewer.view.value;
  const span = [Math.max(0, from), Math.min(viewer.length.value, to)] as const;
  if (mode === 'row')
    return track === null ? { frames: [], stacks: [] } : viewer.client.stacks(viewer.id, track, ...span);
  const kind = track === null ? '' : (viewer.byId.value.get(track)?.kind ?? '');
  return viewer.client.deviceStacks(viewer.id, kDeviceKinds.has(kind) ? (track ?? undefined) : undefined, ...span);
}

interface BoxesProps {
  viewer: Viewer;
  root: Flame;
  path: string[];
  weight: (value: number) => string;
  all: number;
}

function Boxes({ viewer, root, path, weight, all }: BoxesProps) {
  const t = texts();
  const focus = at(root, path) ?? root;
  const open = (steps: readonly string[]): void =>
    viewer.setPanelState('flame', steps.length ? JSON.stringify(steps) : '');
  return (
    <div class="flame" tabIndex={0} role="region" aria-label={t.flame}>
      {visibleFlames(focus).map(({ flame, left, width, depth, path: steps }) => (
        <button
          key={`${depth}.${left}`}
          title={`${flame.name} · ${weight(flame.weight)} · ${percent(flame.weight / all)}`}
          onClick={() => open([...path.slice(0, -1), ...steps])}
          style={{
            left: `${left * 100}%`,
            width: `${width * 100}%`,
            top: `${depth * kRowHeight}px`,
            background: colourOf(paletteIndex(flame.name)).fill,
          }}
        >
          {flame.name}
        </button>
      ))}
    </div>
  );
}

function View({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const mode = useComputed<Mode>(() => (viewer.panelState.value.flameof === 'device' ? 'device' : 'row'));
  const loaded = useLoaded(
    viewer,
    () =>
      askStacks(viewer, mode.value, viewer.shownRow.value).then((stacks) => ({
        root: buildFlame(stacks),
        unit: stacks.unit,
        complete: (stacks as { complete?: boolean }).complete !== false,
      })),
    200,
  );
  const { value, error, loading } = loaded.value;
  const row = viewer.shownRow.value;
  const path = parsePath(viewer.panelState.value.flame);
  const weight = (amount: number): string => (value?.unit === 'samples' ? t.samplesN(count(amount)) : duration(amount));
  const root = value?.root;
  return (
    <div class="panel-body">
      <div class="panel-head">
        <select
          aria-label={t.flameOf}
          value={mode.value}
          onChange={(event) => {
            viewer.setPanelState('flame', '');
            viewer.setPanelState('flameof', event.currentTarget.value === 'device' ? 'device' : '');
          }}
        >
          <option value="row">{t.flameRow}</option>
          <option value="device">{t.flameDevice}</option>
        </select>
        {mode.value === 'row' && row !== null && <b>{viewer.pathOf(row)}</b>}
        <span class="faint">
          {viewer.range.value ? t.ofRange : t.ofVisible}
          {root && root.weight > 0 ? ` · ${weight(root.weight)}` : ''}
          {loading ? ` · ${t.loading}` : ''}
        </span>
        <span class="tools">
          {value && !value.complete && <span class="faint">{t.stacksLeftOut}</span>}
          <span class="faint">{t.flameLeast(percent(kLeastWidth))}</span>
          {path.length > 0 && <button onClick={() => viewer.setPanelState('flame', '')}>{t.flameWhole}</button>}
        </span>
      </div>
      <Problem viewer={viewer} error={error} />
      {root && root.weight === 0 && <p>{row === null ? noEventsText(viewer) : t.noStacks}</p>}
      {root && root.weight > 0 && <Boxes viewer={viewer} root={root} path={path} weight={weight} all={root.weight} />}
    </div>
  );
}

function parsePath(text: string | undefined): string[] {
  try {
    const path: unknown = JSON.parse(text || '[]');
    return Array.isArray(path) ? path.filter((step) => typeof step === 'string') : [];
  } catch {
    return [];
  }
}

export const flame: Panel = { id: 'flame', title: (t) => t.flame, View };
