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

const ENTRY = fileURLToPath(new URL('src/web/main.tsx', import.meta.url));

/** What is asked of the graph of modules. */
interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

let firstLoad: Set<string> | undefined;

/**
 * Whether the page cannot begin without a module. All of these make one file: in the many small ones that would be shared with what comes
 * late they pack worse, and each is a request.
 */
function isFirst(id: string, graph: Graph): boolean {
  firstLoad ??= neededBy(ENTRY, graph);
  return firstLoad.has(id);
}

function neededBy(entry: string, graph: Graph): Set<string> {
  const found = new Set([entry]);
  // What is added to a set while it is gone through is gone through as well.
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
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
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ debugName: 'page', name: (id, graph) => (isFirst(id, graph) ? 'page' : null) }] } },
    },
    chunkSizeWarningLimit: 1100, // it comes from this machine
  },
});
