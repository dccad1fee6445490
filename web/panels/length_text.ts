// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// How long an event took, in words: one that was never closed has a negative length.
import { texts } from '../model/text.ts';
import { duration } from '../model/units.ts';

export const lengthText = (ns: number): string => (ns < 0 ? texts().notClosed : duration(ns));
