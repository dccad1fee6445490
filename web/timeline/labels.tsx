// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The names at the left of the rows: what a row is, how busy it is and mostly with what; and what can be done
// with it. Only rows in sight are elements.
import { useRef } from 'preact/hooks';
import type { NameId, Track } from '../api/types.ts';
import { type PlacedRow, rowsBetween } from '../model/layout.ts';
import { colourOf } from '../model/palette.ts';
import { eventsIn } from '../model/sums.ts';
import { texts } from '../model/text.ts';
import type { Texts } from '../model/text/en.ts';
import { type Row, type TrackNode, isCurve, isWork, withEvents, workRank } from '../model/track_tree.ts';
import { count, percent } from '../model/units.ts';
import type { Viewer } from '../model/viewer.ts';

/** The busy share of the visible (or selected) time; of the whole run until that is known. */
export function busyShare(viewer: Viewer, track: Track): number | null {
  if (!track.events || isCurve(track)) return null;
  const summed = viewer.sums.summed.value;
  if (!summed) return track.busy_ns === null ? null : track.busy_ns / Math.max(viewer.length.value, 1);
  return (summed.byTrack.get(track.id)?.busy_ns ?? 0) / Math.max(1, summed.to - summed.from);
}

/** Of a thread's states: how much of the time it ran. */
function runningShare(viewer: Viewer, track: Track): number | null {
  const summed = viewer.sums.summed.value;
  if (!summed) return null;
  const row = summed.byTrack.get(track.id);
  const running = row?.top.find((top) => viewer.names.text(top.name) === 'running');
  return (running?.ns ?? 0) / Math.max(1, summed.to - summed.from);
}

export function rowShare(viewer: Viewer, track: Track): string {
  if (!track.events || isCurve(track)) return track.unit ?? '';
  if (track.kind === 'samples') return count(eventsIn(viewer.sums.summed.value, track));
  if (track.kind === 'state') {
    const running = runningShare(viewer, track);
    return running === null ? '…' : percent(Math.min(1, running));
  }
  const share = busyShare(viewer, track);
  return share === null ? '…' : percent(Math.min(1, share));
}

/** The name that took most of the row, and how much of its busy time. */
function mostly(viewer: Viewer, track: Track): { name: NameId; share: number } | undefined {
  const summed = viewer.sums.summed.value;
  if (!summed) return track.top[0];
  const row = summed.byTrack.get(track.id);
  const top = row?.top[0];
  return row && top ? { name: top.name, share: Math.min(1, top.ns / Math.max(1, row.busy_ns)) } : undefined;
}

/** Of a group: its rows with events, and the busiest of them. */
interface Group {
  rows: number;
  best: { track: Track; share: number } | null;
}

function groupOf(viewer: Viewer, node: TrackNode): Group {
  const group: Group = { rows: 0, best: null };
  for (const { track } of withEvents(node)) {
    group.rows++;
    const share = isWork(track) ? busyShare(viewer, track) : null;
    if (share === null || share === 0) continue;
    const { best } = group;
    const better = best ? workRank(track) - workRank(best.track) || share - best.share : 1;
    if (better > 0) group.best = { track, share };
  }
  return group;
}

/** "Kernels · 40 events · 97 % busy · mostly gemm (80 %)" */
function describeTrack(viewer: Viewer, track: Track, { best }: Group): string {
  const t = texts();
  const parts = [track.name];
  if (track.events) {
    const top = mostly(viewer, track);
    const name = top && viewer.names.text(top.name);
    parts.push(t.eventsN(count(track.events)));
    const share = rowShare(viewer, track);
    if (track.kind === 'state') parts.push(`${share} ${t.running}`);
    else if (track.kind !== 'samples') parts.push(isCurve(track) ? share : `${share} ${t.busy}`);
    if (top && name) parts.push(`${t.mostly} ${name} (${percent(top.share)})`);
  } else if (best) parts.push(`${best.track.name} ${percent(Math.min(1, best.share))} ${t.busy}`);
  if (track.lost.length) parts.push(`⚠ ${t.lostHere}`);
  return parts.join(' · ');
}

interface LabelProps {
  viewer: Viewer;
  placed: PlacedRow;
  y: number;
  onPick: (track: number) => void;
}

/** What stands at the right of the name. */
function ShareOf({ viewer, track, best }: { viewer: Viewer; track: Track; best: Group['best'] }) {
  if (track.events) return <span class="row-share">{rowShare(viewer, track)}</span>;
  return (
    <span class="row-share">
      {best ? (
        <>
          <span>{percent(Math.min(1, best.share))}</span>
          <small>{best.track.name}</small>
        </>
      ) : (
        ''
      )}
    </span>
  );
}

