// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Search as you type: names that contain the text, with counts; a hit jumps, and all hits are marked.
import { useSignal } from '@preact/signals';
import type { FoundName } from '../../api/types.ts';
import { visible } from '../../model/names.ts';
import { texts } from '../../model/text.ts';
import { count, duration } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import { useLoaded } from '../load.ts';
import { Problem } from '../problem.tsx';

const kLimit = 50;

export function Search({ viewer }: { viewer: Viewer }) {
  const t = texts();
  const text = useSignal('');
  const open = useSignal(false);
  const current = useSignal(0);
  const loaded = useLoaded(
    viewer,
    () => {
      const wanted = text.value.trim();
      if (!wanted) return null;
      return viewer.client.search(viewer.id, wanted, kLimit).then((found) => {
        current.value = 0;
        viewer.mark(found.names.map((name) => name.name));
        return found;
      });
    },
    40,
  );
  const found = loaded.value.value?.names ?? [];
  const jump = (hit: FoundName | undefined): void => {
    if (!hit) return;
    open.value = false;
    // The keys that follow mean the timeline: next, zoom, follow the link.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    viewer.mark([hit.name]);
    viewer.currentRow.value = hit.first.track;
    void viewer.select(hit.first.track, String(hit.first.event), 'reveal');
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') current.value = Math.min(found.length - 1, current.value + 1);
    else if (event.key === 'ArrowUp') current.value = Math.max(0, current.value - 1);
    else if (event.key === 'Enter') jump(found[current.value]);
    else if (event.key === 'Escape') {
      text.value = '';
      open.value = false;
      viewer.emphasis.value = null;
      (event.currentTarget as HTMLElement).blur();
    } else return;
    event.preventDefault();
  };
  return (
    <div class="search" role="search">
      <input
        id="search"
        type="search"
        value={text.value}
        placeholder={t.searchHint}
        aria-label={t.search}
        role="combobox"
        aria-expanded={open.value}
        aria-controls="hits"
        autocomplete="off"
        onInput={(event) => {
          text.value = event.currentTarget.value;
          open.value = true;
          if (!text.value) viewer.emphasis.value = null;
        }}
        onFocus={() => {
          open.value = true;
        }}
        onBlur={() =>
          setTimeout(() => {
            open.value = false;
          }, 200)
        }
        onKeyDown={key}
      />
      {open.value && text.value && (
        <div class="hits" id="hits" role="listbox" aria-label={t.search}>
          <Problem viewer={viewer} error={loaded.value.error} />
          {loaded.value.value && found.length === 0 && (
            <p>
              {t.noHits} “{text.value}”
            </p>
          )}
          {found.map((hit, i) => (
            <div
              key={hit.name}
              role="option"
              aria-selected={i === current.value}
              class={i === current.value ? 'current' : ''}
              onPointerDown={() => jump(hit)}
            >
              <span class="hit-name">{visible(hit.text)}</span>
              <span class="faint number">
                {hit.track_kind} · {count(hit.events)} · {duration(hit.total_ns)}
              </span>
            </div>
          ))}
          {found.length > 0 && <p class="faint">{loaded.value.value?.more ? t.more : t.hitsMarked}</p>}
        </div>
      )}
    </div>
  );
}
