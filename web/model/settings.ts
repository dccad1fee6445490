// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What a person prefers on this machine: kept in the browser, not in links.
import { effect, signal } from '@preact/signals';

const kKey = 'sextant-settings';

function stored(): Record<string, unknown> {
  try {
    return JSON.parse(localStorage.getItem(kKey) ?? '{}') as Record<string, unknown>;
  } catch {
    return {};
  }
}

const known = stored();
const pick = <T extends string>(key: string, choices: readonly T[], fallback: T): T =>
  choices.includes(known[key] as T) ? (known[key] as T) : fallback;

export const kLanguages = ['en', 'ko'] as const;
export type Language = (typeof kLanguages)[number];

export const language = signal<Language>(
  pick('language', kLanguages, navigator.language.startsWith('ko') ? 'ko' : 'en'),
);
export const theme = signal<'system' | 'light' | 'dark'>(pick('theme', ['system', 'light', 'dark'], 'system'));
/** What the wheel does over the rows without a modifier key; with Ctrl it always zooms. */
export const wheel = signal<'zoom' | 'scroll'>(pick('wheel', ['zoom', 'scroll'], 'zoom'));
export const labelWidth = signal<number>(typeof known.labelWidth === 'number' ? known.labelWidth : 290);
export const paneHeight = signal<number>(typeof known.paneHeight === 'number' ? known.paneHeight : 270);

const darkQuery = matchMedia('(prefers-color-scheme: dark)');
const systemDark = signal(darkQuery.matches);
darkQuery.addEventListener('change', (event) => {
  systemDark.value = event.matches;
});

export const isDark = (): boolean => (theme.value === 'system' ? systemDark.value : theme.value === 'dark');

export function keepSettings(): void {
  effect(() => {
    document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
    document.documentElement.lang = language.value;
  });
  effect(() => {
    const values = {
      language: language.value,
      theme: theme.value,
      wheel: wheel.value,
      labelWidth: labelWidth.value,
      paneHeight: paneHeight.value,
    };
    try {
      localStorage.setItem(kKey, JSON.stringify(values));
    } catch {
      // Private windows have no storage: the choice then lasts as long as the page.
    }
  });
}
