import type { Texts } from '../model/text/en.ts';
// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What keys do on the page of a report. One table: the handler and the list that `?` shows are made from it.
import { pan, viewOf, wholeView, zoomAt } from '../model/time_view.ts';
import type { Viewer } from '../model/viewer.ts';
import { kPanels } from '../panels/registry.ts';
import type { Navigation } from './navigation.ts';

export interface Context {
  viewer: Viewer;
  navigation: Navigation;
  openHelp: () => void;
  /** Of reports beside each other, the next one becomes the active one. */
  nextReport: () => void;
}

export interface Shortcut {
  /** As KeyboardEvent.key, lower case for letters. */
  keys: readonly string[];
  /** How the list shows it. */
  shown: string;
  text: keyof Texts;
  run: (context: Context, key: string) => void;
}

const kResizeStep = 1.25;
const kZoomStep = 1.5;
const kPanStep = 0.2;

function zoom(viewer: Viewer, factor: number): void {
  viewer.setView(zoomAt(viewer.view.value, 0.5, factor, viewer.length.value));
}

function zoomToSelection(viewer: Viewer): void {
  const { range } = viewer;
  const details = viewer.ready();
  const place = range.value ? ([range.value.from, range.value.to] as const) : details && viewer.placeOf(details);
  if (place) viewer.setView(viewOf(place[0], place[1], viewer.length.value, range.value ? 0.05 : 1));
}

function neighbour(viewer: Viewer, which: 'previous' | 'next'): void {
  const event = viewer.ready()?.[which];
  const selected = viewer.selected.value;
  if (selected && event !== null && event !== undefined) void viewer.select(selected.track, String(event), 'reveal');
}

function moveRow(viewer: Viewer, step: number): void {
  const ids = viewer.rows.value.flatMap((row) => (row.kind === 'track' ? [row.node.track.id] : []));
  const at = ids.indexOf(viewer.currentRow.value ?? -1);
  const next = ids[Math.min(ids.length - 1, Math.max(0, at + step))];
  if (next !== undefined) viewer.showRow(next);
}

function onRow(viewer: Viewer, which: 'collapsed' | 'pinned' | 'hidden'): void {
  if (viewer.currentRow.value !== null) viewer.toggle(which, viewer.currentRow.value);
}

function resizeRow(viewer: Viewer, factor: number): void {
  if (viewer.currentRow.value !== null) viewer.resize(factor, viewer.currentRow.value);
}

function openPanel(viewer: Viewer, id: string): void {
  viewer.panel.value = id;
}

function openNotes(viewer: Viewer): void {
  openPanel(viewer, 'notes');
  // The field is there when the page has been drawn anew.
  requestAnimationFrame(() => requestAnimationFrame(() => focus('#note')));
}

/** The time of the selected event, or what is visible. */
function selectTime(viewer: Viewer): void {
  const details = viewer.ready();
  const place = details && viewer.placeOf(details);
  const { from, to } = viewer.view.value;
  const [a, b] = place ?? [Math.max(0, from), Math.min(viewer.length.value, to)];
  viewer.range.value = { from: Math.round(a), to: Math.max(Math.round(b), Math.round(a) + 1) };
}

function moveRangeEnd(viewer: Viewer, direction: number): void {
  const range = viewer.range.value;
  if (!range) return selectTime(viewer);
  const step = Math.max(1, Math.round((viewer.view.value.to - viewer.view.value.from) / 100));
  const to = Math.min(viewer.length.value, Math.max(range.from + 1, range.to + direction * step));
  viewer.range.value = { from: range.from, to };
}

function nextRuler(viewer: Viewer): void {
  const modes = ['absolute', 'relative', 'utc'] as const;
  viewer.ruler.value = modes[(modes.indexOf(viewer.ruler.value) + 1) % modes.length] ?? 'absolute';
}

/** With two reports beside each other, in the one that is active. */
function focus(selector: string): void {
  const input = document.querySelector(`.stage.active ${selector}`) ?? document.querySelector(selector);
  if (input instanceof HTMLInputElement) {
    input.focus();
    input.select();
  }
}

