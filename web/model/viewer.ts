// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// One opened report and how it is looked at. Components read its signals and call its methods; everything that
// a link must carry is in `snapshot()`.
import { batch, computed, signal } from '@preact/signals';
import { ApiError, type Client } from '../api/client.ts';
import { NotInPage } from '../api/not_in_page.ts';
import type { Tile } from '../api/tile.ts';
import type { EventDetails, EventId, ReportDetails, Track } from '../api/types.ts';
import { followTracks } from './follow_tracks.ts';
import { layoutRows } from './layout.ts';
import { Names } from './names.ts';
import type { RulerMode } from './ruler.ts';
import { type Selected, type Snapshot, kEmptySnapshot } from './snapshot.ts';
import { Sums } from './sums.ts';
import { TileStore } from './tile_store.ts';
import { type TimeView, clampView, reveal, viewOf, wholeView } from './time_view.ts';
import { buildTree, byWork, isCurve, visibleRows } from './track_tree.ts';

/** More roots than this, and all but the first few start collapsed. */
const kOpenRoots = 6;
const kPollMs = 3000;

/** How what is shown stands to what the server has now. */
export type Standing = 'same' | 'replaced' | 'gone';

const sorted = (set: ReadonlySet<number>): number[] => [...set].sort((a, b) => a - b);
const same = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);

export class Viewer {
  readonly report = signal<ReportDetails | null>(null);
  readonly tracks = signal<Track[]>([]);
  /** What the server says about rows that are not there. */
  readonly trackNotes = signal<readonly string[]>([]);
  readonly error = signal<ApiError | null>(null);
  /** Why the server could not be asked just now; goes away by itself. */
  readonly trouble = signal<ApiError | null>(null);
  readonly standing = signal<Standing>('same');

  readonly view = signal<TimeView>({ from: 0, to: 1000 });
  readonly range = signal<TimeView | null>(null);
  readonly selected = signal<Selected | null>(null);
  readonly details = signal<EventDetails | null>(null);
  private detailsOf: Selected | null = null;
  /** Why there are none of what is selected. */
  readonly detailsError = signal<ApiError | null>(null);
  readonly emphasis = signal<ReadonlySet<number> | null>(null);
  readonly collapsed = signal<ReadonlySet<number>>(new Set());
  readonly hidden = signal<ReadonlySet<number>>(new Set());
  readonly pinned = signal<ReadonlySet<number>>(new Set());
  readonly filter = signal('');
  readonly showEmpty = signal(false);
  readonly rowScale = signal(1);
  readonly heights = signal<Readonly<Record<number, number>>>({});
  readonly ruler = signal<RulerMode>('absolute');
  readonly panel = signal('summary');
  readonly panelState = signal<Record<string, string>>({});
  /** The row that is to be scrolled into sight; a new object each time. */
  readonly rowToShow = signal<{ track: number } | null>(null);
  /** Counts arrivals of data: a picture that reads it is drawn again. */
  readonly arrivals = signal(0);
  /** The row that the keyboard is on. */
  readonly currentRow = signal<number | null>(null);

  readonly byId = computed(() => new Map(this.tracks.value.map((track) => [track.id, track])));
  readonly roots = computed(() => buildTree(this.tracks.value));
  readonly rows = computed(() =>
    visibleRows(this.roots.value, {
      collapsed: this.collapsed.value,
      hidden: this.hidden.value,
      pinned: this.pinned.value,
      filter: this.filter.value,
      showEmpty: this.showEmpty.value,
    }),
  );
  readonly layout = computed(() => layoutRows(this.rows.value, this.rowScale.value, this.heights.value));
  readonly length = computed(() => this.report.value?.length_ns ?? 1000);
  readonly etag = computed(() => this.report.value?.etag ?? '');
  private readonly defaultCollapsed = computed(() => {
    const roots = this.roots.value;
    const folded = roots.length > kOpenRoots ? roots.slice(kOpenRoots).filter((node) => node.children.length > 0) : [];
    return folded.map((node) => node.track.id).sort((a, b) => a - b);
  });
  /** The row that tables and graphs of one row show: chosen (of a group the busiest), or the selected event's, or the busiest. */
  readonly shownRow = computed(() => {
    const chosen = this.currentRow.value ?? this.selected.value?.track ?? null;
    const below = chosen === null ? undefined : busiest(this.below(chosen));
    return below ?? busiest(this.tracks.value) ?? null;
  });

