// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// A scroll bar for lists of any length.

/** Height of a row in pixels. */
export const kRow = 22;
/** Browsers refuse higher elements; beyond it the scroll bar moves more than a row a pixel. */
export const kMaxHeight = 8e6;
/** Which row is at the top of the list, for a place of the scroll bar. */
export function firstRow(scrollTop: number, total: number, viewport: number): number {
  const height = Math.min(total * kRow, kMaxHeight);
  const fitting = Math.max(1, Math.floor(viewport / kRow));
  if (height <= viewport) return 0;
  return Math.min(
    Math.max(0, total - fitting),
    Math.round((scrollTop / (height - viewport)) * Math.max(0, total - fitting)),
  );
}
