// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// How long the events of one name took: a bar for each step of duration, the selected one marked.
import { texts } from '../../model/text.ts';
import { count, duration } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import { useLoaded } from '../load.ts';
import { type Histogram, histogram, kHistogramLimit } from './histogram_bins.ts';

const kWidth = 260;
const kHeight = 64;

function Bars({ bins, marked }: { bins: Histogram; marked: number }) {
  const width = kWidth / bins.counts.length;
  const most = Math.max(...bins.counts, 1);
  return (
    <svg width={kWidth} height={kHeight} role="img" aria-label={`${duration(bins.from)} – ${duration(bins.to)}`}>
      {bins.counts.map((entry, i) => {
        const height = entry === 0 ? 0 : Math.max(2, (entry / most) * kHeight);
        const from = bins.from + i * bins.step;
        return (
          <rect
            key={i}
            x={i * width}
            y={kHeight - height}
            width={Math.max(1, width - 1)}
            height={height}
            class={marked >= from && marked < from + bins.step ? 'marked' : ''}
          >
            <title>{`${duration(from)} – ${duration(from + bins.step)}: ${count(entry)}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}

export function DurationHistogram({
  viewer,
  track,
  name,
  marked,
}: { viewer: Viewer; track: number; name: number; marked: number }) {
  const t = texts();
  const loaded = useLoaded(
    () =>
      viewer.client.events(viewer.id, { track, name, limit: kHistogramLimit }).then((page) => {
        const at = page.columns.indexOf('duration');
        const all = page.rows.map((row) => Number(row[at])).filter((value) => value >= 0);
        return { bins: histogram(all), shown: page.rows.length, total: page.total };
      }),
    0,
    [viewer, track, name],
  );
  const { value } = loaded.value;
  if (!value?.bins) return null;
  const { bins } = value;
  return (
    <section class="histogram">
      <h2>
        {t.duration}: {value.shown < value.total ? t.nOf(count(value.shown), count(value.total)) : count(value.total)}
      </h2>
      <Bars bins={bins} marked={marked} />
      <div class="faint number">
        {duration(bins.from)} … {t.median} {duration(bins.median)} … {duration(bins.to)}
      </div>
    </section>
  );
}
