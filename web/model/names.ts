// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The names of a report, fetched in pages when they are first needed. A name that is not there yet is
// undefined; who needs it asks for its page and draws again.
import { paletteIndex } from './palette.ts';

const kPage = 2048;

/** Line breaks and marks of direction could make a name look like something else than it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const kInvisible = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
export const visible = (name: string): string => name.replace(kInvisible, '·');

export class Names {
  private readonly pages = new Map<number, string[]>();
  private readonly colours = new Map<number, Uint8Array>();
  private readonly asked = new Map<number, Promise<void>>();

  constructor(private readonly fetchPage: (from: number, count: number) => Promise<string[]>) {}

  text(id: number): string | undefined {
    return this.pages.get(Math.floor(id / kPage))?.[id % kPage];
  }

  /** Index in the palette; neutral (255) while the name is unknown. */
  colour(id: number): number {
    return this.colours.get(Math.floor(id / kPage))?.[id % kPage] ?? 255;
  }

  /** Resolves when all of these are known. */
  async need(ids: Iterable<number>): Promise<void> {
    const pages = new Set<number>();
    for (const id of ids) {
      const page = Math.floor(id / kPage);
      if (!this.pages.has(page)) pages.add(page);
    }
    await Promise.all([...pages].map((page) => this.load(page)));
  }

  /** A growing report has more names at the end: the last page is asked for again. */
  forgetIncomplete(): void {
    for (const [page, texts] of this.pages) if (texts.length < kPage) this.pages.delete(page);
  }

  /** Another report is in its place. */
  forget(): void {
    this.pages.clear();
    this.colours.clear();
    this.asked.clear();
  }

  private load(page: number): Promise<void> {
    const running = this.asked.get(page);
    if (running) return running;
    const load: Promise<void> = this.fetchPage(page * kPage, kPage)
      .then((texts) => {
        if (this.asked.get(page) !== load) return;
        this.pages.set(page, texts.map(visible));
        this.colours.set(page, Uint8Array.from(texts, paletteIndex));
      })
      .finally(() => {
        if (this.asked.get(page) === load) this.asked.delete(page);
      });
    this.asked.set(page, load);
    return load;
  }
}
