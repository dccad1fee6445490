// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The page of one report, or of two beside each other: header, timelines, and the pane below.
import { type Signal, effect, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Client } from '../api/client.ts';
import { paneHeight } from '../model/settings.ts';
import { kEmptySnapshot } from '../model/snapshot.ts';
import { texts } from '../model/text.ts';
import { count, duration } from '../model/units.ts';
import { Viewer } from '../model/viewer.ts';
import { kPanels } from '../panels/registry.ts';
import { problemText } from '../panels/reports/reports.tsx';
import { Search } from '../panels/search/search.tsx';
import { Timeline } from '../timeline/timeline.tsx';
import { HeaderTools } from './header_tools.tsx';
import { helpOpen } from './help.tsx';
import type { Navigation } from './navigation.ts';
import { saveView } from './save_view.ts';
import { runShortcut } from './shortcuts.ts';

interface PageProps {
  client: Client;
  ids: string[];
  navigation: Navigation;
}

/** Where two reports are laid above each other: the start of the selected time, else the first event. */
function anchor(viewer: Viewer): number {
  return (
    viewer.range.value?.from ??
    Math.min(
      ...viewer.tracks.value.filter((track) => track.events > 0).map((track) => track.first_ns),
      viewer.length.value,
    )
  );
}

/** Whichever of them moves, the other one follows, `offset` later. */
function linkViews(first: Viewer, second: Viewer, offset: Signal<number>): () => void {
  const follow = (from: Viewer, to: Viewer, delta: () => number): (() => void) =>
    effect(() => {
      const { from: start, to: end } = from.view.value;
      const by = delta();
      if (!from.report.value || !to.report.value) return;
      const view = to.view.peek();
      // Within a pixel of each other: what moves is not moved back.
      if (Math.abs(view.from - start - by) + Math.abs(view.to - end - by) > (end - start) / 2000)
        to.view.value = { from: start + by, to: end + by };
    });
  const stops = [follow(first, second, () => offset.value), follow(second, first, () => -offset.peek())];
  return () => {
    for (const stop of stops) stop();
  };
}

export function ReportPage({ client, ids, navigation }: PageProps) {
  const viewers = useMemo(() => ids.slice(0, 2).map((id) => new Viewer(client, id)), []);
  const first = viewers[0] as Viewer;
  const second = viewers[1];
  const active = useSignal<Viewer>(first);
  const offset = useSignal(0);
  useEffect(() => {
    const address = () => ({ page: 'report' as const, ids, snapshot: first.snapshot() });
    const stops: (() => void)[] = [];
    void first.open(navigation.target.peek().snapshot).then(() => {
      if (first.report.peek()) document.title = `${first.report.peek()?.name} – Sextant`;
      stops.push(
        effect(() => {
          first.snapshot();
          navigation.note(address);
        }),
        navigation.target.subscribe(({ page, snapshot }) => {
          if (page === 'report') first.restore(snapshot);
        }),
      );
    });
    if (second) {
      void second.open(kEmptySnapshot);
      stops.push(linkViews(first, second, offset));
    }
    const onKey = (event: KeyboardEvent): void =>
      runShortcut(event, {
        viewer: active.value,
        navigation,
        openHelp: () => {
          helpOpen.value = true;
        },
      });
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
      for (const stop of stops) stop();
      for (const viewer of viewers) viewer.close();
    };
  }, []);
  if (first.error.value) return <Failed viewer={first} navigation={navigation} />;
  return (
    <div class="page">
      <Header viewer={active.value} navigation={navigation} />
      {!first.report.value ? (
        <p class="faint pad">{texts().loading}</p>
      ) : (
        <main class="stages">
          {viewers.map((viewer) => (
            <div
              key={viewer.id}
              class={`stage${second && viewer === active.value ? ' active' : ''}`}
              onPointerDown={() => {
                active.value = viewer;
              }}
            >
              {second && (
                <h2 class="stage-name">
                  {viewer.report.value?.name ?? viewer.id}
                  {viewer === second && (
                    <button
                      title={texts().alignHint}
                      onClick={() => {
                        offset.value = anchor(second) - anchor(first);
                      }}
                    >
                      {texts().align}
                    </button>
                  )}
                  {viewer === second && offset.value !== 0 && (
                    <span class="faint number">
                      {offset.value > 0 ? '+' : '−'}
                      {duration(Math.abs(offset.value))}
                    </span>
                  )}
                </h2>
              )}
              <Timeline viewer={viewer} />
            </div>
          ))}
          <Pane viewer={active.value} key={active.value.id} />
        </main>
      )}
    </div>
  );
}