  readonly names: Names;
  readonly tiles: TileStore;
  readonly sums: Sums;
  /** False while the server still sums up the tracks. */
  private settled = true;
  private poll: ReturnType<typeof setTimeout> | null = null;
  private refreshing = false;
  private closed = false;
  private version = '';

  constructor(
    readonly client: Client,
    readonly id: string,
  ) {
    this.names = new Names((from, count) => client.names(id, from, count));
    const named = async <T extends (Tile | null)[]>(tiles: T): Promise<T> => {
      await this.names.need(tiles.flatMap(namesOf));
      return tiles;
    };
    this.tiles = new TileStore({
      fetchTiles: async (addresses) => named(await client.tiles(id, addresses)),
      fetchTile: async (address) => (await named([await client.tile(id, address)]))[0] as Tile,
      arrived: () => {
        this.arrivals.value++;
      },
      failed: (error) => this.reportTrouble(error),
    });
    this.sums = new Sums({
      view: this.view,
      range: this.range,
      length: this.length,
      etag: this.etag,
      ask: async (from, to) => {
        const tracks = await client.range(id, from, to);
        await this.names.need(tracks.flatMap((track) => track.top.map((top) => top.name)));
        return tracks;
      },
    });
  }

  async open(snapshot: Snapshot): Promise<void> {
    try {
      const [report, { tracks, settled, notes }] = await Promise.all([
        this.client.report(this.id),
        this.client.tracks(this.id),
      ]);
      await this.names.need(tracks.flatMap((track) => track.top.map((top) => top.name)));
      batch(() => {
        this.report.value = report;
        this.tracks.value = tracks;
        this.trackNotes.value = notes ?? [];
        this.restore(snapshot);
      });
      this.settled = settled;
      this.sums.start();
      if (this.client.selfContained || this.closed) return;
      this.client.watchers.add(this.sawVersion);
      this.pollLater();
    } catch (error) {
      this.error.value = asApiError(error);
    }
  }

  close(): void {
    this.closed = true;
    if (this.poll) clearTimeout(this.poll);
    this.client.watchers.delete(this.sawVersion);
    this.sums.close();
  }

  snapshot(): Snapshot {
    const whole = wholeView(this.length.value);
    const { from, to } = this.view.value;
    const collapsed = sorted(this.collapsed.value);
    return {
      view: from === whole.from && to === whole.to ? null : { from, to },
      range: this.range.value,
      selected: this.selected.value,
      collapsed: same(collapsed, this.defaultCollapsed.value) ? null : collapsed,
      hidden: sorted(this.hidden.value),
      pinned: sorted(this.pinned.value),
      filter: this.filter.value,
      showEmpty: this.showEmpty.value,
      rowScale: this.rowScale.value,
      heights: this.heights.value,
      row: this.currentRow.value,
      marked: sorted(this.emphasis.value ?? new Set()),
      ruler: this.ruler.value,
      panel: this.panel.value,
      panelState: this.panelState.value,
    };
  }

  restore(snapshot: Snapshot, keepView = false): void {
    batch(() => {
      if (!keepView)
        this.view.value = snapshot.view ? clampView(snapshot.view, this.length.value) : wholeView(this.length.value);
      this.range.value = snapshot.range;
      this.collapsed.value = new Set(snapshot.collapsed ?? this.defaultCollapsed.value);
      this.hidden.value = new Set(snapshot.hidden);
      this.pinned.value = new Set(snapshot.pinned);
      this.filter.value = snapshot.filter;
      this.showEmpty.value = snapshot.showEmpty;
      this.rowScale.value = snapshot.rowScale;
      this.heights.value = snapshot.heights;
      this.currentRow.value = snapshot.row;
      const marked = sorted(this.emphasis.value ?? new Set());
      if (!same(marked, snapshot.marked))
        this.emphasis.value = snapshot.marked.length ? new Set(snapshot.marked) : null;
      this.ruler.value = snapshot.ruler;
      this.panel.value = snapshot.panel;
      this.panelState.value = snapshot.panelState;
      const { selected } = snapshot;
      if (selected?.event !== this.selected.value?.event || selected?.track !== this.selected.value?.track) {
        this.selected.value = selected;
        void this.loadDetails();
      }
    });
  }

  setView(view: TimeView): void {
    this.view.value = clampView(view, this.length.value);
  }

