// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The selected event: its columns with units, what it lies in, what launched it, its name in words.
import { useSignal } from '@preact/signals';
import type { EventDetails, EventLink } from '../../api/types.ts';
import { texts } from '../../model/text.ts';
import { viewOf } from '../../model/time_view.ts';
import { duration, instant, withUnit } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import type { Panel } from '../panel.ts';

export function asText(details: EventDetails): string {
  return Object.entries(details.event).map(([key, value]) => `${key}: ${value ?? ''}${details.units[key] ? ` ${details.units[key]}` : ''}`).join('\n');
}

function CopyButton({ label, text }: { label: string; text: string }) {
  const copied = useSignal(false);
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => {
      copied.value = true;
      setTimeout(() => { copied.value = false; }, 1200);
    });
  };
  return <button onClick={copy}>{copied.value ? texts().copied : label}</button>;
}

function LinkLine({ viewer, link, from }: { viewer: Viewer; link: EventLink; from: [number, number] | null }) {
  const t = texts();
  const kinds: Record<string, string> = { launched_by: t.launched_by, launches: t.launches, same_correlation: t.same_correlation };
  const end = link.start + Math.max(0, link.duration);
  const wait = from && (link.kind === 'launched_by' ? from[0] - end : link.start - from[1]);
  return (
    <div>
      {kinds[link.kind] ?? link.kind}{' '}
      <button class="link" onClick={() => void viewer.select(link.track, String(link.event), 'reveal')}>
        {viewer.byId.value.get(link.track)?.name ?? link.track} @ {instant(link.start, 1000)} ({duration(link.duration)})
      </button>
      {wait !== null && wait > 0 && <span class="faint"> · {t.queued} {duration(wait)}</span>}
    </div>
  );
}

/** Columns that are shown in other ways, or mean nothing to people. */
const kInternal = new Set(['row', 'name_id', 'event']);

function Columns({ details }: { details: EventDetails }) {
  return (
    <dl class="columns">
      {Object.entries(details.event).filter(([key, value]) => !kInternal.has(key) && value !== null && value !== '').map(([key, value]) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd class={typeof value === 'number' ? 'number' : ''} title={typeof value === 'number' && details.units[key] ? `${value} ${details.units[key]}` : undefined}>
            {key === 'start' || key === 'end' ? instant(Number(value), 1) : key === 'duration' && Number(value) < 0 ? texts().notClosed : withUnit(value, details.units[key])}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function View({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const details = viewer.details.value;
  const selected = viewer.selected.value;
  if (!selected || !details) return <div class="panel-body"><p class="faint">{selected ? t.loading : t.noSelection}</p></div>;
  const place = viewer.placeOf(details);
  const name = details.event.name ?? details.event.text;
  const go = (event: string | number | null): void => {
    if (event !== null) void viewer.select(selected.track, String(event), 'reveal');
  };
  const nameId = details.event.name_id;
  return (
    <div class="panel-body">
      <div class="panel-head">
        <b class="event-name">{name === null || name === undefined ? '' : String(name)}</b>{' '}
        <span class="faint">{viewer.byId.value.get(selected.track)?.name}</span>
        <span class="tools">
          <button disabled={details.previous === null} title={t.previous} onClick={() => go(details.previous)}>← {t.previousShort} ( , )</button>
          <button disabled={details.next === null} title={t.next} onClick={() => go(details.next)}>{t.nextShort} ( . ) →</button>
          {place && <button onClick={() => viewer.setView(viewOf(place[0], place[1], viewer.length.value, 1))}>{t.zoomTo} (Z)</button>}
          {typeof nameId === 'number' && <button onClick={() => { viewer.emphasis.value = new Set([nameId]); }}>{t.sameName} (M)</button>}
          <CopyButton label={t.copyText} text={asText(details)} />
          <CopyButton label={t.copySql} text={details.sql} />
        </span>
      </div>
      <div class="details">
        {details.explained && <p class="explained"><b>{t.explained}:</b> {details.explained}</p>}
        <Columns details={details} />
        {details.links.length > 0 && (
          <section><h3>{t.links}</h3>{details.links.map((link) => <LinkLine key={`${link.track}.${link.event}`} viewer={viewer} link={link} from={place} />)}</section>
        )}
        {details.parents.length > 0 && (
          <section>
            <h3>{t.parents}</h3>
            {details.parents.map((parent, i) => (
              <div key={i} style={{ paddingLeft: `${i * 10}px` }}>
                {typeof parent === 'string' ? parent : (
                  <button class="link" onClick={() => void viewer.select(parent.track, String(parent.event), 'reveal')}>{parent.name} ({duration(parent.duration < 0 ? Number.POSITIVE_INFINITY : parent.duration)})</button>
                )}
              </div>
            ))}
          </section>
        )}
        {details.stack.length > 0 && <section><h3>{t.stack}</h3><ol class="stack">{details.stack.map((frame, i) => <li key={i}>{frame}</li>)}</ol></section>}
      </div>
    </div>
  );
}

export const details: Panel = { id: 'details', title: (t) => t.details, View };
