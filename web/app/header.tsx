// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The line above the timelines: which report, back and forward, search, time, saving. In narrow windows what one
// rarely needs moves into a menu.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { texts } from '../model/text.ts';
import { count, duration } from '../model/units.ts';
import type { Viewer } from '../model/viewer.ts';
import { problemText } from '../panels/problem_text.ts';
import { Search } from '../panels/search/search.tsx';
import { HeaderTools } from './header_tools.tsx';
import { HelpButton } from './help.tsx';
import { type Alignment, kAlignments } from './linked_views.ts';
import type { Navigation } from './navigation.ts';
import { savePng, saveSvg } from './save_view.ts';
import { listAddress } from './url_state.ts';

const kNarrow = '(max-width: 1080px)';

function useNarrow(): boolean {
  const narrow = useSignal(matchMedia(kNarrow).matches);
  useEffect(() => {
    const query = matchMedia(kNarrow);
    const read = (): void => {
      narrow.value = query.matches;
    };
    query.addEventListener('change', read);
    return () => query.removeEventListener('change', read);
  }, []);
  return narrow.value;
}

function ReportName({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const report = viewer.report.value;
  if (!report) return null;
  const about = [report.program, report.host].filter(Boolean).join(' · ');
  const lacks = [
    report.state === 'cut' && `✂ ${t.stateCut}`,
    report.diagnostics.some((lack) => lack.code === 'damage') && `⚠ ${t.damaged}`,
    (report.lost ?? 0) > 0 && `⚠ ${t.lost} ${count(report.lost ?? 0)}`,
  ].filter(Boolean);
  return (
    <span class="report-name" title={[report.path, about].join('\n')}>
      <h1>{report.name}</h1> {report.growing && <em class="growing"> ● {t.growing}</em>}
      {lacks.length > 0 && (
        <button
          class="lost link"
          onClick={() => {
            viewer.panel.value = 'about';
          }}
        >
          &nbsp; {lacks.join(' · ')}
        </button>
      )}{' '}
      <span class="faint">
        {about} · {duration(viewer.length.value)}
      </span>
    </span>
  );
}

function ViewTools({ viewer, align }: { viewer: Viewer; align: ((by: Alignment) => void) | null }) {
  const t = texts();
  const saved = useSignal('');
  const alignments: Record<Alignment, string> = {
    recorded: t.alignRecorded,
    first: t.alignFirst,
    range: t.alignRange,
    clock: t.alignClock,
  };
  return (
    <>
      {align && (
        <select
          aria-label={t.align}
          title={t.alignHint}
          value=""
          onChange={(event) => {
            align(event.currentTarget.value as Alignment);
            event.currentTarget.value = '';
          }}
        >
          <option value="" disabled>
            {t.align}…
          </option>
          {kAlignments.map((by) => (
            <option key={by} value={by}>
              {alignments[by]}
            </option>
          ))}
        </select>
      )}
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
      <select
        aria-label={t.saveView}
        title={t.saveView}
        value={saved.value}
        onChange={(event) => {
          void (event.currentTarget.value === 'svg' ? saveSvg() : savePng());
          event.currentTarget.value = '';
        }}
      >
        <option value="" disabled>
          {t.saveAs}
        </option>
        <option value="png">PNG</option>
        <option value="svg">SVG</option>
      </select>
    </>
  );
}

interface HeaderProps {
  viewer: Viewer;
  navigation: Navigation;
  /** Null: there is only one report. */
  align: ((by: Alignment) => void) | null;
}

export function Header({ viewer, navigation, align }: HeaderProps) {
  const t = texts();
  const narrow = useNarrow();
  const trouble = viewer.trouble.value;
  const tools = (
    <>
      <ViewTools viewer={viewer} align={align} />
      <HeaderTools />
    </>
  );
  return (
    <>
      <header class="header">
        <button class="brand" title={t.back} onClick={() => navigation.go(listAddress())}>
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
        <ReportName viewer={viewer} />
        <span class="space" />
        <Search viewer={viewer} />
        {narrow ? (
          <details class="menu">
            <summary aria-label={t.menu} title={t.menu}>
              ☰
            </summary>
            <div class="menu-body">{tools}</div>
          </details>
        ) : (
          tools
        )}
        <HelpButton />
      </header>
      {trouble && (
        <p class="problem banner" role="alert">
          {problemText(trouble)}
        </p>
      )}
    </>
  );
}
