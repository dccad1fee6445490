// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Cells of tables: their order, and how they leave the page.
import type { Cell } from '../api/types.ts';

export interface Column {
  name: string;
  unit?: string | null;
}

export function compareCells(a: Cell | undefined, b: Cell | undefined): number {
  if (a === b) return 0;
  if (a === null || a === undefined) return -1;
  if (b === null || b === undefined) return 1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b));
}

/** As other programs read it (RFC 4180). */
export function csv(columns: readonly Column[], rows: readonly (readonly Cell[])[]): string {
  const quote = (value: Cell): string => {
    const text = value === null ? '' : typeof value === 'object' ? value.hex : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns.map((column) => column.name), ...rows].map((row) => row.map(quote).join(',')).join('\r\n');
}

export function save(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
