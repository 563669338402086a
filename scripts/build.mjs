// `npm run build`: compiles the layers, and bundles the page and the programs if anything that goes into them is newer than the bundle.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { BUNDLES } from './bundles.mjs';
import { ROOT, step } from './step.mjs';

/** What goes into every bundle. */
const SHARED = ['scripts/bundles.mjs', 'scripts/bundle.mjs', 'scripts/keep-compiled.mjs', 'scripts/keep-compiled.cjs', 'package-lock.json'];

function newest(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** This very Node has compiled it. */
function isCompiled(bundle) {
  const { compiledBefore, nameOf } = createRequire(import.meta.url)('../dist/launch/compiled-code.cjs');
  return compiledBefore(join(bundle, '..'), nameOf(readFileSync(bundle, 'latin1'))) !== undefined;
}

function isStale({ to, sources, isKept = false }) {
  const bundle = join(ROOT, to);
  try {
    const bundled = statSync(bundle).mtimeMs;
    return [...sources, ...SHARED].some((path) => newest(join(ROOT, path)) > bundled) || (isKept && !isCompiled(bundle));
  } catch {
    return true;
  }
}

await step('Compiling', 'npx', ['--no-install', 'tsc', '-b', 'src/daemon', 'src/cli', 'src/launch']);
const { page, ...programs } = BUNDLES;
const stale = Object.keys(programs).filter((name) => isStale(programs[name]));
if (stale.length > 0) await step(`Bundling the ${stale.join(', the ')}`, process.execPath, ['scripts/bundle.mjs', ...stale]);
if (isStale(page)) await step('Bundling the page', 'npx', ['--no-install', 'vite', 'build', '--logLevel', 'warn']);
