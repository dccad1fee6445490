// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What the rules found, the most worth first; each leads to its evidence on the timeline.
import type { Finding } from '../../api/types.ts';
import { texts } from '../../model/text.ts';
import { viewOf } from '../../model/time_view.ts';
import { duration } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import { useLoaded } from '../load.ts';
import type { Panel } from '../panel.ts';
import { Problem } from '../problem.tsx';

function show(viewer: Viewer, place: Finding['where'][number]): void {
  if (place.from !== null && place.to !== null) {
    viewer.setView(viewOf(place.from, place.to, viewer.length.value, 0.5));
    viewer.range.value = { from: place.from, to: Math.max(place.to, place.from + 1) };
  }
  if (place.track === null) return;
  viewer.showRow(place.track);
  if (place.event !== null)
    void viewer.select(place.track, String(place.event)).then(() => {
      viewer.panel.value = 'findings';
    });
}

function View({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const { value, error, loading } = useLoaded(viewer, () => viewer.client.findings(viewer.id)).value;
  const found = [...(value?.findings ?? [])].sort((a, b) => (b.gain_ns ?? 0) - (a.gain_ns ?? 0));
  return (
    <div class="panel-body scroll" tabIndex={0} role="region" aria-label={t.findings}>
      {loading && !value && <p class="faint">{t.loading}</p>}
      <Problem viewer={viewer} error={error} />
      {viewer.report.value?.growing && <p class="faint">{t.soFar}</p>}
      {value && found.length === 0 && <p>{t.noFindings}</p>}
      {found.map((finding, i) => (
        <article key={i} class="finding">
          <h2>{finding.what}</h2>
          <p class="faint">
            {finding.rule}
            {(finding.gain_ns ?? 0) > 0 && (
              <>
                {' '}
                ·{' '}
                <b>
                  {t.gain} {duration(finding.gain_ns ?? 0)}
                </b>
              </>
            )}
          </p>
          {finding.evidence && (
            <p>
              {t.evidence}: {finding.evidence}
            </p>
          )}
          <p>
            {t.advice}: {finding.advice}
          </p>
          {finding.where.slice(0, 8).map((place, j) =>
            place.from === null && place.track === null ? (
              <p key={j} class="faint">
                {place.text}
              </p>
            ) : (
              <button key={j} onClick={() => show(viewer, place)}>
                {t.showIt}: {place.text}
              </button>
            ),
          )}
        </article>
      ))}
      {value && value.reasons.length > 0 && (
        <details>
          <summary>
            {t.notApplied} ({value.reasons.length})
          </summary>
          <ul>
            {value.reasons.map((reason, i) => (
              <li key={i}>
                {reason.rule}: {reason.text}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

export const findings: Panel = { id: 'findings', title: (t) => t.findings, View };
