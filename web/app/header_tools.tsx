// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What a person sets once: language, colours, the wheel.
import { type Language, kLanguages, language, theme, wheel } from '../model/settings.ts';
import { texts } from '../model/text.ts';

const kLanguageNames: Record<Language, string> = { en: 'English', ko: '한국어' };

export function HeaderTools() {
  const t = texts();
  return (
    <span class="tools">
      <select
        aria-label={t.wheelDoes}
        title={t.wheelDoes}
        value={wheel.value}
        onChange={(event) => {
          wheel.value = event.currentTarget.value as 'zoom' | 'scroll';
        }}
      >
        <option value="zoom">
          {t.wheelDoes}: {t.wheelZoom}
        </option>
        <option value="scroll">
          {t.wheelDoes}: {t.wheelScroll}
        </option>
      </select>
      <select
        aria-label={t.theme}
        title={t.theme}
        value={theme.value}
        onChange={(event) => {
          theme.value = event.currentTarget.value as 'system' | 'light' | 'dark';
        }}
      >
        <option value="system">◐ {t.system}</option>
        <option value="light">○ {t.light}</option>
        <option value="dark">● {t.dark}</option>
      </select>
      <select
        aria-label={t.language}
        title={t.language}
        value={language.value}
        onChange={(event) => {
          language.value = event.currentTarget.value as Language;
        }}
      >
        {kLanguages.map((code) => (
          <option key={code} value={code}>
            {kLanguageNames[code]}
          </option>
        ))}
      </select>
    </span>
  );
}
