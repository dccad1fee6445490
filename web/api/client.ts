import { type Tile, type TileAddress, decodeTile } from './tile.ts';
// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Asks the server. One object for each page; every failure becomes an ApiError with a sentence for people.
import type {
  EventDetails,
  EventPage,
  Findings,
  RangeTrack,
  Report,
  ReportDetails,
  SearchResult,
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

export interface EventQuery {
  track: number;
  from?: number | undefined;
  to?: number | undefined;
  name?: number | undefined;
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

export class Client {
  constructor(private readonly base: string = 'api/v1') {}

  reports = (): Promise<{ reports: Report[]; folders: string[] }> => this.json('/reports');
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
  range = async (id: string, from: number, to: number): Promise<RangeTrack[]> =>
    (await this.json<{ tracks: RangeTrack[] }>(`${this.of(id)}/range${queryText({ from, to })}`)).tracks;
  stats = (id: string, report: string, from?: number, to?: number): Promise<StatsTable> =>
    this.json(`${this.of(id)}/stats${queryText({ report, from, to })}`);

  statsList = async (id: string): Promise<StatsListEntry[]> =>
    (await this.json<{ reports: StatsListEntry[] }>(`${this.of(id)}/stats`)).reports;

  sql = (id: string, sql: string, limit: number): Promise<SqlResult> =>
    this.json(`${this.of(id)}/sql`, {
      method: 'POST',
      body: JSON.stringify({ sql, limit }),
      headers: { 'Content-Type': 'application/json' },
    });

  async tile(id: string, address: TileAddress, signal?: AbortSignal): Promise<Tile> {
    const response = await this.ask(
      `${this.of(id)}/tiles/${address.track}/${address.level}/${address.index}`,
      signal ? { signal } : {},
    );
    return decodeTile(await response.arrayBuffer(), address);
  }

  private of = (id: string): string => `/reports/${encodeURIComponent(id)}`;

  private async json<T>(path: string, init: RequestInit = {}): Promise<T> {
    return (await (await this.ask(path, init)).json()) as T;
  }

  private async ask(path: string, init: RequestInit): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(this.base + path, { credentials: 'same-origin', ...init });
    } catch (cause) {
      if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
      throw new ApiError('unreachable', 'the server does not answer', 0);
    }
    if (!response.ok) throw await failure(response);
    return response;
  }
}
