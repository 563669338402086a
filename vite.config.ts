import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { iconPng } from './scripts/icon-png.ts';

/** The first browsers with `light-dark()`, which the styles are built on; older targets would have it rewritten. */
const BROWSERS = ['chrome123', 'edge123', 'firefox128', 'safari17.5'];

/** The page's mark in the sizes and shapes that systems want for the icon of an app. Those that fill their square are cut by the system. */
const ICONS = {
  'icon-192.png': { size: 192 },
  'icon-512.png': { size: 512 },
  'icon-maskable-512.png': { size: 512, isFull: true, scale: 0.8 },
  'apple-touch-icon.png': { size: 180, isFull: true, scale: 0.9 },
};

function appIcons(): Plugin {
  return {
    name: 'app-icons',
    apply: 'build',
    generateBundle() {
      const svg = readFileSync(new URL('src/web/public/favicon.svg', import.meta.url), 'utf8');
      for (const [fileName, options] of Object.entries(ICONS)) this.emitFile({ type: 'asset', fileName, source: iconPng(svg, options) });
    },
  };
}

// biome-ignore lint/style/noDefaultExport: vite reads its config from a default export.
export default defineConfig({
  root: fileURLToPath(new URL('src/web', import.meta.url)),
  plugins: [react(), appIcons()],
  build: {
    outDir: fileURLToPath(new URL('dist/web', import.meta.url)),
    emptyOutDir: true,
    target: BROWSERS,
    // The page's policy allows no inline scripts, and data URLs for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licences.md' },
    chunkSizeWarningLimit: 1100, // it comes from this machine; xterm.js is most of it
  },
});
