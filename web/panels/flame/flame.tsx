// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Call stacks of a row, or its nesting, as a flame graph: as wide as they weigh in the visible or selected time.
import { useComputed, useSignal } from '@preact/signals';
import { colourOf, paletteIndex } from '../../model/palette.ts';
import { texts } from '../../model/text.ts';
import { percent } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import { useLoaded } from '../load.ts';
import type { Panel } from '../panel.ts';
import { type Flame, buildFlame, visibleFlames } from './flame_tree.ts';

function View({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const root = useSignal<Flame | null>(null);
  const track = useComputed(() => viewer.currentRow.value ?? viewer.selected.value?.track ?? null);
  const loaded = useLoaded(
    () => {
      const time = viewer.range.value ?? viewer.view.value;
      if (track.value === null) return null;
      return viewer.client.stacks(viewer.id, track.value, Math.max(0, time.from), time.to).then((stacks) => {
        root.value = null;
        return buildFlame(stacks);
      });
    },
    200,
    [viewer],
  );
  const { value, error, loading } = loaded.value;
  if (track.value === null)
    return (
      <div class="panel-body">
        <p class="faint">{t.pickRow}</p>
      </div>
    );
  const shown = root.value ?? value;
  return (
    <div class="panel-body">
      <div class="panel-head">
        <b>{viewer.pathOf(track.value)}</b>{' '}
        <span class="faint">
          {viewer.range.value ? t.ofRange : t.ofVisible}
          {loading ? ` · ${t.loading}` : ''}
        </span>
        {root.value && (
          <span class="tools">
            <button
              onClick={() => {
                root.value = null;
              }}
            >
              {t.clear}
            </button>
          </span>
        )}
      </div>
      {error && <p class="problem">{error}</p>}
      {value && value.weight === 0 && <p>{t.noStacks}</p>}
      {shown && shown.weight > 0 && value && (
        <div class="flame" tabIndex={0} role="region" aria-label={t.flame}>
          {visibleFlames(shown).map(({ flame, left, width, depth }) => (
            <button
              key={`${depth}.${left}`}
              title={`${flame.name} · ${percent(flame.weight / value.weight)}`}
              onClick={() => {
                root.value = flame;
              }}
              style={{
                left: `${left * 100}%`,
                width: `${width * 100}%`,
                top: `${depth * 19}px`,
                background: colourOf(paletteIndex(flame.name)).fill,
              }}
            >
              {flame.name}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

export const flame: Panel = { id: 'flame', title: (t) => t.flame, View };
