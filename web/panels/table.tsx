// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// A plain table of cells: numbers at the right, units in the cells, a click on a heading sorts it here.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Cell } from '../api/types.ts';
import { withUnit } from '../model/units.ts';

export interface Column {
  name: string;
  unit?: string | null;
}

interface TableProps {
  columns: readonly Column[];
  rows: readonly (readonly Cell[])[];
  /** Another form for a cell; undefined: the usual one. */
  cell?: (value: Cell, row: number, column: number) => ComponentChildren | undefined;
  label: string;
  sortable?: boolean;
}

export function compareCells(a: Cell | undefined, b: Cell | undefined): number {
  if (a === b) return 0;
  if (a === null || a === undefined) return -1;
  if (b === null || b === undefined) return 1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b));
}

export function Table({ columns, rows, cell, label, sortable = true }: TableProps) {
  const sort = useSignal<{ column: number; down: boolean } | null>(null);
  const order = rows.map((_, i) => i);
  const by = sort.value;
  if (by) order.sort((a, b) => (by.down ? -1 : 1) * compareCells(rows[a]?.[by.column], rows[b]?.[by.column]));
  const click = (column: number): void => {
    sort.value = by?.column === column ? (by.down ? { column, down: false } : null) : { column, down: true };
  };
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column, i) => (
              <th key={column.name} aria-sort={by?.column === i ? (by.down ? 'descending' : 'ascending') : undefined}>
                {sortable ? <button onClick={() => click(i)}>{column.name}{by?.column === i ? (by.down ? ' ↓' : ' ↑') : ''}</button> : column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {order.map((row) => (
            <tr key={row}>
              {columns.map((column, i) => {
                const value = rows[row]?.[i] ?? null;
                return <td key={column.name} class={typeof value === 'number' ? 'number' : ''}>{cell?.(value, row, i) ?? withUnit(value, column.unit)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
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
