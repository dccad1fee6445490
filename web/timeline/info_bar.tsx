// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What the pointer is on, in a place of its own: a tooltip that never covers the rows.
import type { ReadonlySignal } from '@preact/signals';
import { colourOf } from '../model/palette.ts';
import { texts } from '../model/text.ts';
import { count, duration, instant, percent, withUnit } from '../model/units.ts';
import type { Viewer } from '../model/viewer.ts';
import type { Hit } from './hit.ts';

function Subject({ viewer, hit }: { viewer: Viewer; hit: Hit }) {
  const t = texts();
  if (hit.kind === 'none') return <span class="faint">{t.nothingHere}</span>;
  if (hit.kind === 'curve') {
    const unit = hit.track.unit;
    return (
      <span>
        <b>{withUnit(hit.mean, unit)}</b>{' '}
        <span class="faint">
          ({withUnit(hit.min, unit)} – {withUnit(hit.max, unit)})
        </span>
      </span>
    );
  }
  const name = viewer.names.text(hit.name) ?? '';
  const swatch = <i class="swatch" style={{ background: colourOf(viewer.names.colour(hit.name)).fill }} />;
  if (hit.kind === 'dense') {
    return (
      <span>
        {t.eventsN(count(hit.events))}, {percent(hit.busy)} {t.busy}, {t.mostly} {swatch}
        <b>{name}</b>
      </span>
    );
  }
  const open = hit.end === Number.POSITIVE_INFINITY;
  return (
    <span>
      {swatch}
      <b>{name}</b> <span class="number">{open ? t.notClosed : duration(hit.end - hit.start)}</span>
      <span class="faint"> @ {instant(hit.start, 1)}</span>
    </span>
  );
}

interface InfoBarProps {
  viewer: Viewer;
  hit: ReadonlySignal<Hit | null>;
  time: ReadonlySignal<number | null>;
}

export function InfoBar(props: InfoBarProps) {
  const t = texts();
  const { viewer } = props;
  const hit = props.hit.value;
  const time = props.time.value;
  const range = viewer.range.value;
  return (
    <div class="info-bar" role="status" aria-live="off">
      {hit ? (
        <>
          <span class="info-row" title={viewer.pathOf(hit.track.id)}>
            {hit.track.name}
          </span>
          <Subject viewer={viewer} hit={hit} />
          {hit.lost && <span class="lost"> ⚠ {t.lostHere}</span>}
        </>
      ) : (
        <span class="faint">{t.hintHover}</span>
      )}
      <span class="info-time number">
        {range && <>⇔ {duration(range.to - range.from)} · </>}
        {time !== null && instant(time, (viewer.view.value.to - viewer.view.value.from) / 1000)}
      </span>
    </div>
  );
}
