// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What a viewer makes of a report that is not the same any more.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, type Client } from '../api/client.ts';
import type { ReportDetails, Track } from '../api/types.ts';
import { kEmptySnapshot } from './snapshot.ts';
import { Viewer } from './viewer.ts';

const track = (id: number, parent: number | null, kind: string, name: string): Track => ({
  ...{ id, parent, kind, name, events: 5, busy_ns: 1, first_ns: 900, last_ns: 950, rows: 1 },
  ...{ unit: null, top: [], lost: [] },
});
const kThread = [track(0, null, 'process', 'app [7]'), track(1, 0, 'nvtx', 'NVTX')];
const damage = { process: 0, count: 0, first_ns: null, last_ns: null, code: 'damage', text: 'damaged' };

/** Answers what the test says. */
class Served {
  report = { id: 'r', etag: 'a', growing: false, length_ns: 1000, diagnostics: [] } as unknown as ReportDetails;
  tracks = kThread;
  gone = false;
  readonly watchers: Client['watchers'] = new Set();
  readonly client = {
    watchers: this.watchers,
    selfContained: false,
    report: async () => {
      if (this.gone) throw new ApiError('not_found', 'r.sxt is gone', 404);
      return { ...this.report };
    },
    tracks: async () => ({ settled: true, tracks: this.tracks }),
    names: async () => [],
    range: async () => [],
    event: async () => ({ name: 0, parents: [], links: [], event: {} }),
  } as unknown as Client;

  answered(version: string): void {
    for (const watch of this.watchers) watch('r', version);
  }
}

let served: Served;
let viewer: Viewer;
const opened = async (snapshot = kEmptySnapshot): Promise<void> => {
  viewer = new Viewer(served.client, 'r');
  await viewer.open(snapshot);
};
const later = (): Promise<unknown> => vi.advanceTimersByTimeAsync(3500);

beforeEach(() => {
  vi.useFakeTimers();
  served = new Served();
  return () => {
    viewer.close();
    vi.useRealTimers();
  };
});

describe('a viewer', () => {
  it('shows the whole run at first, and what a link says', async () => {
    await opened();
    expect(viewer.view.value).toEqual({ from: 0, to: 1000 });
    viewer.close();
    await opened({ ...kEmptySnapshot, view: { from: 100, to: 200 } });
    expect(viewer.view.value).toEqual({ from: 100, to: 200 });
  });

  it('tells damage as soon as an answer has another version', async () => {
    await opened();
    served.answered('"a"');
    served.report = { ...served.report, diagnostics: [damage] };
    served.answered('"a-1"');
    await vi.advanceTimersByTimeAsync(0);
    expect(viewer.report.value?.diagnostics).toEqual([damage]);
    expect(viewer.standing.value).toBe('same');
  });

  it('says that its report is gone, and that it is back', async () => {
    await opened();
    served.gone = true;
    await later();
    expect([viewer.standing.value, viewer.trouble.value]).toEqual(['gone', null]);
    served.gone = false;
    await later();
    expect(viewer.standing.value).toBe('same');
  });

  it('begins anew with another report in the place of its own', async () => {
    await opened({ ...kEmptySnapshot, view: { from: 100, to: 200 }, selected: { track: 1, event: '5' }, hidden: [1] });
    served.report = { ...served.report, etag: 'b', length_ns: 50 };
    await later();
    expect(viewer.standing.value).toBe('replaced');
    expect(viewer.view.value).toEqual({ from: 0, to: 50 });
    expect([viewer.selected.value, viewer.hidden.value.size]).toEqual([null, 0]);
  });

  it('follows rows and the whole run of a report that grows', async () => {
    served.report = { ...served.report, growing: true };
    await opened({ ...kEmptySnapshot, selected: { track: 1, event: '5' }, pinned: [1], heights: { 1: 2 }, row: 1 });
    served.tracks = [
      track(0, null, 'device', 'GPU 0'),
      track(1, null, 'process', 'app [7]'),
      track(2, 1, 'nvtx', 'NVTX'),
    ];
    served.report = { ...served.report, etag: 'b', length_ns: 2000 };
    await later();
    expect(viewer.standing.value).toBe('same');
    expect(viewer.view.value).toEqual({ from: 0, to: 2000 });
    expect(viewer.selected.value).toEqual({ track: 2, event: '5' });
    expect([[...viewer.pinned.value], viewer.heights.value, viewer.currentRow.value]).toEqual([[2], { 2: 2 }, 2]);
    served.report = { ...served.report, etag: 'c', growing: false };
    await later();
    expect(viewer.standing.value).toBe('same');
  });

  it('asks nothing more once it is closed', async () => {
    await opened();
    viewer.close();
    served.gone = true;
    await later();
    expect([viewer.standing.value, served.watchers.size]).toEqual(['same', 0]);
  });

  it('knows nothing of an event that was just chosen, whatever is still known of the one before', async () => {
    await opened();
    const waiting: ((details: unknown) => void)[] = [];
    (served.client as { event: unknown }).event = () => new Promise((done) => waiting.push(done));
    const answer = (i: number, start: number): void =>
      waiting[i]?.({ name: 0, parents: [], links: [], next: start, event: { start, duration: 1 } });
    viewer.showRow(0);
    const first = viewer.select(1, '11', 'reveal');
    expect(viewer.currentRow.value).toBe(1);
    answer(0, 500);
    await first;
    expect(viewer.ready()?.next).toBe(500);
    const second = viewer.select(1, '12', 'zoom');
    expect(viewer.ready()).toBeNull();
    const third = viewer.select(1, '13', 'stay');
    const view = viewer.view.value;
    answer(1, 700);
    await second;
    expect([viewer.ready(), viewer.view.value]).toEqual([null, view]);
    answer(2, 900);
    await third;
    expect(viewer.ready()?.next).toBe(900);
  });
});
