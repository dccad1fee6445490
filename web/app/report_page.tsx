// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The page of one report, or of several above each other: header, timelines, and the pane below.
import { effect, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Client } from '../api/client.ts';
import { texts } from '../model/text.ts';
import { duration } from '../model/units.ts';
import { Viewer } from '../model/viewer.ts';
import { problemText } from '../panels/problem_text.ts';
import { Timeline } from '../timeline/timeline.tsx';
import { Header } from './header.tsx';
import { helpOpen } from './help.tsx';
import { alignedOffsets, linkViews } from './linked_views.ts';
import type { Navigation } from './navigation.ts';
import { Pane } from './pane.tsx';
import { runShortcut } from './shortcuts.ts';
import { type Address, listAddress, reportAddress } from './url_state.ts';

interface PageProps {
  client: Client;
  ids: string[];
  navigation: Navigation;
}

export function ReportPage({ client, ids, navigation }: PageProps) {
  const viewers = useMemo(() => ids.map((id) => new Viewer(client, id)), []);
  const first = viewers[0] as Viewer;
  const several = viewers.length > 1;
  const active = useSignal(0);
  const offsets = useSignal<readonly number[]>(navigation.target.peek().offsets ?? ids.map(() => 0));
  const viewer = viewers[active.value] ?? first;

  const restore = (address: Address): void => {
    if (address.offsets) offsets.value = address.offsets;
    active.value = address.active;
    viewers.forEach((each, i) => {
      const snapshot = address.snapshots[i];
      // All but the first take their view from it; one that it would not fit would lead them all to its own.
      if (snapshot && each.report.peek()) each.restore(snapshot, i > 0);
    });
    navigation.settle(addressNow());
  };
  const addressNow = (): Address => ({
    ...reportAddress(ids),
    snapshots: viewers.map((each, i) => (i === 0 ? each.snapshot() : { ...each.snapshot(), view: null })),
    offsets: [...offsets.value],
    active: active.value,
  });
  const cycle = (): void => {
    active.value = (active.value + 1) % viewers.length;
  };

  useEffect(() => {
    const stops: (() => void)[] = [];
    let gone = false;
    const asked = navigation.target.peek();
    active.value = asked.active;
    void Promise.all(viewers.map((each, i) => each.open(asked.snapshots[i] ?? each.snapshot()))).then(() => {
      if (gone) return;
      document.title = `${viewers.map((each) => each.report.peek()?.name ?? each.id).join(' | ')} – Sextant`;
      if (several && !asked.offsets) offsets.value = alignedOffsets(viewers, 'first');
      if (several) stops.push(linkViews(viewers, offsets));
      navigation.settle(addressNow());
      stops.push(
        effect(() => {
          addressNow();
          navigation.note(addressNow);
        }),
        // What it is now is shown already.
        navigation.target.subscribe((target) => {
          if (target !== asked && target.page === 'report') restore(target);
        }),
      );
    });
    const onKey = (event: KeyboardEvent): void =>
      runShortcut(event, {
        viewer: viewers[active.peek()] ?? first,
        navigation,
        nextReport: cycle,
        openHelp: () => {
          helpOpen.value = true;
        },
      });
    window.addEventListener('keydown', onKey);
    return () => {
      gone = true;
      window.removeEventListener('keydown', onKey);
      for (const stop of stops) stop();
      for (const each of viewers) each.close();
    };
  }, []);

  if (!several && first.error.value) return <Failed viewer={first} navigation={navigation} />;
  return (
    <div class="page">
      <Header
        viewer={viewer}
        navigation={navigation}
        align={
          several
            ? (by) => {
                offsets.value = alignedOffsets(viewers, by);
              }
            : null
        }
      />
      {!several && !first.report.value ? (
        <p class="faint pad">{texts().loading}</p>
      ) : (
        <main class="stages">
          <div class="stage-list">
            {viewers.map((each, i) => (
              <div
                key={each.id}
                class={`stage${several && each === viewer ? ' active' : ''}`}
                onPointerDown={() => {
                  active.value = i;
                }}
              >
                {several && (
                  <StageName
                    viewer={each}
                    current={each === viewer}
                    offset={(offsets.value[i] ?? 0) - (offsets.value[0] ?? 0)}
                    remove={() => navigation.go(reportAddress(ids.filter((id) => id !== each.id)))}
                  />
                )}
                <StandingLine viewer={each} />
                {each.error.value ? (
                  <p class="problem">{problemText(each.error.value)}</p>
                ) : each.report.value ? (
                  <Timeline viewer={each} />
                ) : (
                  <p class="faint pad">{texts().loading}</p>
                )}
              </div>
            ))}
          </div>
          <Pane viewer={viewer} key={viewer.id} />
        </main>
      )}
    </div>
  );
}

function StandingLine({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const standing = viewer.standing.value;
  if (standing === 'same') return null;
  if (standing === 'gone')
    return (
      <p class="problem banner" role="alert">
        {t.reportGone}
      </p>
    );
  return (
    <p class="banner notice" role="status">
      {t.reportReplaced}{' '}
      <button
        onClick={() => {
          viewer.standing.value = 'same';
        }}
      >
        {t.close}
      </button>
    </p>
  );
}

function StageName(props: { viewer: Viewer; current: boolean; offset: number; remove: () => void }) {
  const { viewer, current, offset } = props;
  const t = texts();
  return (
    <h2 class="stage-name">
      <span aria-current={current ? 'true' : undefined}>
        {current ? '▶ ' : ''}
        {viewer.report.value?.name ?? viewer.id}
      </span>
      <span class="faint">{viewer.report.value && duration(viewer.length.value)}</span>
      {offset !== 0 && (
        <span class="faint number">
          {offset > 0 ? '+' : '−'}
          {duration(Math.abs(offset))}
        </span>
      )}
      <span class="space" />
      <button class="plain" title={t.removeReport} aria-label={t.removeReport} onClick={props.remove}>
        ×
      </button>
    </h2>
  );
}

function Failed({ viewer, navigation }: { viewer: Viewer; navigation: Navigation }) {
  return (
    <div class="page pad">
      <p class="problem">{viewer.error.value && problemText(viewer.error.value)}</p>
      <p>
        <button onClick={() => navigation.go(listAddress())}>← {texts().back}</button>
      </p>
    </div>
  );
}