  /** Selects an event and shows what is known of it; `show` also brings it into view. */
  async select(track: number, event: EventId, show: 'stay' | 'reveal' | 'zoom' = 'stay'): Promise<void> {
    const chosen = { track, event };
    batch(() => {
      this.selected.value = chosen;
      // Keys and tables go on in the row that one was led to.
      if (show !== 'stay') this.currentRow.value = track;
      this.panel.value = 'details';
      this.uncover(track);
    });
    await this.loadDetails();
    const details = this.selected.value === chosen ? this.ready() : null;
    const place = details && this.placeOf(details);
    if (!place || show === 'stay') return;
    this.rowToShow.value = { track };
    const [from, to] = place;
    this.setView(
      show === 'zoom' ? viewOf(from, to, this.length.value, 1) : reveal(this.view.value, from, to, this.length.value),
    );
  }

  unselect(): void {
    batch(() => {
      this.selected.value = null;
      this.details.value = null;
      this.range.value = null;
      this.emphasis.value = null;
    });
  }

  /** What is known of the selected event. `details` are still those of the one before while these are asked for. */
  ready(): EventDetails | null {
    return this.detailsOf === this.selected.value ? this.details.value : null;
  }

  placeOf(details: EventDetails): [number, number] | null {
    const start = details.event.start;
    const length = details.event.duration;
    if (typeof start !== 'number') return null;
    return [start, typeof length === 'number' && length >= 0 ? start + length : this.length.value];
  }

  /** Opens what hides a row: collapsed branches above it, and its being hidden. */
  uncover(track: number): void {
    const collapsed = new Set(this.collapsed.value);
    const hidden = new Set(this.hidden.value);
    for (
      let at = this.byId.value.get(track);
      at;
      at = at.parent === null ? undefined : this.byId.value.get(at.parent)
    ) {
      if (at.id !== track) collapsed.delete(at.id);
      hidden.delete(at.id);
      if (at.parent === at.id) break;
    }
    if (collapsed.size !== this.collapsed.value.size) this.collapsed.value = collapsed;
    if (hidden.size !== this.hidden.value.size) this.hidden.value = hidden;
  }

  /** The track and all below it; parents come before their children. */
  private below(track: number): Track[] {
    const found = new Set([track]);
    return this.tracks.value.filter((one) => {
      if (one.parent !== null && found.has(one.parent)) found.add(one.id);
      return found.has(one.id);
    });
  }

  /** "python3 > MainThread > NVTX": a row's name alone is rarely enough. */
  pathOf(track: number): string {
    const names: string[] = [];
    for (
      let at = this.byId.value.get(track);
      at && names.length < 8;
      at = at.parent === null ? undefined : this.byId.value.get(at.parent)
    ) {
      names.unshift(at.name || at.kind);
    }
    return names.join(' › ');
  }

  showRow(track: number): void {
    batch(() => {
      this.uncover(track);
      this.currentRow.value = track;
      this.rowToShow.value = { track };
    });
  }

  toggle(which: 'collapsed' | 'hidden' | 'pinned', track: number): void {
    const set = new Set(this[which].value);
    if (!set.delete(track)) set.add(track);
    this[which].value = set;
  }

  /** Makes one row higher or lower, all of them where none is given. */
  resize(factor: number, track: number | null = null): void {
    const within = (value: number, low: number, high: number): number =>
      Math.round(Math.min(high, Math.max(low, value)) * 100) / 100;
    if (track === null) this.rowScale.value = within(this.rowScale.value * factor, 0.4, 3);
    else {
      const height = within((this.heights.value[track] ?? 1) * factor, 0.3, 8);
      const { [track]: _, ...others } = this.heights.value;
      this.heights.value = height === 1 ? others : { ...others, [track]: height };
    }
  }

  mark(names: Iterable<number> | null): void {
    const set = new Set(names ?? []);
    this.emphasis.value = set.size ? set : null;
  }

  setPanelState(key: string, value: string): void {
    this.panelState.value = { ...this.panelState.value, [key]: value };
  }

  /** Failures of single requests are said once, in one line, until something succeeds again. */
  reportTrouble(error: unknown): void {
    this.trouble.value = asApiError(error);
    if (this.trouble.value.status === 404) void this.refresh();
  }

  private async loadDetails(): Promise<void> {
    const selected = this.selected.value;
    this.detailsError.value = null;
    if (!selected) {
      this.details.value = null;
      return;
    }
    try {
      const details = await this.client.event(this.id, selected.track, selected.event);
      await this.names.need([
        details.name,
        ...details.parents.map((parent) => parent.name),
        ...details.links.map((link) => link.name),
      ]);
      if (this.selected.value !== selected) return;
      this.detailsOf = selected;
      this.details.value = details;
    } catch (error) {
      if (this.selected.value !== selected) return;
      this.details.value = null;
      // an old link, or a report that was recorded anew: asking again does not help
      if (error instanceof NotInPage || (error instanceof ApiError && error.status === 404))
        this.detailsError.value = error;
      else this.reportTrouble(error);
    }
  }

