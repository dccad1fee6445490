// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The Chromium that tests, pictures and measurements run.
import { existsSync } from 'node:fs';

const kCandidates = [
  process.env.SEXTANT_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Throws where there is none. */
export function chromiumPath() {
  const path = kCandidates.find((candidate) => candidate && existsSync(candidate));
  if (!path) throw new Error('no Chromium: apt-get install chromium, or set SEXTANT_CHROMIUM');
  return path;
}
