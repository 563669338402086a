// `npm run build`: compiles the layers, and bundles the page and the reporter if anything that goes into them is newer than the bundle.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, step } from './step.mjs';

const PAGE = join(ROOT, 'dist/web/index.html');
const INTO_PAGE = ['src/web', 'src/client', 'src/protocol', 'vite.config.ts', 'scripts/icon-png.ts', 'package-lock.json'];
const REPORTER = join(ROOT, 'dist/cli/hook.cjs');
const INTO_REPORTER = ['src/cli/hook', 'scripts/bundle-hook.mjs', 'package-lock.json'];

function newest(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function isStale(bundle, sources) {
  try {
    const bundled = statSync(bundle).mtimeMs;
    return sources.some((path) => newest(join(ROOT, path)) > bundled);
  } catch {
    return true;
  }
}

await step('Compiling', 'npx', ['--no-install', 'tsc', '-b', 'src/daemon', 'src/cli']);
if (isStale(REPORTER, INTO_REPORTER)) await step('Bundling the reporter', process.execPath, ['scripts/bundle-hook.mjs']);
if (isStale(PAGE, INTO_PAGE)) await step('Bundling the page', 'npx', ['--no-install', 'vite', 'build', '--logLevel', 'warn']);
