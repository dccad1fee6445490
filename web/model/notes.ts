// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Notes as the address holds them: "TIME TEXT", one a line.

export interface Note {
  time: number;
  text: string;
}

const kMost = 50;

export function parseNotes(text: string | undefined): Note[] {
  const notes: Note[] = [];
  for (const line of (text ?? '').split('\n').slice(0, kMost)) {
    const match = /^(\d{1,16}) (.+)$/.exec(line);
    if (match) notes.push({ time: Number(match[1]), text: match[2] as string });
  }
  return notes;
}

export const formatNotes = (notes: readonly Note[]): string =>
  notes.map((note) => `${note.time} ${note.text.replaceAll('\n', ' ')}`).join('\n');
