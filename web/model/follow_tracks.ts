// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Numbers of rows are those of a report as it is in the file: one that grows gets rows between others, and numbers them
// anew. What was chosen of rows follows them by where they are in the tree.
import type { Track } from '../api/types.ts';

/** By the number of a process or thread where the name has one: names come later, and change. */
const nameOf = (track: Track): string => /\[\d+\]$/.exec(track.name)?.[0] ?? track.name;

function places(tracks: readonly Track[]): Map<string, number> {
  const found = new Map<string, number>();
  const of = new Map<number, string>();
  for (const track of tracks) {
    const above = track.parent === null ? '' : (of.get(track.parent) ?? '');
    const place = `${above}\n${track.kind} ${nameOf(track)}`;
    let same = place;
    for (let n = 2; found.has(same); n++) same = `${place} ${n}`;
    found.set(same, track.id);
    of.set(track.id, same);
  }
  return found;
}

/** What number each row has now; rows that are gone have none. Null: all have the same as before. */
export function followTracks(before: readonly Track[], after: readonly Track[]): ReadonlyMap<number, number> | null {
  const now = places(after);
  const moved = new Map<number, number>();
  let same = true;
  for (const [place, id] of places(before)) {
    const to = now.get(place);
    if (to !== undefined) moved.set(id, to);
    same &&= to === id;
  }
  return same ? null : moved;
}
