// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Asks the server. One object for each page; every failure becomes an ApiError with a sentence for people.
import { type Tile, type TileAddress, decodeTile, decodeTiles } from './tile.ts';
import type {
  Busy,
  BusyThreads,
  EventDetails,
  EventPage,
  Findings,
  HistogramAnswer,
  RangeTrack,
  ReportDetails,
  Reports,
  SearchResult,
  SourceLines,
  SqlResult,
  Stacks,
  StatsListEntry,
  StatsTable,
  Tracks,
} from './types.ts';

export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

export interface EventQuery {
  track: number;
  from?: number | undefined;
  to?: number | undefined;
  name?: number | undefined;
  /** Durations, ns, both included. */
  min?: number | undefined;
  max?: number | undefined;
  text?: string | undefined;
  sort?: string | undefined;
  order?: 'asc' | 'desc' | undefined;
  offset?: number;
  limit?: number;
}

type Parameters = Record<string, string | number | undefined>;

function queryText(parameters: object): string {
  const parts: string[] = [];
  for (const [key, value] of Object.entries(parameters as Parameters)) {
    if (value === undefined || value === '') continue;
    parts.push(`${key}=${encodeURIComponent(typeof value === 'number' ? Math.round(value) : value)}`);
  }
  return parts.length ? `?${parts.join('&')}` : '';
}

async function failure(response: Response): Promise<ApiError> {
  try {
    const body = (await response.json()) as { error?: { code?: string; message?: string } };
    if (body.error?.message) return new ApiError(body.error.code ?? 'error', body.error.message, response.status);
  } catch {
    // Not our JSON: a proxy, or a server that is going down.
  }
  return new ApiError('http', `the server answered ${response.status} ${response.statusText}`, response.status);
}

const placeOf = ({ track, level, index }: TileAddress): string => `${track}/${level}/${index}`;

export class Client {
  constructor(private readonly api: string = 'api/v1') {}

  /** What the page has to say about where its data comes from. */
  readonly notice: string | null = null;
  /** Told of the version that every answer about a report has: it is another when there is more, or damage was met. */
  readonly watchers = new Set<(id: string, version: string) => void>();
  /** The report is in the page: there is no server to ask. */
  readonly selfContained: boolean = false;

  reports = (): Promise<Reports> => this.json('/reports');
  report = (id: string): Promise<ReportDetails> => this.json(this.of(id));
  tracks = (id: string): Promise<Tracks> => this.json(`${this.of(id)}/tracks`);
  names = async (id: string, from: number, count: number): Promise<string[]> =>
    (await this.json<{ names: string[] }>(`${this.of(id)}/names${queryText({ from, count })}`)).names;
  events = (id: string, query: EventQuery): Promise<EventPage> => this.json(`${this.of(id)}/events${queryText(query)}`);
  event = (id: string, track: number, event: string): Promise<EventDetails> =>
    this.json(`${this.of(id)}/event/${track}/${encodeURIComponent(event)}`);
  search = (id: string, text: string, limit: number): Promise<SearchResult> =>
    this.json(`${this.of(id)}/search${queryText({ text, limit })}`);
  findings = (id: string): Promise<Findings> => this.json(`${this.of(id)}/findings`);
  stacks = (id: string, track: number, from: number, to: number): Promise<Stacks> =>
    this.json(`${this.of(id)}/stacks${queryText({ track, from, to })}`);
  /** Device time by the ranges around its launches; of all devices where no track is given. */
  deviceStacks = (id: string, track: number | undefined, from: number, to: number): Promise<Stacks> =>
    this.json(`${this.of(id)}/stacks${queryText({ by: 'device', track, from, to })}`);
  busy = (id: string, from: number, to: number): Promise<Busy> =>
    this.json(`${this.of(id)}/busy${queryText({ from, to })}`);
  busyThreads = (id: string, from: number, to: number): Promise<BusyThreads> =>
    this.json(`${this.of(id)}/busy${queryText({ of: 'threads', from, to })}`);
  /** Of a frame of the event's call stack; without one of the place that the event itself names. */
  source = (id: string, track: number, event: string, frame?: number): Promise<SourceLines> =>
    this.json(`${this.of(id)}/source/${track}/${encodeURIComponent(event)}${queryText({ frame })}`);
  histogram = (id: string, query: { track: number; name: number; bins: number }): Promise<HistogramAnswer> =>
    this.json(`${this.of(id)}/histogram${queryText(query)}`);
  rowSql = async (id: string, track: number, from?: number, to?: number): Promise<string> =>
    (await this.json<{ sql: string }>(`${this.of(id)}/row_sql${queryText({ track, from, to })}`)).sql;
  range = async (id: string, from: number, to: number): Promise<RangeTrack[]> =>
    (await this.json<{ tracks: RangeTrack[] }>(`${this.of(id)}/range${queryText({ from, to })}`)).tracks;
  stats = (id: string, report: string, from?: number, to?: number): Promise<StatsTable> =>
    this.json(`${this.of(id)}/stats${queryText({ report, from, to })}`);

  statsList = async (id: string): Promise<StatsListEntry[]> =>
    (await this.json<{ reports: StatsListEntry[] }>(`${this.of(id)}/stats`)).reports;

  sql = (id: string, sql: string, limit: number): Promise<SqlResult> => this.post(`${this.of(id)}/sql`, { sql, limit });
  setTags = (id: string, tags: readonly string[]): Promise<unknown> => this.post(`${this.of(id)}/tags`, { tags });

  async tile(id: string, address: TileAddress): Promise<Tile> {
    const response = await this.ask(`${this.of(id)}/tiles/${placeOf(address)}`, {});
    return decodeTile(await response.arrayBuffer(), address);
  }

  /** Several at once: a request costs more than most tiles. Null: this one is to be asked for alone. */
  async tiles(id: string, addresses: readonly TileAddress[]): Promise<(Tile | null)[]> {
    const response = await this.ask(`${this.of(id)}/tiles?of=${addresses.map(placeOf).join(',')}`, {});
    return decodeTiles(await response.arrayBuffer(), addresses);
  }

  protected of = (id: string): string => `/reports/${encodeURIComponent(id)}`;

  private post<T>(path: string, body: unknown): Promise<T> {
    const headers = { 'Content-Type': 'application/json' };
    return this.json(path, { method: 'POST', body: JSON.stringify(body), headers });
  }

  protected async json<T>(path: string, init: RequestInit = {}): Promise<T> {
    return (await (await this.ask(path, init)).json()) as T;
  }

  private async ask(path: string, init: RequestInit): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(this.api + path, { credentials: 'same-origin', ...init });
    } catch (cause) {
      if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
      throw new ApiError('unreachable', 'the server does not answer', 0);
    }
    if (!response.ok) throw await failure(response);
    const [, , id] = path.split(/[/?]/);
    const version = response.headers.get('ETag');
    if (id && version) for (const watch of this.watchers) watch(decodeURIComponent(id), version);
    return response;
  }
}
