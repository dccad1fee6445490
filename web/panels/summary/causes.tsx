// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Time divided among causes: a bar, and a list with a jump to the longest stretch of each.
import type { CauseOfTime } from '../../api/types.ts';
import { colourOf, kNeutral, paletteIndex } from '../../model/palette.ts';
import { texts } from '../../model/text.ts';
import { viewOf } from '../../model/time_view.ts';
import { duration, percent } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';

/** In the palette: causes that stand beside each other have different colours. */
const kColours: Readonly<Record<string, number>> = {
  ...{ kernel: 2, copy: 0, sync_wait: 1, api: 5, osrt_wait: 6 },
  ...{ running: 2, ready: 3, io: 4, off_cpu: 11, osrt: 7 },
};
const fill = (cause: string): string =>
  (cause === 'nothing' ? kNeutral : colourOf(kColours[cause] ?? paletteIndex(cause))).fill;

/** A share that has room for its word. */
const kRoom = 0.12;

export function CauseBar({ causes }: { causes: readonly CauseOfTime[] }) {
  return (
    <div class="cause-bar" aria-hidden="true">
      {causes
        .filter((cause) => cause.ns > 0)
        .map((cause) => (
          <i key={cause.cause} style={{ width: `${100 * cause.share}%`, background: fill(cause.cause) }}>
            {cause.share > kRoom ? cause.cause : ''}
          </i>
        ))}
    </div>
  );
}

interface ListProps {
  viewer: Viewer;
  track: number;
  causes: readonly CauseOfTime[];
  /** What causes mean, in this language. */
  meanings: Readonly<Record<string, string>>;
}

export function CauseList({ viewer, track, causes, meanings }: ListProps) {
  const t = texts();
  const go = ({ longest }: CauseOfTime): void => {
    if (!longest) return;
    const { from, to } = longest;
    viewer.range.value = { from, to: Math.max(to, from + 1) };
    viewer.setView(viewOf(from, to, viewer.length.value, 0.5));
    viewer.showRow(track);
  };
  return (
    <ul class="causes">
      {causes
        .filter((cause) => cause.ns > 0)
        .map((cause) => (
          <li key={cause.cause}>
            <i class="swatch" style={{ background: fill(cause.cause) }} /> <b>{cause.cause}</b>{' '}
            <span class="number">
              {duration(cause.ns)} · {percent(cause.share)}
            </span>{' '}
            {cause.names && cause.names.length > 0 && (
              <>
                <span>
                  {cause.names
                    .map(({ name, ns }) => `${viewer.names.text(name) ?? ''} ${percent(ns / cause.ns)}`)
                    .join(', ')}
                </span>{' '}
              </>
            )}
            <span class="faint">{meanings[cause.cause] ?? cause.text}</span>
            {cause.longest && (
              <>
                {' '}
                <button class="link" onClick={() => go(cause)}>
                  {t.longest} {duration(cause.longest.to - cause.longest.from)}
                </button>
              </>
            )}
          </li>
        ))}
    </ul>
  );
}
