// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { texts } from '../model/text.ts';
import type { Viewer } from '../model/viewer.ts';

/** Why there is nothing to show, and what to do. */
export function noEventsText(viewer: Viewer): string {
  const t = texts();
  if (viewer.tracks.value.some((track) => track.events > 0)) return t.noEvents;
  return viewer.report.value?.growing ? t.noEventsYet : t.noEventsAtAll;
}
