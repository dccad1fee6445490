// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Text that fits a width: whole, cut with an ellipsis, or not at all.
import type { Surface } from './surface.ts';

const kLeast = 22;

export class Labels {
  private readonly widths = new Map<string, number>();

  width(surface: Surface, text: string): number {
    let width = this.widths.get(text);
    if (width === undefined) {
      // Names of kernels can be kilobytes long; nobody sees more than this on one line.
      width = surface.measureText(text.slice(0, 400)).width;
      if (this.widths.size > 20000) this.widths.clear();
      this.widths.set(text, width);
    }
    return width;
  }

  fit(surface: Surface, text: string, room: number): string {
    if (room < kLeast || text === '') return '';
    const width = this.width(surface, text);
    if (width <= room && text.length <= 400) return text;
    const kept = Math.floor((Math.min(text.length, 400) * (room - 8)) / width);
    return kept < 2 ? '' : `${text.slice(0, kept)}…`;
  }
}
