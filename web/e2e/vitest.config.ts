// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from 'vitest/config';

/** `journeys`: the short ones; `full`: the long ones; nothing: all. */
const kind = process.env.SEXTANT_JOURNEYS;
const include = kind === 'journeys' ? ['e2e/*.e2e.ts'] : kind === 'full' ? ['e2e/full/*.e2e.ts'] : ['e2e/**/*.e2e.ts'];

// One browser at a time, and patience: machines that run tests are busy.
export default defineConfig({
  test: {
    include,
    environment: 'node',
    testTimeout: 240000,
    hookTimeout: 120000,
    fileParallelism: false,
  },
});
