// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The names at the left of the rows: what a row is, how busy it is and mostly with what; and what can be done
// with it. Only rows in sight are elements.
import type { Track } from '../api/types.ts';
import { type PlacedRow, rowsBetween } from '../model/layout.ts';
import { colourOf } from '../model/palette.ts';
import { texts } from '../model/text.ts';
import { count, percent } from '../model/units.ts';
import type { Viewer } from '../model/viewer.ts';

function share(viewer: Viewer, track: Track): string {
  const length = viewer.length.value;
  if (!track.events || (track.unit !== null && track.unit !== 'ns')) return track.unit ?? '';
  if (track.busy_ns === null) return '…';
  return percent(Math.min(1, track.busy_ns / Math.max(length, 1)));
}

/** "97 % Kernels": the part of its siblings of the same sort that this row took. */
export function describeTrack(viewer: Viewer, track: Track): string {
  const t = texts();
  const top = track.top[0];
  const name = top ? viewer.names.text(top.name) : undefined;
  const parts = [track.name, t.eventsN(count(track.events))];
  const busy = share(viewer, track);
  if (busy) parts.push(`${busy} ${t.busy}`);
  if (top && name) parts.push(`${t.mostly} ${name} (${percent(top.share)})`);
  return parts.join(' · ');
}

interface LabelProps {
  viewer: Viewer;
  placed: PlacedRow;
  y: number;
  onPick: (track: number) => void;
}

function TrackLabel({ viewer, placed, y, onPick }: LabelProps) {
  const t = texts();
  if (placed.row.kind !== 'track') return null;
  const { node, collapsed, pinned, branch, depth } = placed.row;
  const { track } = node;
  const foldable = branch || (track.rows ?? 1) > 1 || track.unit !== null;
  const top = track.top[0];
  const topName = top ? viewer.names.text(top.name) : undefined;
  const current = viewer.currentRow.value === track.id;
  return (
    <div
      role="treeitem"
      aria-level={depth + 1}
      aria-expanded={foldable ? !collapsed : undefined}
      aria-selected={current}
      aria-label={describeTrack(viewer, track)}
      class={`row-label${current ? ' current' : ''}`}
      style={{ top: `${y}px`, height: `${placed.height}px`, paddingLeft: `${4 + depth * 12}px` }}
      title={describeTrack(viewer, track)}
      onClick={() => onPick(track.id)}
      onDblClick={() => foldable && viewer.toggle('collapsed', track.id)}
    >
      <button
        class="fold"
        tabIndex={-1}
        disabled={!foldable}
        aria-label={collapsed ? t.expand : t.collapse}
        onClick={(event) => {
          event.stopPropagation();
          viewer.toggle('collapsed', track.id);
        }}
      >
        {foldable ? (collapsed ? '▸' : '▾') : ''}
      </button>
      <span class={`row-name${branch ? ' branch' : ''}`}>{track.name || track.kind}</span>
      <span class="row-tools">
        <button
          tabIndex={-1}
          title={pinned ? t.unpin : t.pin}
          aria-label={pinned ? t.unpin : t.pin}
          onClick={(event) => {
            event.stopPropagation();
            viewer.toggle('pinned', track.id);
          }}
        >
          {pinned ? '★' : '☆'}
        </button>
        <button
          tabIndex={-1}
          title={t.hide}
          aria-label={t.hide}
          onClick={(event) => {
            event.stopPropagation();
            viewer.toggle('hidden', track.id);
          }}
        >
          ×
        </button>
      </span>
      <span class="row-share">{share(viewer, track)}</span>
      {placed.height >= 36 && topName && top && (
        <span class="row-top">
          <i style={{ background: colourOf(viewer.names.colour(top.name)).fill }} />
          {percent(top.share)} {topName}
        </span>
      )}
    </div>
  );
}

function NoteLabel({ viewer, placed, y }: Omit<LabelProps, 'onPick'>) {
  const t = texts();
  if (placed.row.kind !== 'note') return null;
  const { cause, count: hidden, depth } = placed.row;
  const text =
    cause === 'empty'
      ? t.rowsHiddenEmpty(hidden)
      : cause === 'filter'
        ? t.rowsHiddenFilter(hidden)
        : t.rowsHidden(hidden);
  const show = (): void => {
    if (cause === 'empty') viewer.showEmpty.value = true;
    else if (cause === 'filter') viewer.filter.value = '';
    else viewer.hidden.value = new Set();
  };
  return (
    <div
      class="row-label note"
      role="treeitem"
      aria-level={depth + 1}
      style={{ top: `${y}px`, height: `${placed.height}px`, paddingLeft: `${20 + depth * 12}px` }}
    >
      {text}{' '}
      <button class="link" onClick={show}>
        {t.show}
      </button>
    </div>
  );
}

interface NamesProps {
  viewer: Viewer;
  /** Which part of the layout, in pixels from its top. */
  top: number;
  bottom: number;
  pinned?: boolean;
}

/** The names of rows that stay at the top, or of the others. */
export function RowNames({ viewer, top, bottom, pinned = false }: NamesProps) {
  const t = texts();
  const isPinned = (placed: PlacedRow): boolean => placed.row.kind === 'track' && placed.row.pinned;
  const rows = rowsBetween(viewer.layout.value, top, bottom).filter((placed) => isPinned(placed) === pinned);
  const pick = (track: number): void => {
    viewer.currentRow.value = track;
  };
  if (pinned && rows.length === 0) return null;
  return (
    <div
      class={pinned ? 'labels pinned' : 'labels'}
      role="tree"
      aria-label={pinned ? t.pin : t.rows}
      style={pinned ? { height: `${bottom}px` } : {}}
    >
      {rows.map((placed) =>
        placed.row.kind === 'note' ? (
          <NoteLabel key={placed.row.key} viewer={viewer} placed={placed} y={placed.top} />
        ) : (
          <TrackLabel key={placed.row.node.track.id} viewer={viewer} placed={placed} y={placed.top} onPick={pick} />
        ),
      )}
    </div>
  );
}
