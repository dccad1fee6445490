// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What each thread did in the visible or selected time: ran, could have run, waited in which call. Shown of a selected
// time, or when asked for: of a whole run the server has to read much.
import type { BusyThread, BusyThreads } from '../../api/types.ts';
import { texts } from '../../model/text.ts';
import { count, percent } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import { useLoaded } from '../load.ts';
import { Problem } from '../problem.tsx';
import { CauseBar, CauseList } from './causes.tsx';

/** In panelState: what was chosen; nothing: shown of a selected time. */
const kState = 'threads';
const isShown = (viewer: Viewer): boolean => {
  const chosen = viewer.panelState.value[kState] ?? '';
  return chosen ? chosen === 'shown' : (viewer.sums.summed.value?.selected ?? false);
};

async function ask(viewer: Viewer, from: number, to: number): Promise<BusyThreads> {
  const answer = await viewer.client.busyThreads(viewer.id, from, to);
  const names = (answer.threads ?? []).flatMap((thread) =>
    thread.causes.flatMap((cause) => (cause.names ?? []).map((entry) => entry.name)),
  );
  await viewer.names.need([...new Set(names)]);
  return answer;
}

function Thread({ viewer, thread }: { viewer: Viewer; thread: BusyThread }) {
  const t = texts();
  const most = thread.causes.reduce((a, b) => (b.ns > a.ns ? b : a));
  return (
    <details class="thread-time">
      <summary>
        <span class="thread-name" title={viewer.pathOf(thread.track)}>
          {viewer.pathOf(thread.track)}
        </span>
        <CauseBar causes={thread.causes} />
        <span class="number">
          {most.cause} {percent(most.share)}
        </span>
      </summary>
      <CauseList viewer={viewer} track={thread.track} causes={thread.causes} meanings={t.threadCauses} />
      {!thread.scheduling && <p class="faint">{t.noScheduling}</p>}
    </details>
  );
}

function List({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const loaded = useLoaded(
    viewer,
    () => {
      const summed = viewer.sums.summed.value;
      return summed ? ask(viewer, summed.from, summed.to) : null;
    },
    0,
  );
  const { value, error } = loaded.value;
  if (error) return <Problem viewer={viewer} error={error} />;
  if (!value?.threads) return <p class="faint">{t.loading}</p>;
  return (
    <>
      {value.reason && <p class="faint">{value.reason}</p>}
      {value.threads.map((thread) => (
        <Thread key={thread.track} viewer={viewer} thread={thread} />
      ))}
      {value.left_out > 0 && (
        <p class="faint">{t.onlyFirst(count(value.threads.length), count(value.threads.length + value.left_out))}</p>
      )}
    </>
  );
}

export function ThreadTime({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const shown = isShown(viewer);
  return (
    <section class="threads">
      <h2>
        <button
          class="link"
          aria-expanded={shown}
          onClick={() => viewer.setPanelState(kState, shown ? 'hidden' : 'shown')}
        >
          {shown ? '▾' : '▸'} {t.threadTime}
        </button>
      </h2>
      {shown && <List viewer={viewer} />}
    </section>
  );
}
