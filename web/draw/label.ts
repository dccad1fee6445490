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
    let kept = Math.floor((Math.min(text.length, 400) * room) / width);
    // Letters differ in width: what was cut by the average may still be too long.
    for (let tries = 0; tries < 8 && kept >= 2; tries++, kept = Math.min(kept - 1, Math.floor(kept * 0.9))) {
      const cut = `${text.slice(0, kept)}…`;
      if (this.width(surface, cut) <= room) return cut;
    }
    return '';
  }
}
