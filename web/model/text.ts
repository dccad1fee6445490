// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The texts in the language that is chosen. Read in a component, so that a change draws it again.
import { type Language, language } from './settings.ts';
import { type Texts, en } from './text/en.ts';
import { ko } from './text/ko.ts';

const kTexts: Record<Language, Texts> = { en, ko };

export const texts = (): Texts => kTexts[language.value];

/** What the server says of a report, in that language where it has words for it. */
export const verdictText = (verdict: string | null): string => (verdict ? (texts().verdicts[verdict] ?? verdict) : '');
