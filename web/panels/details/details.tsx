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
import { DurationHistogram } from './histogram.tsx';

export function asText(details: EventDetails): string {
  return Object.entries(details.event)
    .map(([key, value]) => `${key}: ${withUnit(value, null)}${details.units[key] ? ` ${details.units[key]}` : ''}`)
    .join('\n');
}

function CopyButton({ label, text }: { label: string; text: string }) {
  const copied = useSignal(false);
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => {
      copied.value = true;
      setTimeout(() => {
        copied.value = false;
      }, 1200);
    });
  };
  return <button onClick={copy}>{copied.value ? texts().copied : label}</button>;
}

function LinkLine({ viewer, link }: { viewer: Viewer; link: EventLink }) {
  const t = texts();
  const kinds: Record<string, string> = {
    launched_by: t.launched_by,
    launches: t.launches,
    same_correlation: t.same_correlation,
  };
  return (
    <div>
      {kinds[link.kind] ?? link.kind}{' '}
      <button class="link" onClick={() => void viewer.select(link.track, String(link.event), 'reveal')}>
        {viewer.names.text(link.name) ?? ''} · {viewer.byId.value.get(link.track)?.name ?? ''} @{' '}
        {instant(link.start, 1000)} ({duration(link.duration)})
      </button>
      {typeof link.delay === 'number' && (
        <span class="faint">
          {' '}
          · {t.queued} {duration(link.delay)}
        </span>
      )}
    </div>
  );
}

/** Columns that are shown in other ways, or mean nothing to people. */
const kInternal = new Set(['name', 'text']);

function Columns({ details }: { details: EventDetails }) {
  return (
    <dl class="columns">
      {Object.entries(details.event)
        .filter(([key, value]) => !kInternal.has(key) && value !== null && value !== '')
        .map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd
              class={typeof value === 'number' ? 'number' : ''}
              title={typeof value === 'number' && details.units[key] ? `${value} ${details.units[key]}` : undefined}
            >
              {key === 'start' || key === 'end'
                ? instant(Number(value), 1)
                : key === 'duration' && Number(value) < 0
                  ? texts().notClosed
                  : withUnit(value, details.units[key])}
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
  if (!selected || !details)
    return (
      <div class="panel-body">
        <p class="faint">{selected ? t.loading : t.noSelection}</p>
      </div>
    );
  const place = viewer.placeOf(details);
  const name = viewer.names.text(details.name);
  const go = (event: string | number | null): void => {
    if (event !== null) void viewer.select(selected.track, String(event), 'reveal');
  };
  return (
    <div class="panel-body">
      <div class="panel-head">
        <b class="event-name">{name ?? ''}</b> <span class="faint">{viewer.pathOf(selected.track)}</span>
        <span class="tools">
          <button disabled={details.previous === null} title={t.previous} onClick={() => go(details.previous)}>
            ← {t.previousShort} ( , )
          </button>
          <button disabled={details.next === null} title={t.next} onClick={() => go(details.next)}>
            {t.nextShort} ( . ) →
          </button>
          {place && (
            <button onClick={() => viewer.setView(viewOf(place[0], place[1], viewer.length.value, 1))}>
              {t.zoomTo} (Z)
            </button>
          )}
          <button
            onClick={() => {
              viewer.emphasis.value = new Set([details.name]);
            }}
          >
            {t.sameName} (M)
          </button>
          <CopyButton label={t.copyText} text={asText(details)} />
          <CopyButton label={t.copySql} text={details.sql} />
        </span>
      </div>
      <div class="details">
        {details.explained && (
          <p class="explained">
            <b>{t.explained}:</b> {details.explained}
          </p>
        )}
        <Columns details={details} />
        {details.links.length > 0 && (
          <section>
            <h2>{t.links}</h2>
            {details.links.map((link) => (
              <LinkLine key={`${link.track}.${link.event}`} viewer={viewer} link={link} />
            ))}
          </section>
        )}
        {details.parents.length > 0 && (
          <section>
            <h2>{t.parents}</h2>
            {details.parents.map((parent, i) => (
              <div key={i} style={{ paddingLeft: `${i * 10}px` }}>
                <button class="link" onClick={() => void viewer.select(parent.track, String(parent.event), 'reveal')}>
                  {viewer.names.text(parent.name) ?? ''} (
                  {parent.duration < 0 ? t.notClosed : duration(parent.duration)})
                </button>
              </div>
            ))}
          </section>
        )}
        {typeof details.event.duration === 'number' && details.event.duration >= 0 && (
          <DurationHistogram
            key={`${selected.track}.${details.name}`}
            viewer={viewer}
            track={selected.track}
            name={details.name}
            marked={details.event.duration}
          />
        )}
        {details.stack.length > 0 && (
          <section>
            <h2>{t.stack}</h2>
            <ol class="stack">
              {details.stack.map((frame, i) => (
                <li key={i}>{frame}</li>
              ))}
            </ol>
          </section>
        )}
      </div>
    </div>
  );
}

export const details: Panel = { id: 'details', title: (t) => t.details, View };
