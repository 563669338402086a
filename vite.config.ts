import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The first browsers with `light-dark()`, which the styles are built on; older targets would have it rewritten. */
const BROWSERS = ['chrome123', 'edge123', 'firefox128', 'safari17.5'];

// biome-ignore lint/style/noDefaultExport: vite reads its config from a default export.
export default defineConfig({
  root: fileURLToPath(new URL('src/web', import.meta.url)),
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('dist/web', import.meta.url)),
    emptyOutDir: true,
    target: BROWSERS,
    // The page's policy allows no inline scripts, and data URLs for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1100, // it comes from this machine; xterm.js is most of it
  },
});
