// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Words that people put on reports. The server keeps them for everybody where it was told to; else this browser does.
import { signal } from '@preact/signals';
import type { Client } from '../../api/client.ts';
import type { Report } from '../../api/types.ts';

const kKey = 'sextant-tags';
const kMostTags = 20;

function stored(): Record<string, string[]> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(kKey) ?? '{}');
    return found && typeof found === 'object' ? (found as Record<string, string[]>) : {};
  } catch {
    return {};
  }
}

const own = signal<Record<string, string[]>>(stored());

/** One word each, so that a filter can name them. */
export const cleanTag = (text: string): string =>
  text
    .trim()
    .replace(/^#+/, '')
    .replace(/[\s,#]+/g, '-')
    .slice(0, 40);

export const tagsOf = (report: Report, byServer: boolean): string[] =>
  (byServer ? report.tags : own.value[report.path]) ?? [];

export async function putTags(client: Client, report: Report, byServer: boolean, tags: string[]): Promise<void> {
  const kept = [...new Set(tags.map(cleanTag).filter(Boolean))].slice(0, kMostTags);
  if (byServer) {
    await client.setTags(report.id, kept);
    return;
  }
  const { [report.path]: _, ...others } = own.value;
  own.value = kept.length ? { ...others, [report.path]: kept } : others;
  try {
    localStorage.setItem(kKey, JSON.stringify(own.value));
  } catch {
    // Private windows have no storage: the tags then last as long as the page.
  }
}
