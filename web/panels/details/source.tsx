// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Lines of source around a frame of a call stack, or around the place that an event names itself; or one line that
// says why there are none and what to do.
import type { SourceLines } from '../../api/types.ts';
import { texts } from '../../model/text.ts';
import type { Viewer } from '../../model/viewer.ts';
import { useLoaded } from '../load.ts';
import { Problem } from '../problem.tsx';

interface SourceProps {
  viewer: Viewer;
  track: number;
  event: string;
  /** Undefined: the event's own place. */
  frame?: number | undefined;
}

function Lines({ source }: { source: SourceLines }) {
  const first = source.first ?? 1;
  return (
    <ol class="source" start={first} tabIndex={0} aria-label={source.file}>
      {(source.lines ?? []).map((line, i) => (
        <li
          key={i}
          value={first + i}
          class={first + i === source.line ? 'here' : ''}
          aria-current={first + i === source.line ? 'location' : undefined}
        >
          <code>{line || ' '}</code>
        </li>
      ))}
    </ol>
  );
}

export function Source({ viewer, track, event, frame }: SourceProps) {
  const t = texts();
  const loaded = useLoaded(viewer, () => viewer.client.source(viewer.id, track, event, frame), 0, [
    track,
    event,
    frame,
  ]);
  const { value, error } = loaded.value;
  if (error) return <Problem viewer={viewer} error={error} />;
  if (!value) return <p class="faint">{t.loading}</p>;
  const remarks = [
    value.exact === false ? t.onlyFunction : '',
    value.program_newer ? t.programNewer : '',
    value.source_newer ? t.sourceNewer : '',
    value.path && value.path !== value.file ? `${t.foundAt} ${value.path}` : '',
  ].filter(Boolean);
  return (
    <div class="source-box">
      {value.file && (
        <div>
          <b>
            {value.file}:{value.line}
          </b>
        </div>
      )}
      {remarks.map((remark) => (
        <div key={remark} class="faint">
          {remark}
        </div>
      ))}
      {value.lines && <Lines source={value} />}
      {value.reason && <p class="faint">{value.allowed ? `${t.noSource} ${value.reason}` : t.sourceNeedsConsent}</p>}
    </div>
  );
}
