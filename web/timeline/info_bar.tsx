// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What the pointer is on, in a place of its own: a tooltip that never covers the rows. The first line is what the
// picture knows, the second what the server knows of an event when the pointer rests on it.
import type { EventDetails } from '../api/types.ts';
import { colourOf } from '../model/palette.ts';
import { texts } from '../model/text.ts';
import type { Texts } from '../model/text/en.ts';
import type { HiddenCause } from '../model/track_tree.ts';
import { count, duration, instant, percent, withUnit } from '../model/units.ts';
import type { Viewer } from '../model/viewer.ts';
import type { Hit } from './hit.ts';
import type { Stage } from './stage.ts';

function Subject({ viewer, hit }: { viewer: Viewer; hit: Hit }) {
  const t = texts();
  if (hit.kind === 'none') {
    return (
      <span class="faint">
        {t.nothingHere}
        {hit.gap && hit.gap.to > hit.gap.from && (
          <span class="number"> · {t.freeFor(duration(hit.gap.to - hit.gap.from))}</span>
        )}
      </span>
    );
  }
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
      <span class="info-subject">
        {t.eventsN(count(hit.events))}, {percent(hit.busy)} {t.busy}, {t.mostly} {swatch}
        <b>{name}</b>
      </span>
    );
  }
  const open = hit.end === Number.POSITIVE_INFINITY;
  return (
    <span class="info-subject info-event">
      {swatch}
      <b>{name}</b>
      <span class="number">{open ? t.notClosed : duration(hit.end - hit.start)}</span>
      <span class="faint">@ {instant(hit.start, 1)}</span>
    </span>
  );
}

/** Said already, or known by another name. */
const kSaid = new Set(['name', 'text', 'shortName', 'demangledName', 'mangledName', 'start', 'end', 'duration']);
const kMostFacts = 9;

function Facts({ viewer, brief }: { viewer: Viewer; brief: EventDetails }) {
  const t = texts();
  const facts = Object.entries(brief.event).filter(
    ([key, value]) => !kSaid.has(key) && value !== null && value !== '' && value !== 0,
  );
  const launch = brief.links.find((link) => typeof link.delay === 'number');
  const parents = brief.parents.map((parent) => viewer.names.text(parent.name) ?? '').filter(Boolean);
  return (
    <>
      {parents.length > 0 && (
        <span>
          {t.parents}: {parents.join(' › ')}
        </span>
      )}
      {launch && (
        <span class="number">
          {t.queued} {duration(launch.delay ?? 0)}
        </span>
      )}
      {facts.slice(0, kMostFacts).map(([key, value]) => (
        <span key={key} class="number">
          {key} {withUnit(value, brief.units[key])}
        </span>
      ))}
    </>
  );
}

/** Everything that hides rows, in one line; then what the server says about rows that it has not. */
function hiddenText(t: Texts, viewer: Viewer): string {
  const hidden: Record<HiddenCause, number> = { empty: 0, hidden: 0, filter: 0 };
  for (const row of viewer.rows.value) if (row.kind === 'note') hidden[row.cause] += row.count;
  const parts = [
    hidden.filter ? t.rowsHiddenFilter(hidden.filter) : '',
    hidden.hidden ? t.rowsHidden(hidden.hidden) : '',
    hidden.empty ? t.rowsHiddenEmpty(hidden.empty) : '',
    viewer.emphasis.value ? t.namesMarked(count(viewer.emphasis.value.size)) : '',
    ...viewer.trackNotes.value,
  ];
  return parts.filter(Boolean).join(' · ');
}

function Hint({ viewer, hit }: { viewer: Viewer; hit: Hit | null }) {
  const t = texts();
  if (!hit) return <span>{hiddenText(t, viewer)}</span>;
  if (hit.kind === 'dense') return <span>{t.hintDense}</span>;
  return <span>{hit.kind === 'event' ? t.hintEvent : t.hintRow}</span>;
}

export function InfoBar({ stage }: { stage: Stage }) {
  const t = texts();
  const { viewer } = stage;
  const hit = stage.hit.value;
  const time = stage.pointerTime.value;
  const range = viewer.range.value;
  const brief = stage.brief.value;
  return (
    <div class="info-bar" role="status" aria-live="off">
      <div class="info-line">
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
          {range && (
            <>
              ⇔ {duration(range.to - range.from)}
              {time !== null && ' · '}
            </>
          )}
          {time !== null && stage.flagText(time)}
        </span>
      </div>
      <div class="info-line faint">
        {brief ? <Facts viewer={viewer} brief={brief} /> : <Hint viewer={viewer} hit={hit} />}
      </div>
    </div>
  );
}