function Failed({ viewer, navigation }: { viewer: Viewer; navigation: Navigation }) {
  return (
    <div class="page pad">
      <p class="problem">{viewer.error.value && problemText(viewer.error.value)}</p>
      <p>
        <button onClick={() => navigation.go({ page: 'reports', ids: [], snapshot: kEmptySnapshot })}>
          ← {texts().back}
        </button>
      </p>
    </div>
  );
}

function Header({ viewer, navigation }: { viewer: Viewer; navigation: Navigation }) {
  const t = texts();
  const report = viewer.report.value;
  const trouble = viewer.trouble.value;
  return (
    <>
      <header class="header">
        <button
          class="brand"
          title={t.back}
          onClick={() => navigation.go({ page: 'reports', ids: [], snapshot: kEmptySnapshot })}
        >
          Sextant
        </button>
        <button aria-label={t.keyBack} title={`${t.keyBack} (Backspace)`} onClick={() => navigation.back()}>
          ↶
        </button>
        <button
          aria-label={t.keyForward}
          title={`${t.keyForward} (Shift+Backspace)`}
          onClick={() => navigation.forward()}
        >
          ↷
        </button>
        {report && (
          <span class="report-name">
            <h1 title={report.path}>{report.name}</h1>{' '}
            <span class="faint">
              {[report.program, report.host].filter(Boolean).join(' · ')} · {duration(viewer.length.value)}
            </span>
            {report.growing && <em class="growing"> ● {t.growing}</em>}
            {(report.lost ?? 0) > 0 && (
              <button
                class="lost link"
                onClick={() => {
                  viewer.panel.value = 'about';
                }}
              >
                &nbsp; ⚠ {t.lost} {count(report.lost ?? 0)}
              </button>
            )}
          </span>
        )}
        <span class="space" />
        <Search viewer={viewer} />
        <select
          aria-label={t.ruler}
          title={t.ruler}
          value={viewer.ruler.value}
          onChange={(event) => {
            viewer.ruler.value = event.currentTarget.value as 'absolute' | 'relative' | 'utc';
          }}
        >
          <option value="absolute">{t.absolute}</option>
          <option value="relative">{t.relative}</option>
          <option value="utc">{t.utc}</option>
        </select>
        <button title={t.png} onClick={() => void saveView(viewer)}>
          PNG
        </button>
        <HeaderTools />
      </header>
      {trouble && (
        <p class="problem banner" role="alert">
          {problemText(trouble)}
        </p>
      )}
    </>
  );
}

function Pane({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const drag = useRef<{ y: number; height: number } | null>(null);
  const chosen = kPanels.find((panel) => panel.id === viewer.panel.value) ?? kPanels[0];
  const move = (event: PointerEvent): void => {
    if (drag.current)
      paneHeight.value = Math.min(
        window.innerHeight - 220,
        Math.max(90, drag.current.height + drag.current.y - event.clientY),
      );
  };
  return (
    <section class="pane" style={{ height: `${paneHeight.value}px` }}>
      <div
        class="pane-edge"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { y: event.clientY, height: paneHeight.value };
        }}
        onPointerMove={move}
        onPointerUp={() => {
          drag.current = null;
        }}
      />
      <div class="tabs" role="tablist">
        {kPanels.map((panel, i) => (
          <button
            key={panel.id}
            id={`tab-${panel.id}`}
            role="tab"
            aria-selected={panel === chosen}
            aria-controls="pane"
            title={`${i + 1}`}
            onClick={() => {
              viewer.panel.value = panel.id;
            }}
          >
            {panel.title(t)}
          </button>
        ))}
      </div>
      <div class="pane-content" id="pane" role="tabpanel" aria-labelledby={`tab-${chosen?.id}`}>
        {chosen && <chosen.View viewer={viewer} key={chosen.id} />}
      </div>
    </section>
  );
}
