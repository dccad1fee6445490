// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What the colours of the visible time stand for, with the time of each name in all rows; and what the signs mean.
import { colourOf } from '../../model/palette.ts';
import { texts } from '../../model/text.ts';
import { count, duration } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import type { Panel } from '../panel.ts';
import { Signs } from './signs.tsx';
import { type NameSum, sumNames } from './sum_names.ts';

const kMostNames = 100;

function Names({ viewer, names }: { viewer: Viewer; names: readonly NameSum[] }) {
  const t = texts();
  const marked = viewer.emphasis.value;
  const toggle = (name: number): void => {
    const set = new Set(marked ?? []);
    if (!set.delete(name)) set.add(name);
    viewer.mark(set);
  };
  return (
    <ul class="legend-names">
      {names.slice(0, kMostNames).map((sum) => (
        <li key={sum.name}>
          <button
            aria-pressed={marked?.has(sum.name) ?? false}
            title={viewer.names.text(sum.name) ?? ''}
            onClick={() => toggle(sum.name)}
          >
            <i class="swatch" style={{ background: colourOf(viewer.names.colour(sum.name)).fill }} />
            <span class="legend-name">
              {marked?.has(sum.name) ? '✓ ' : ''}
              {viewer.names.text(sum.name) ?? ''}
            </span>
            <span class="faint number">
              {duration(sum.ns)} · {t.eventsN(count(sum.events))}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function View({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const summed = viewer.sums.summed.value;
  const names = summed ? sumNames(summed) : [];
  return (
    <div class="panel-body scroll" tabIndex={0} role="region" aria-label={t.legend}>
      <div class="panel-head">
        <b>{summed?.selected ? t.ofRange : t.ofVisible}</b> <span class="faint">{t.legendHint}</span>
        {viewer.emphasis.value && (
          <span class="tools">
            <button onClick={() => viewer.mark(null)}>{t.clearMarks}</button>
          </span>
        )}
      </div>
      <div class="legend">
        <Signs />
        <Names viewer={viewer} names={names} />
      </div>
      {names.length > kMostNames && <p class="faint">{t.onlyFirst(count(kMostNames), count(names.length))}</p>}
    </div>
  );
}

export const legend: Panel = { id: 'legend', title: (t) => t.legend, View };
