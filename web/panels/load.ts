// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What a panel asked the server for: under way, there, or failed with a sentence.
import { type Signal, effect, signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { asError } from '../api/client.ts';
import type { Viewer } from '../model/viewer.ts';

export interface Loaded<T> {
  value: T | null;
  error: Error | null;
  loading: boolean;
}

/**
 * Asks again whenever a signal changes that `ask` read before its first await, or the report; waits for `delay` ms of
 * rest first, and keeps the old answer until the new one is there. `ask` returns null when there is nothing to ask.
 */
export function useLoaded<T>(
  viewer: Viewer,
  ask: () => Promise<T> | null,
  delay = 0,
  again: readonly unknown[] = [],
): Signal<Loaded<T>> {
  const state = useMemo(() => signal<Loaded<T>>({ value: null, error: null, loading: true }), []);
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    let turn = 0;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const run = (): void => {
      const mine = ++turn;
      void viewer.etag.value;
      const answer = latest.current();
      if (!answer) {
        state.value = { value: null, error: null, loading: false };
        return;
      }
      state.value = { ...state.peek(), loading: true };
      answer.then(
        (value) => {
          if (mine === turn) state.value = { value, error: null, loading: false };
        },
        (error: unknown) => {
          if (mine === turn)
            state.value = {
              value: null,
              error: asError(error),
              loading: false,
            };
        },
      );
    };
    let stop = (): void => {};
    // Runs once to learn what it depends on; a change waits for rest, then runs it anew.
    const watch = (): void => {
      let ran = false;
      stop = effect(() => {
        if (!ran) {
          ran = true;
          run();
          return;
        }
        if (timer) clearTimeout(timer);
        timer = setTimeout(restart, delay);
      });
    };
    const restart = (): void => {
      stop();
      watch();
    };
    watch();
    return () => {
      turn++;
      stop();
      if (timer) clearTimeout(timer);
    };
  }, [viewer, ...again]);
  return state;
}
