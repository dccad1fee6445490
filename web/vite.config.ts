// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from 'vite';

// Everything is one script and one style sheet: the server's content security policy allows nothing inline.
export default defineConfig({
  base: './',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    target: 'es2021',
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
    rollupOptions: { output: { entryFileNames: 'assets/viewer.js', assetFileNames: 'assets/viewer[extname]' } },
  },
});
