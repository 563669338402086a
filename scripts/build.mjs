// `npm run build`: compiles the layers, and bundles the page and the programs if anything that goes into them is newer than the bundle.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLES } from './bundles.mjs';
import { ROOT, step } from './step.mjs';

/** What goes into every bundle. */
const SHARED = ['scripts/bundles.mjs', 'scripts/bundle.mjs', 'package-lock.json'];

function newest(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function isStale({ to, sources }) {
  try {
    const bundled = statSync(join(ROOT, to)).mtimeMs;
    return [...sources, ...SHARED].some((path) => newest(join(ROOT, path)) > bundled);
  } catch {
    return true;
  }
}

await step('Compiling', 'npx', ['--no-install', 'tsc', '-b', 'src/daemon', 'src/cli']);
const { page, ...programs } = BUNDLES;
const stale = Object.keys(programs).filter((name) => isStale(programs[name]));
if (stale.length > 0) await step(`Bundling the ${stale.join(', the ')}`, process.execPath, ['scripts/bundle.mjs', ...stale]);
if (isStale(page)) await step('Bundling the page', 'npx', ['--no-install', 'vite', 'build', '--logLevel', 'warn']);
