// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import type { RangeTrack, Track } from '../api/types.ts';
import { eventsIn } from './sums.ts';

it('counts the events of the selected time, those of the whole run only until that is known', () => {
  const track = { id: 4, events: 3 } as Track;
  const summed = (...tracks: Partial<RangeTrack>[]) => ({
    byTrack: new Map(tracks.map((one) => [one.track ?? 0, one as RangeTrack])),
  });
  expect(eventsIn(null, track)).toBe(3);
  expect(eventsIn(summed({ track: 4, events: 2 }), track)).toBe(2);
  expect(eventsIn(summed({ track: 5, events: 2 }), track)).toBe(0);
});
