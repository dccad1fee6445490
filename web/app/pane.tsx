// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The pane below the timeline: a tab for each panel.
import { useRef } from 'preact/hooks';
import { paneHeight } from '../model/settings.ts';
import { texts } from '../model/text.ts';
import type { Viewer } from '../model/viewer.ts';
import { kPanels } from '../panels/registry.ts';

const kLeast = 90;
/** What stays for the timeline. */
const kRest = 220;
const kStep = 24;

const resize = (height: number): void => {
  paneHeight.value = Math.round(Math.min(Math.max(kLeast, window.innerHeight - kRest), Math.max(kLeast, height)));
};

function Edge() {
  const drag = useRef<{ y: number; height: number } | null>(null);
  return (
    <div
      class="pane-edge"
      role="separator"
      aria-orientation="horizontal"
      aria-label={texts().paneHeight}
      aria-valuenow={paneHeight.value}
      tabIndex={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { y: event.clientY, height: paneHeight.value };
      }}
      onPointerMove={(event) => {
        if (drag.current) resize(drag.current.height + drag.current.y - event.clientY);
      }}
      onLostPointerCapture={() => {
        drag.current = null;
      }}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
        event.preventDefault();
        resize(paneHeight.value + (event.key === 'ArrowUp' ? kStep : -kStep));
      }}
    />
  );
}

export function Pane({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const chosen = kPanels.find((panel) => panel.id === viewer.panel.value) ?? kPanels[0];
  const step = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!by) return;
    event.preventDefault();
    const at = kPanels.findIndex((panel) => panel === chosen);
    const next = kPanels[(at + by + kPanels.length) % kPanels.length];
    if (!next) return;
    viewer.panel.value = next.id;
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <section class="pane" style={{ height: `${paneHeight.value}px` }} aria-label={t.pane}>
      <Edge />
      <div class="tabs" role="tablist" onKeyDown={step}>
        {kPanels.map((panel, i) => (
          <button
            key={panel.id}
            id={`tab-${panel.id}`}
            role="tab"
            aria-selected={panel === chosen}
            aria-controls="pane"
            tabIndex={panel === chosen ? 0 : -1}
            title={i < 9 ? `${i + 1}` : undefined}
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