function RowTools({ viewer, track, pinned }: { viewer: Viewer; track: number; pinned: boolean }) {
  const t = texts();
  const tool = (label: string, sign: string, run: () => void) => (
    <button
      tabIndex={-1}
      title={label}
      aria-label={label}
      onClick={(event) => {
        event.stopPropagation();
        run();
      }}
    >
      {sign}
    </button>
  );
  return (
    <span class="row-tools">
      {tool(pinned ? t.unpin : t.pin, pinned ? '★' : '☆', () => viewer.toggle('pinned', track))}
      {tool(t.hide, '×', () => viewer.toggle('hidden', track))}
    </span>
  );
}

/** The lower edge: drag it to make the row higher, double click to undo that. */
function RowEdge({ viewer, placed }: { viewer: Viewer; placed: PlacedRow }) {
  const drag = useRef<{ y: number; height: number; factor: number } | null>(null);
  if (placed.row.kind !== 'track' || placed.shown.length === 0) return null;
  const { id } = placed.row.node.track;
  const factor = viewer.heights.value[id] ?? 1;
  return (
    <div
      class="row-edge"
      title={texts().rowHeight}
      onPointerDown={(event) => {
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { y: event.clientY, height: placed.height, factor };
      }}
      onPointerMove={(event) => {
        const from = drag.current;
        if (!from) return;
        const wish = (from.factor * Math.max(4, from.height + event.clientY - from.y)) / from.height;
        viewer.resize(wish / (viewer.heights.peek()[id] ?? 1), id);
      }}
      onLostPointerCapture={() => {
        drag.current = null;
      }}
      onClick={(event) => event.stopPropagation()}
      onDblClick={(event) => {
        event.stopPropagation();
        viewer.resize(1 / factor, id);
      }}
    />
  );
}

function TrackLabel({ viewer, placed, y, onPick }: LabelProps) {
  const t = texts();
  if (placed.row.kind !== 'track') return null;
  const { node, collapsed, pinned, branch, depth } = placed.row;
  const { track } = node;
  const foldable = branch || (track.rows ?? 1) > 1 || isCurve(track);
  const top = mostly(viewer, track);
  const topName = top ? viewer.names.text(top.name) : undefined;
  const current = viewer.currentRow.value === track.id;
  const group = groupOf(viewer, node);
  const description = describeTrack(viewer, track, group);
  return (
    <div
      id={`row-${viewer.id}-${pinned ? 'p' : ''}${track.id}`}
      role="treeitem"
      aria-level={depth + 1}
      aria-expanded={foldable ? !collapsed : undefined}
      aria-selected={current}
      aria-label={description}
      class={`row-label${current ? ' current' : ''}`}
      style={{ top: `${y}px`, height: `${placed.height}px`, paddingLeft: `${4 + depth * 12}px` }}
      title={description}
      onClick={() => onPick(track.id)}
      onDblClick={() => foldable && viewer.toggle('collapsed', track.id)}
    >
      <div class="row-line">
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
        <span class={`row-name${branch ? ' branch' : ''}`}>
          {track.lost.length > 0 && <span class="lost">⚠ </span>}
          {track.name || track.kind}
        </span>
        {collapsed && branch && group.rows > placed.shown.length && (
          <small class="faint"> {t.busiestOf(count(placed.shown.length), count(group.rows))}</small>
        )}
        <RowTools viewer={viewer} track={track.id} pinned={pinned} />
        <ShareOf viewer={viewer} track={track} best={group.best} />
      </div>
      {placed.height >= 36 && topName && top && !isCurve(track) && (
        <span class="row-top">
          <i style={{ background: colourOf(viewer.names.colour(top.name)).fill }} />
          {percent(top.share)} {topName}
        </span>
      )}
      <RowEdge viewer={viewer} placed={placed} />
    </div>
  );
}

type NoteRow = Extract<Row, { kind: 'note' }>;

export function noteText(t: Texts, { cause, count: hidden }: NoteRow): string {
  if (cause === 'empty') return t.rowsHiddenEmpty(hidden);
  return cause === 'filter' ? t.rowsHiddenFilter(hidden) : t.rowsHidden(hidden);
}

function NoteLabel({ viewer, placed, y }: Omit<LabelProps, 'onPick'>) {
  const t = texts();
  if (placed.row.kind !== 'note') return null;
  const { cause, depth } = placed.row;
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
      {noteText(t, placed.row)}{' '}
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
  const current = rows.find(
    (placed) => placed.row.kind === 'track' && placed.row.node.track.id === viewer.currentRow.value,
  );
  return (
    <div
      class={pinned ? 'labels pinned' : 'labels'}
      role="tree"
      tabIndex={0}
      aria-label={pinned ? t.pin : t.rows}
      aria-activedescendant={current ? `row-${viewer.id}-${pinned ? 'p' : ''}${viewer.currentRow.value}` : undefined}
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
