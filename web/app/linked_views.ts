// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Reports beside each other: whichever of them moves, the others follow, each by its own offset.
import { type Signal, effect } from '@preact/signals';
import type { Viewer } from '../model/viewer.ts';

export const kAlignments = ['recorded', 'first', 'range', 'clock'] as const;
export type Alignment = (typeof kAlignments)[number];

/** Of the program: the profiler's own work begins with the recording, in every report. */
const firstEvent = (viewer: Viewer): number =>
  Math.min(
    ...viewer.tracks.value
      .filter((track) => track.events > 0 && track.kind !== 'overhead')
      .map((track) => track.first_ns),
    viewer.length.value,
  );

/** What of a report is laid above that of the first one. Null: it has none. */
function anchor(viewer: Viewer, by: Alignment): number | null {
  const { details, range } = viewer;
  if (by === 'recorded') return 0;
  if (by === 'first') return firstEvent(viewer);
  return range.value?.from ?? (details.value ? (viewer.placeOf(details.value)?.[0] ?? null) : null);
}

/** Offsets against the first report; a report without what is asked for takes its first event. */
export function alignedOffsets(viewers: readonly Viewer[], by: Alignment): number[] {
  const first = viewers[0] as Viewer;
  if (by === 'clock') {
    const start = (viewer: Viewer): bigint => BigInt(viewer.report.value?.clock.utc_start_ns ?? 0);
    return viewers.map((viewer) => Number(start(first) - start(viewer)));
  }
  const at = viewers.map((viewer) => anchor(viewer, by) ?? firstEvent(viewer));
  return at.map((time) => Math.round(time - (at[0] as number)));
}

/** Moves all the others to where this one is. */
function lead(viewers: readonly Viewer[], offsets: readonly number[], leader: number): void {
  const { from, to } = (viewers[leader] as Viewer).view.value;
  viewers.forEach((viewer, i) => {
    if (i === leader || !viewer.report.peek()) return;
    const by = (offsets[i] ?? 0) - (offsets[leader] ?? 0);
    const view = viewer.view.peek();
    // Within a pixel of each other: what moves is not moved back.
    if (Math.abs(view.from - from - by) + Math.abs(view.to - to - by) > (to - from) / 2000)
      viewer.view.value = { from: from + by, to: to + by };
  });
}

/** Call it when all of them have been opened. */
export function linkViews(viewers: readonly Viewer[], offsets: Signal<readonly number[]>): () => void {
  const stops = [
    effect(() => lead(viewers, offsets.value, 0)),
    ...viewers.slice(1).map((_, i) => effect(() => lead(viewers, offsets.peek(), i + 1))),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