export const kShortcuts: readonly Shortcut[] = [
  { keys: ['w', '+', '='], shown: 'W +', text: 'keyZoomIn', run: ({ viewer }) => zoom(viewer, kZoomStep) },
  { keys: ['s', '-'], shown: 'S -', text: 'keyZoomOut', run: ({ viewer }) => zoom(viewer, 1 / kZoomStep) },
  {
    keys: ['a', 'ArrowLeft'],
    shown: 'A ←',
    text: 'keyLeft',
    run: ({ viewer }) => viewer.setView(pan(viewer.view.value, -kPanStep, viewer.length.value)),
  },
  {
    keys: ['d', 'ArrowRight'],
    shown: 'D →',
    text: 'keyRight',
    run: ({ viewer }) => viewer.setView(pan(viewer.view.value, kPanStep, viewer.length.value)),
  },
  {
    keys: ['Home', '0'],
    shown: 'Home 0',
    text: 'keyWhole',
    run: ({ viewer }) => viewer.setView(wholeView(viewer.length.value)),
  },
  { keys: ['z'], shown: 'Z', text: 'keyZoomTo', run: ({ viewer }) => zoomToSelection(viewer) },
  { keys: ['Backspace'], shown: 'Backspace', text: 'keyBack', run: ({ navigation }) => navigation.back() },
  {
    keys: ['Shift+Backspace'],
    shown: 'Shift+Backspace',
    text: 'keyForward',
    run: ({ navigation }) => navigation.forward(),
  },
  { keys: ['.', 'n'], shown: '. N', text: 'keyNext', run: ({ viewer }) => neighbour(viewer, 'next') },
  { keys: [',', 'p'], shown: ', P', text: 'keyPrevious', run: ({ viewer }) => neighbour(viewer, 'previous') },
  {
    keys: ['l'],
    shown: 'L',
    text: 'keyLink',
    run: ({ viewer }) => {
      const link = viewer.ready()?.links[0];
      if (link) void viewer.select(link.track, String(link.event), 'reveal');
    },
  },
  {
    keys: ['m'],
    shown: 'M',
    text: 'keyMark',
    run: ({ viewer }) => {
      const name = viewer.ready()?.name;
      viewer.mark(viewer.emphasis.value || name === undefined ? null : [name]);
    },
  },
  { keys: ['ArrowUp', 'k'], shown: '↑ K', text: 'keyUp', run: ({ viewer }) => moveRow(viewer, -1) },
  { keys: ['ArrowDown', 'j'], shown: '↓ J', text: 'keyDown', run: ({ viewer }) => moveRow(viewer, 1) },
  { keys: ['Enter', 'c'], shown: 'Enter C', text: 'keyCollapse', run: ({ viewer }) => onRow(viewer, 'collapsed') },
  { keys: ['i'], shown: 'I', text: 'keyPin', run: ({ viewer }) => onRow(viewer, 'pinned') },
  { keys: ['h'], shown: 'H', text: 'keyHide', run: ({ viewer }) => onRow(viewer, 'hidden') },
  {
    keys: ['e'],
    shown: 'E',
    text: 'keyEvents',
    run: ({ viewer }) => openPanel(viewer, 'events'),
  },
  {
    keys: [']'],
    shown: ']',
    text: 'keyTaller',
    run: ({ viewer }) => viewer.resize(kResizeStep),
  },
  {
    keys: ['['],
    shown: '[',
    text: 'keyFlatter',
    run: ({ viewer }) => viewer.resize(1 / kResizeStep),
  },
  { keys: ['}'], shown: '}', text: 'keyRowTaller', run: ({ viewer }) => resizeRow(viewer, kResizeStep) },
  { keys: ['{'], shown: '{', text: 'keyRowFlatter', run: ({ viewer }) => resizeRow(viewer, 1 / kResizeStep) },
  { keys: ['r'], shown: 'R', text: 'keyRange', run: ({ viewer }) => selectTime(viewer) },
  {
    keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'],
    shown: 'Shift+← Shift+→',
    text: 'keyRangeEnd',
    run: ({ viewer }, key) => moveRangeEnd(viewer, key.endsWith('Left') ? -1 : 1),
  },
  { keys: ['b'], shown: 'B', text: 'keyNote', run: ({ viewer }) => openNotes(viewer) },
  { keys: ['g'], shown: 'G', text: 'keyLegend', run: ({ viewer }) => openPanel(viewer, 'legend') },
  { keys: ['t'], shown: 'T', text: 'keyRuler', run: ({ viewer }) => nextRuler(viewer) },
  { keys: ['o'], shown: 'O', text: 'keyNextReport', run: ({ nextReport }) => nextReport() },
  { keys: ['/'], shown: '/', text: 'keySearch', run: () => focus('#search') },
  { keys: ['f'], shown: 'F', text: 'keyFilter', run: () => focus('.row-filter') },
  {
    keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    shown: '1…9',
    text: 'keyPanels',
    run: ({ viewer }, key) => {
      const panel = kPanels[Number(key) - 1];
      if (panel) viewer.panel.value = panel.id;
    },
  },
  { keys: ['Escape'], shown: 'Esc', text: 'keyEscape', run: ({ viewer }) => viewer.unselect() },
  { keys: ['?'], shown: '?', text: 'keyHelp', run: ({ openHelp }) => openHelp() },
];

const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable);

export function runShortcut(event: KeyboardEvent, context: Context): void {
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    event.defaultPrevented ||
    document.querySelector('dialog[open]')
  )
    return;
  if (takesText(event.target)) {
    if (event.key === 'Escape') (event.target as HTMLElement).blur();
    return;
  }
  // Enter and the space bar belong to the button that has the focus.
  if (event.target instanceof HTMLButtonElement && (event.key === 'Enter' || event.key === ' ')) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.shiftKey ? `Shift+${event.key}` : event.key;
  const shortcut = kShortcuts.find((entry) => entry.keys.includes(key));
  if (!shortcut) return;
  event.preventDefault();
  shortcut.run(context, key);
}
