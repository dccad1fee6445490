// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0

/** Whoever served one file wants to see that file, not a list of one. A folder may get more. */
export function onlyOne(served: { reports: readonly { id: string }[]; folders: readonly string[] }): string | null {
  return served.folders.length === 0 && served.reports.length === 1 ? (served.reports[0]?.id ?? null) : null;
}
