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
    // The server lets browsers keep assets/ for ever: their names must change with their content.
    rollupOptions: {
      output: { entryFileNames: 'assets/viewer-[hash].js', assetFileNames: 'assets/viewer-[hash][extname]' },
    },
  },
});
