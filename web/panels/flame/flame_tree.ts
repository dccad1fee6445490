// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Stacks merged into a tree by their frames, outermost first.
import type { Stacks } from '../../api/types.ts';

export interface Flame {
  name: string;
  weight: number;
  children: Flame[];
}

export interface PlacedFlame {
  flame: Flame;
  left: number;
  width: number;
  depth: number;
  /** Names from the one that all boxes are in to this one. */
  path: string[];
}

export function buildFlame(stacks: Stacks): Flame {
  const root: Flame = { name: '', weight: 0, children: [] };
  const index = new Map<Flame, Map<number, Flame>>();
  for (const [frames, weight] of stacks.stacks) {
    let at = root;
    at.weight += weight;
    for (const frame of frames) {
      const children = index.get(at) ?? new Map<number, Flame>();
      index.set(at, children);
      let child = children.get(frame);
      if (!child) {
        child = { name: stacks.frames[frame] ?? '?', weight: 0, children: [] };
        children.set(frame, child);
        at.children.push(child);
      }
      child.weight += weight;
      at = child;
    }
  }
  return root;
}

/** The box that is reached by these names from the root; undefined: it is not in this time. */
export function at(root: Flame, path: readonly string[]): Flame | undefined {
  let found: Flame | undefined = root;
  for (const name of path) found = found?.children.find((child) => child.name === name);
  return found;
}

/** Narrower boxes, in shares of the width, are left out. */
export const kLeastWidth = 0.002;

export function visibleFlames(root: Flame, least = kLeastWidth): PlacedFlame[] {
  const placed: PlacedFlame[] = [];
  const walk = (flame: Flame, left: number, depth: number, path: string[]): void => {
    const width = flame.weight / root.weight;
    if (width < least) return;
    const here = flame.name === '' ? path : [...path, flame.name];
    if (flame.name !== '') placed.push({ flame, left, width, depth, path: here });
    let at = left;
    for (const child of [...flame.children].sort((a, b) => b.weight - a.weight)) {
      walk(child, at, flame.name === '' ? depth : depth + 1, here);
      at += child.weight / root.weight;
    }
  };
  walk(root, 0, 0, []);
  return placed;
}
