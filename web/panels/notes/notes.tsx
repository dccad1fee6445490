// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Notes at times of the report. They are part of the address: a link carries them, the report is not touched.
import { useSignal } from '@preact/signals';
import { type Note, formatNotes, parseNotes } from '../../model/notes.ts';
import { texts } from '../../model/text.ts';
import { clampView, spanOf } from '../../model/time_view.ts';
import { instant } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import type { Panel } from '../panel.ts';

function go(viewer: Viewer, note: Note): void {
  const span = spanOf(viewer.view.value);
  viewer.setView(clampView({ from: note.time - span / 2, to: note.time + span / 2 }, viewer.length.value));
}

function View({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const text = useSignal('');
  const notes = parseNotes(viewer.panelState.value.notes);
  const put = (changed: Note[]): void => viewer.setPanelState('notes', formatNotes(changed));
  const add = (event: Event): void => {
    event.preventDefault();
    const details = viewer.details.value;
    const place =
      viewer.range.value?.from ??
      (details ? viewer.placeOf(details)?.[0] : undefined) ??
      (viewer.view.value.from + viewer.view.value.to) / 2;
    if (!text.value.trim()) return;
    put([...notes, { time: Math.round(place), text: text.value.trim() }].sort((a, b) => a.time - b.time));
    text.value = '';
  };
  return (
    <div class="panel-body scroll" tabIndex={0} role="region" aria-label={t.notes}>
      <form class="panel-head" onSubmit={add}>
        <input
          id="note"
          value={text.value}
          maxLength={200}
          placeholder={t.noteHint}
          aria-label={t.noteHint}
          autocomplete="off"
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        <button type="submit">{t.addNote}</button>
      </form>
      {notes.length === 0 && <p class="faint">{t.noNotes}</p>}
      <ul class="notes">
        {notes.map((note, i) => (
          <li key={`${note.time}.${i}`}>
            <button class="link number" onClick={() => go(viewer, note)}>
              {instant(note.time, 1)}
            </button>{' '}
            {note.text}{' '}
            <button aria-label={`${t.clear} ${note.text}`} onClick={() => put(notes.filter((other) => other !== note))}>
              ×
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

export const notes: Panel = { id: 'notes', title: (t) => t.notes, View };