  /** Whoever looks is told within this time, however little is asked for. */
  private pollLater(): void {
    if (this.closed) return;
    if (this.poll) clearTimeout(this.poll);
    this.poll = setTimeout(() => {
      if (globalThis.document?.hidden) this.pollLater();
      else void this.refresh();
    }, kPollMs);
  }

  /** An answer was of another version. One that grows changes all the time, and is asked again now and then. */
  private readonly sawVersion = (id: string, version: string): void => {
    if (id !== this.id || version === this.version) return;
    const known = this.version !== '';
    this.version = version;
    if (known && !this.report.value?.growing) void this.refresh();
  };

  /**
   * Asks what the report is now: there may be more of it, damage that was met since, another in its place, or none; a
   * server that was away may be back.
   */
  async refresh(): Promise<void> {
    const before = this.report.value;
    if (this.refreshing || this.closed || !before) return;
    this.refreshing = true;
    try {
      const report = await this.client.report(this.id);
      const wasAway = this.trouble.value !== null || this.standing.value === 'gone';
      this.trouble.value = null;
      if (this.standing.value === 'gone') this.standing.value = 'same';
      if (!this.settled || report.etag !== before.etag) await this.takeNew(report, before);
      else if (JSON.stringify(report) !== JSON.stringify(before)) this.report.value = report;
      if (wasAway) this.arrivals.value++;
    } catch (error) {
      const gone = error instanceof ApiError && error.status === 404;
      if (gone) this.standing.value = 'gone';
      this.trouble.value = gone ? null : asApiError(error);
    }
    this.refreshing = false;
    this.pollLater();
  }

  private async takeNew(report: ReportDetails, before: ReportDetails): Promise<void> {
    const { tracks, settled, notes } = await this.client.tracks(this.id);
    const isNew = report.etag !== before.etag;
    const replaced = isNew && !before.growing;
    this.settled = settled;
    if (replaced) this.names.forget();
    else this.names.forgetIncomplete();
    await this.names.need(tracks.flatMap((track) => track.top.map((top) => top.name)));
    batch(() => {
      const sawAll = this.view.value.to >= (before.length_ns ?? 0) && this.view.value.from <= 0;
      const moved = followTracks(this.tracks.value, tracks);
      if (isNew) this.tiles.clear();
      this.report.value = report;
      this.tracks.value = tracks;
      this.trackNotes.value = notes ?? [];
      if (replaced) {
        // Numbers of rows, events and names mean others now.
        this.standing.value = 'replaced';
        this.restore({ ...kEmptySnapshot, panel: this.panel.value, ruler: this.ruler.value });
      } else {
        if (sawAll) this.view.value = wholeView(this.length.value);
        if (moved) this.follow(moved);
      }
      this.arrivals.value++;
    });
  }

  /** Rows have other numbers now. */
  private follow(moved: ReadonlyMap<number, number>): void {
    const to = (id: number): number[] => {
      const row = moved.get(id);
      return row === undefined ? [] : [row];
    };
    const all = (ids: ReadonlySet<number>): ReadonlySet<number> => new Set([...ids].flatMap(to));
    this.collapsed.value = all(this.collapsed.value);
    this.hidden.value = all(this.hidden.value);
    this.pinned.value = all(this.pinned.value);
    this.heights.value = Object.fromEntries(
      Object.entries(this.heights.value).flatMap(([id, height]) => to(Number(id)).map((row) => [row, height])),
    );
    this.currentRow.value = moved.get(this.currentRow.value ?? -1) ?? null;
    const { selected } = this;
    if (!selected.value) return;
    const track = moved.get(selected.value.track);
    selected.value = track === undefined ? null : { track, event: selected.value.event };
    void this.loadDetails();
  }
}

const asApiError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError('viewer', String(error), 0);

/** Rather one with work in it than the profiler's own. */
function busiest(tracks: readonly Track[]): number | undefined {
  const work = tracks.filter((track) => track.events > 0 && !isCurve(track));
  return work.sort(byWork)[0]?.id;
}

const namesOf = (tile: Tile | null): number[] => (!tile || tile.kind === 'curve' ? [] : [...new Set(tile.name)]);
