// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Refuses a bundle that grew over its budget; prints what it weighs.
import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const kBudget = 150 * 1000;
const folder = new URL('../dist/', import.meta.url);
let total = 0;
for (const name of readdirSync(folder, { recursive: true })) {
  if (!/\.(js|css|html|svg)$/.test(name)) continue;
  total += gzipSync(readFileSync(new URL(name, folder)), { level: 9 }).length;
}
console.log(`web bundle: ${(total / 1000).toFixed(1)} kB gzip of ${kBudget / 1000} kB`);
if (total > kBudget) process.exit(1);
