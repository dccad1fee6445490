// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Colours of names. Twelve hues that people with any common colour vision tell apart by hue or by lightness
// (after Okabe and Ito, each in two lightnesses); names never depend on colour alone.

export interface Colour {
  fill: string;
  /** What is written on it. */
  ink: string;
  /** Bytes red, green, blue, 255 in a little endian word: for pixels. */
  pixel: number;
}

const kFills = [
  '#56b4e9',
  '#e69f00',
  '#3fae8b',
  '#d98cb8',
  '#f0e442',
  '#4f86c6',
  '#e0764a',
  '#9fd8c4',
  '#b08fd8',
  '#c9b26a',
  '#8fc7ff',
  '#c8c8d0',
];

function colour(fill: string): Colour {
  const value = Number.parseInt(fill.slice(1), 16);
  const [red, green, blue] = [value >> 16, (value >> 8) & 255, value & 255];
  return { fill, ink: '#10171c', pixel: ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0 };
}

export const kPalette: readonly Colour[] = kFills.map(colour);
export const kNeutral: Colour = colour('#9aa5b1');

/** States of threads: told apart by their height, too. 255: neutral. */
const kStates: ReadonlyMap<string, number> = new Map([
  ['running', 2],
  ['ready', 1],
  ...[
    ...['not running', 'sleeping', 'sleeping, uninterruptible', 'waiting', 'stopped', 'ended', 'not scheduled'],
    ...['initialised', 'in transition'],
  ].map((state): [string, number] => [state, 255]),
]);

/** The same text has the same colour in every report, so that two of them can be compared. */
export function paletteIndex(text: string): number {
  const state = kStates.get(text);
  if (state !== undefined) return state;
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 16777619);
  }
  hash ^= hash >>> 15;
  return (hash >>> 0) % kPalette.length;
}

export const colourOf = (index: number): Colour => kPalette[index] ?? kNeutral;
