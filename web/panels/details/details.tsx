// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The selected event: its columns with units, what it lies in, what launched it, its name in words.
import type { EventDetails, EventLink } from '../../api/types.ts';
import { texts } from '../../model/text.ts';
import { viewOf } from '../../model/time_view.ts';
import { duration, instant, withUnit } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import { CopyButton } from '../copy_button.tsx';
import { kAllEvents, packEvents } from '../events/events_state.ts';
import { lengthText } from '../length_text.ts';
import { useLoaded } from '../load.ts';
import type { Panel } from '../panel.ts';
import { Problem } from '../problem.tsx';
import { DurationHistogram } from './histogram.tsx';
import { Source } from './source.tsx';

export function asText(details: EventDetails): string {
  return Object.entries(details.event)
    .map(([key, value]) => `${key}: ${withUnit(value, null)}${details.units[key] ? ` ${details.units[key]}` : ''}`)
    .join('\n');
}

/** All of the name, as a table. */
function listSame(viewer: Viewer, track: number, name: string): void {
  viewer.currentRow.value = track;
  viewer.setPanelState('events', packEvents({ ...kAllEvents, text: name }));
  viewer.panel.value = 'events';
}

function LinkLine({ viewer, link }: { viewer: Viewer; link: EventLink }) {
  const t = texts();
  const kinds: Record<string, string> = {
    launched_by: t.launched_by,
    launches: t.launches,
    same_correlation: t.same_correlation,
    range: t.itsRange,
  };
  return (
    <div>
      {kinds[link.kind] ?? link.kind}{' '}
      <button class="link" onClick={() => void viewer.select(link.track, String(link.event), 'reveal')}>
        {viewer.names.text(link.name) ?? ''} · {viewer.byId.value.get(link.track)?.name ?? ''} @{' '}
        {instant(link.start, 1000)} ({lengthText(link.duration)})
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

const kLongest = 8;

/** While nothing is selected: the longest events of the row at hand in this time, to begin with. */
function Longest({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const loaded = useLoaded(
    viewer,
    () => {
      const track = viewer.shownRow.value;
      const summed = viewer.sums.summed.value;
      if (track === null || !summed) return null;
      const query = {
        track,
        from: summed.from,
        to: summed.to,
        sort: 'duration',
        order: 'desc' as const,
        limit: kLongest,
      };
      return viewer.client.events(viewer.id, query).then(async (page) => {
        const [event = 0, start = 0, length = 0, name = 0] = ['event', 'start', 'duration', 'name'].map((column) =>
          page.columns.indexOf(column),
        );
        const rows = page.rows.map((row) => ({
          event: String(row[event]),
          start: Number(row[start]),
          duration: Number(row[length]),
          name: Number(row[name]),
        }));
        await viewer.names.need(rows.map((row) => row.name));
        return { track, rows };
      });
    },
    0,
  );
  const { value } = loaded.value;
  if (!value || value.rows.length === 0) return null;
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={t.longestEvents}>
      <h2>
        {t.longestEvents}: {viewer.pathOf(value.track)}
      </h2>
      {value.rows.map((row) => (
        <div key={row.event}>
          <button class="link" onClick={() => void viewer.select(value.track, row.event, 'reveal')}>
            {viewer.names.text(row.name) ?? ''}
          </button>{' '}
          <span class="number">{lengthText(row.duration)}</span>{' '}
          <span class="faint number">@ {instant(row.start, 1000)}</span>
        </div>
      ))}
    </div>
  );
}

/** Whether the event itself says where in the source it is. */
const namesPlace = (details: EventDetails, name: string): boolean =>
  Boolean(details.event.source_file) || /\.py\(\d+\)/.test(name);

interface StackProps {
  viewer: Viewer;
  frames: EventDetails['stack'];
  track: number;
  event: string;
}

/** In panelState: the frame whose source is shown. */
const kFrame = 'frame';

/** A frame leads to its source. Those of the operating system have none. */
function Stack({ viewer, frames, track, event }: StackProps) {
  const t = texts();
  const open = viewer.panelState.value[kFrame] ?? '';
  return (
    <section class="stack-section">
      <h2>{t.stack}</h2>
      <ol class="stack">
        {frames.map((frame, i) => (
          <li key={i}>
            {frame.kernel ? (
              <>
                {frame.function} <span class="faint">{frame.module}</span> <span class="faint">({t.inKernel})</span>
              </>
            ) : (
              <>
                <button
                  class="link"
                  title={t.showSource}
                  aria-expanded={open === String(i)}
                  onClick={() => viewer.setPanelState(kFrame, open === String(i) ? '' : String(i))}
                >
                  {frame.function}
                </button>{' '}
                <span class="faint">{frame.module}</span>
                {open === String(i) && <Source viewer={viewer} track={track} event={event} frame={i} />}
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function View({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const details = viewer.details.value;
  const selected = viewer.selected.value;
  if (!selected)
    return (
      <div class="panel-body">
        <p class="faint">{t.noSelection}</p>
        <Longest viewer={viewer} />
      </div>
    );
  if (!details)
    return (
      <div class="panel-body">
        {viewer.detailsError.value ? (
          <>
            <Problem viewer={viewer} error={viewer.detailsError.value} />
            <Longest viewer={viewer} />
          </>
        ) : (
          <p class="faint">{t.loading}</p>
        )}
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
          <button onClick={() => viewer.mark([details.name])}>{t.sameName} (M)</button>
          <button onClick={() => listSame(viewer, selected.track, name ?? '')}>{t.listSame}</button>
          <CopyButton label={t.copyText} text={asText(details)} />
          {details.sql && <CopyButton label={t.copySql} text={details.sql} />}
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
                  {viewer.names.text(parent.name) ?? ''} ({lengthText(parent.duration)})
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
        {namesPlace(details, name ?? '') && (
          <section>
            <h2>{t.source}</h2>
            <Source viewer={viewer} track={selected.track} event={String(selected.event)} />
          </section>
        )}
        {details.stack.length > 0 && (
          <Stack viewer={viewer} frames={details.stack} track={selected.track} event={String(selected.event)} />
        )}
      </div>
    </div>
  );
}

export const details: Panel = { id: 'details', title: (t) => t.details, View };
