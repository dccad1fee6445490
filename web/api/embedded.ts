// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// A report that is in the page itself (`sextant view FILE --html`): the server's answers that were put there, and for
// the rest what can be made from the events and sums that are there. What cannot says what it needs.
//
// The element `sextant-data` holds base64 of gzip of: length of the header (u32, little endian), the header (JSON), tiles.
import { Client } from './client.ts';
import { eventAnswer, eventsAnswer, histogramAnswer, searchAnswer, stacksAnswer } from './embedded_answers.ts';
import { type Events, eventsOf, holdsEvents, leavesOf, rangeOf, tileOf } from './embedded_track.ts';
import { type Missing, NotInPage } from './not_in_page.ts';
import { type Tile, type TileAddress, decodeTile } from './tile.ts';
import type { Busy, BusyThreads, EventLink, RangeTrack, Tracks } from './types.ts';

export interface EmbeddedHeader {
  version: number;
  answers: Record<string, unknown>;
  /** Track, level, index, offset from the end of the header, length. */
  tiles: [number, number, number, number, number][];
  events: Record<string, unknown>;
  links: [number, string, number, string, string][];
  /** What is missing, and why; null: nothing. */
  thinned: string | null;
}

const kId = 'sextant-data';

export class EmbeddedClient extends Client {
  override readonly notice: string | null;
  override readonly selfContained = true;
  private readonly places = new Map<string, [number, number]>();
  private readonly decoded = new Map<string, Tile>();
  private readonly leaves = new Map<number, Tile[]>();
  private readonly columns = new Map<number, Events>();
  private nameTexts: string[] = [];

  constructor(
    private readonly header: EmbeddedHeader,
    private readonly bytes: ArrayBuffer,
    private readonly base: number,
  ) {
    super('');
    for (const [track, level, index, offset, length] of header.tiles)
      this.places.set(`${track}/${level}/${index}`, [offset, length]);
    this.notice = header.thinned;
  }

  override async tile(_: string, address: TileAddress): Promise<Tile> {
    return tileOf((level, index) => this.find(address.track, level, index), address);
  }

  override tiles(id: string, addresses: readonly TileAddress[]): Promise<Tile[]> {
    return Promise.all(addresses.map((address) => this.tile(id, address)));
  }

  protected override async json<T>(path: string): Promise<T> {
    return this.answer(path) as T;
  }

  private answer(path: string): unknown {
    const known = this.header.answers[path];
    if (known !== undefined) return known;
    const url = new URL(path, 'http://page');
    const [, , id = '', what = '', track = '', event = ''] = url.pathname.split('/');
    const query = url.searchParams;
    const root = `/reports/${id}`;
    const number = (key: string, other: number): number => Number(query.get(key) ?? other);
    const of = (): number => number('track', -1);
    switch (what) {
      case 'names': {
        const all = this.namesOf(root);
        return { names: all.slice(number('from', 0), number('from', 0) + number('count', 0)), total: all.length };
      }
      case 'event':
        return this.details(root, Number(track), decodeURIComponent(event));
      case 'events':
        return eventsAnswer(this.allEventsOf(of(), query), this.namesOf(root), query);
      case 'histogram':
        return histogramAnswer(this.allEventsOf(of(), query), number('name', -1), number('bins', 40));
      case 'search':
        return searchAnswer(this.trackList(root), (one) => this.eventsOf(one), this.namesOf(root), query);
      case 'range':
        return { tracks: this.sumRange(root, number('from', 0), number('to', Number.MAX_SAFE_INTEGER)) };
      case 'stacks': {
        if (query.get('by') === 'device') {
          const all = query.has('track') ? undefined : this.header.answers[`${root}/stacks?by=device`];
          return this.ofWhole(root, query, all, 'deviceStacks');
        }
        const samples = this.trackList(root).find((track) => track.id === of())?.kind === 'samples';
        if (samples) return this.ofWhole(root, query, this.header.answers[`${root}/stacks?track=${of()}`], 'stacks');
        const events = this.allEventsOf(of(), query);
        return stacksAnswer(events, this.namesOf(root), number('from', 0), number('to', 0));
      }
      case 'busy': {
        const of = query.get('of');
        const all = this.header.answers[`${root}/busy${of ? `?of=${of}` : ''}`] as
          | Partial<Busy & BusyThreads>
          | undefined;
        // Where there is nothing in the whole run there is nothing in a part of it, for the same reason.
        if (all && !(of ? all.threads : all.devices)?.length) return all;
        return this.ofWhole(root, query, all, of ? 'threads' : 'devices');
      }
      case 'stats':
        // those of the whole run are asked for without a span
        throw query.has('from') ? new NotInPage('statsOfPart', true) : new NotInPage('stats');
      default:
        throw new NotInPage(what === 'sql' || what === 'source' ? what : what === 'row_sql' ? 'sql' : 'other');
    }
  }

