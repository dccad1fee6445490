// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What an event table is sorted and filtered by, as the address holds it: "-duration;min;max;visible;text".

export interface EventsState {
  by: string;
  down: boolean;
  /** Durations in ns; null: any. */
  min: number | null;
  max: number | null;
  onlyVisible: boolean;
  text: string;
}

export const kAllEvents: EventsState = { by: 'start', down: false, min: null, max: null, onlyVisible: false, text: '' };

export const packEvents = (state: EventsState): string =>
  JSON.stringify(state) === JSON.stringify(kAllEvents)
    ? ''
    : [
        `${state.down ? '-' : ''}${state.by}`,
        state.min ?? '',
        state.max ?? '',
        state.onlyVisible ? 'visible' : '',
        state.text,
      ].join(';');

export function parseEvents(text: string | undefined): EventsState {
  const match = /^(-?)([a-z]+);(\d*);(\d*);(visible)?;(.*)$/s.exec(text ?? '');
  if (!match) return kAllEvents;
  const [, minus, by = 'start', min, max, visible, words = ''] = match;
  return {
    by,
    down: minus === '-',
    min: min ? Number(min) : null,
    max: max ? Number(max) : null,
    onlyVisible: visible !== undefined,
    text: words,
  };
}
