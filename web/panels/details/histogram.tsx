// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// How long the events of one name took: a bar for each step of duration, the selected one marked. A bar leads to
// its events.
import type { HistogramAnswer } from '../../api/types.ts';
import { texts } from '../../model/text.ts';
import { count, duration } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import { kAllEvents, packEvents } from '../events/events_state.ts';
import { useLoaded } from '../load.ts';
import { Problem } from '../problem.tsx';

const kBins = 40;
const kWidth = 260;
const kHeight = 64;
/** Room for the sign that stands above the selected bar. */
const kHead = 8;

interface BarsProps {
  bins: HistogramAnswer;
  marked: number;
  pick: (from: number, to: number) => void;
}

function Bars({ bins, marked, pick }: BarsProps) {
  const width = kWidth / bins.counts.length;
  const most = Math.max(...bins.counts, 1);
  return (
    <svg
      width={kWidth}
      height={kHeight + kHead}
      role="img"
      aria-label={`${duration(bins.from)} – ${duration(bins.to)}`}
    >
      {bins.counts.map((entry, i) => {
        const height = entry === 0 ? 0 : Math.max(2, (entry / most) * kHeight);
        const from = bins.from + i * bins.step;
        const isMarked = marked >= from && marked < from + bins.step;
        const x = i * width;
        return (
          <g key={i}>
            <rect
              x={x}
              y={kHeight + kHead - height}
              width={Math.max(1, width - 1)}
              height={height}
              class={isMarked ? 'marked' : ''}
            />
            {isMarked && <path class="marker" d={`M${x + width / 2 - 4} 0h8l-4 6z`} />}
            <rect
              class="catch"
              x={x}
              y={0}
              width={width}
              height={kHeight + kHead}
              onClick={() => pick(from, from + bins.step - 1)}
            >
              <title>{`${duration(from)} – ${duration(from + bins.step)}: ${count(entry)}`}</title>
            </rect>
          </g>
        );
      })}
    </svg>
  );
}

interface DurationsProps {
  viewer: Viewer;
  track: number;
  name: number;
  marked: number;
}

export function DurationHistogram({ viewer, track, name, marked }: DurationsProps) {
  const t = texts();
  const loaded = useLoaded(viewer, () => viewer.client.histogram(viewer.id, { track, name, bins: kBins }), 0, [
    track,
    name,
  ]);
  const { value: bins, error } = loaded.value;
  if (error) return <Problem viewer={viewer} error={error} />;
  if (!bins || bins.total < 2) return null;
  const pick = (min: number, max: number): void => {
    viewer.currentRow.value = track;
    const state = { ...kAllEvents, by: 'duration', down: true, min, max, text: viewer.names.text(name) ?? '' };
    viewer.setPanelState('events', packEvents(state));
    viewer.panel.value = 'events';
  };
  return (
    <section class="histogram">
      <h2>
        {t.duration} · {t.eventsN(count(bins.total))}
      </h2>
      <Bars bins={bins} marked={marked} pick={pick} />
      <div class="faint number">
        {duration(bins.from)} … {t.median} {duration(bins.median)} … {duration(bins.to)}
      </div>
    </section>
  );
}
