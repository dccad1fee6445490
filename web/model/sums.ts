// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What the rows were busy with in the selected time, or in the visible one: asked for when the view has come to
// rest, kept until the next answer is there. Names of rows, the summary and the legend all show these numbers.
import { type Signal, effect, signal } from '@preact/signals';
import { asError } from '../api/client.ts';
import type { RangeTrack, Track } from '../api/types.ts';
import type { TimeView } from './time_view.ts';

const kRestMs = 120;

export interface Summed extends TimeView {
  /** Of the selected time, not of the visible one. */
  selected: boolean;
  tracks: RangeTrack[];
  byTrack: ReadonlyMap<number, RangeTrack>;
}

/** A row's events of that time; of the whole run until that is known. Rows without any are not in the answer. */
export const eventsIn = (summed: Pick<Summed, 'byTrack'> | null, track: Track): number =>
  summed ? (summed.byTrack.get(track.id)?.events ?? 0) : track.events;

export interface SumsSource {
  view: Signal<TimeView>;
  range: Signal<TimeView | null>;
  length: { value: number };
  /** Changes when there is more to sum up. */
  etag: { value: string };
  ask: (from: number, to: number) => Promise<RangeTrack[]>;
}

export class Sums {
  readonly summed = signal<Summed | null>(null);
  readonly error = signal<Error | null>(null);
  private timer: ReturnType<typeof setTimeout> | null = null;
  private turn = 0;
  private stop: () => void = () => {};

  constructor(private readonly source: SumsSource) {}

  /** Once the report is there. */
  start(): void {
    const { source } = this;
    this.stop = effect(() => {
      void source.etag.value;
      const range = source.range.value;
      const { from, to } = range ?? source.view.value;
      const length = source.length.value;
      if (this.timer) clearTimeout(this.timer);
      this.timer = setTimeout(
        () => void this.load(Math.max(0, from), Math.min(length, to), range !== null),
        this.turn === 0 ? 0 : kRestMs,
      );
    });
  }

  close(): void {
    this.stop();
    if (this.timer) clearTimeout(this.timer);
    this.turn = -1;
  }

  private async load(from: number, to: number, selected: boolean): Promise<void> {
    const mine = ++this.turn;
    try {
      const tracks = to > from ? await this.source.ask(from, to) : [];
      if (mine !== this.turn) return;
      this.error.value = null;
      this.summed.value = { from, to, selected, tracks, byTrack: new Map(tracks.map((track) => [track.track, track])) };
    } catch (error) {
      if (mine === this.turn) this.error.value = asError(error);
    }
  }
}