  /** The server's answer about the whole run, which says nothing about a part of it. */
  private ofWhole(root: string, query: URLSearchParams, whole: unknown, what: Missing): unknown {
    if (whole !== undefined && this.isWhole(root, query)) return whole;
    throw new NotInPage(what, whole !== undefined);
  }

  /** Whether the span that is asked for is all of the run. */
  private isWhole(root: string, query: URLSearchParams): boolean {
    const length = (this.header.answers[root] as { length_ns?: number } | undefined)?.length_ns ?? 0;
    return Number(query.get('from') ?? 0) <= 0 && Number(query.get('to') ?? length) >= length;
  }

  private details(root: string, track: number, event: string): unknown {
    const known = this.header.events[`${track}/${event}`];
    if (known !== undefined) return known;
    const links: EventLink[] = [];
    for (const [a, first, b, second, kind] of this.header.links) {
      if (a === track && first === event) links.push(this.link(b, second, kind));
      if (b === track && second === event) links.push(this.link(a, first, kind === 'launches' ? 'launched_by' : kind));
    }
    const found = eventAnswer(this.eventsOf(track), this.namesOf(root), track, event, links);
    if (!found) throw new NotInPage('event');
    return found;
  }

  private link(track: number, event: string, kind: string): EventLink {
    const events = this.eventsOf(track);
    const i = events.id.indexOf(event);
    const start = events.start[i] ?? 0;
    const end = events.end[i] ?? start;
    return {
      kind,
      track,
      event,
      start,
      duration: Number.isFinite(end) ? end - start : -1,
      name: events.name[i] ?? 0,
      delay: null,
    };
  }

  private sumRange(root: string, from: number, to: number): RangeTrack[] {
    return this.trackList(root)
      .filter((track) => track.events > 0 && (track.unit === null || track.unit === 'ns'))
      .map((track) => rangeOf(track.id, this.leavesOf(track.id), from, to));
  }

  private trackList = (root: string): Tracks['tracks'] =>
    (this.header.answers[`${root}/tracks`] as Tracks | undefined)?.tracks ?? [];

  private namesOf(root: string): string[] {
    if (!this.nameTexts.length)
      this.nameTexts = (this.header.answers[`${root}/names`] as { names: string[] } | undefined)?.names ?? [];
    return this.nameTexts;
  }

  private find(track: number, level: number, index: number): Tile | undefined {
    const key = `${track}/${level}/${index}`;
    const place = this.places.get(key);
    if (!place) return undefined;
    let tile = this.decoded.get(key);
    if (!tile) {
      const from = this.base + place[0];
      tile = decodeTile(this.bytes.slice(from, from + place[1]), { track, level, index });
      this.decoded.set(key, tile);
    }
    return tile;
  }

  private leavesOf(track: number): Tile[] {
    let leaves = this.leaves.get(track);
    if (!leaves) this.leaves.set(track, (leaves = leavesOf((level, index) => this.find(track, level, index))));
    return leaves;
  }

  /** Throws where some of them are in the page only as sums: fewer would be a wrong answer. */
  private allEventsOf(track: number, query: URLSearchParams): Events {
    const [from, to] = [Number(query.get('from') ?? 0), Number(query.get('to') ?? Number.POSITIVE_INFINITY)];
    if (!holdsEvents(this.leavesOf(track), from, to)) throw new NotInPage('events');
    return this.eventsOf(track);
  }

  private eventsOf(track: number): Events {
    let events = this.columns.get(track);
    if (!events) this.columns.set(track, (events = eventsOf(this.leavesOf(track))));
    return events;
  }
}

export function readContainer(bytes: ArrayBuffer): EmbeddedClient {
  const length = bytes.byteLength >= 4 ? new DataView(bytes).getUint32(0, true) : -1;
  if (length < 0 || 4 + length > bytes.byteLength) throw new Error('the data of this page is cut off');
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length))) as EmbeddedHeader;
  if (header.version !== 1) throw new Error(`the data of this page has version ${header.version}: not known here`);
  return new EmbeddedClient(header, bytes, 4 + length);
}

async function inflate(base64: string): Promise<ArrayBuffer> {
  const text = atob(base64);
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

/** Null: the page has no data of its own and asks a server. */
export async function embeddedClient(page: Document): Promise<EmbeddedClient | null> {
  const element = page.getElementById(kId);
  return element ? readContainer(await inflate(element.textContent ?? '')) : null;
}
