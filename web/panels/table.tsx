// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// A plain table of cells: numbers at the right, units in the cells, a click on a heading sorts it here.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Cell } from '../api/types.ts';
import { texts } from '../model/text.ts';
import { count, withUnit } from '../model/units.ts';
import { type Column, compareCells } from './csv.ts';

/** Rows are elements: a browser is slow with very many of them. */
const kFirstRows = 200;
const kMoreRows = 1000;

interface TableProps {
  columns: readonly Column[];
  rows: readonly (readonly Cell[])[];
  /** Another form for a cell; undefined: the usual one. */
  cell?: (value: Cell, row: number, column: number) => ComponentChildren | undefined;
  label: string;
  sortable?: boolean;
}

export function Table({ columns, rows, cell, label, sortable = true }: TableProps) {
  const sort = useSignal<{ column: number; down: boolean } | null>(null);
  const order = rows.map((_, i) => i);
  const shown = useSignal(kFirstRows);
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
                {sortable ? (
                  <button onClick={() => click(i)}>
                    {column.name}
                    {by?.column === i ? (by.down ? ' ↓' : ' ↑') : ''}
                  </button>
                ) : (
                  column.name
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {order.slice(0, shown.value).map((row) => (
            <tr key={row}>
              {columns.map((column, i) => {
                const value = rows[row]?.[i] ?? null;
                return (
                  <td key={column.name} class={typeof value === 'number' ? 'number' : ''}>
                    {cell?.(value, row, i) ?? withUnit(value, column.unit)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {order.length > shown.value && (
        <button
          onClick={() => {
            shown.value += kMoreRows;
          }}
        >
          {texts().showMore(count(shown.value), count(order.length))}
        </button>
      )}
    </div>
  );
}
