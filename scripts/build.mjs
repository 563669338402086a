// `npm run build`: compiles the layers, and bundles the page if anything that goes into it is newer than the bundle.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, step } from './step.mjs';

const PAGE = join(ROOT, 'dist/web/index.html');
const INTO_PAGE = ['src/web', 'src/client', 'src/protocol', 'vite.config.ts', 'package-lock.json'];

function newest(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function isStale() {
  try {
    const bundled = statSync(PAGE).mtimeMs;
    return INTO_PAGE.some((path) => newest(join(ROOT, path)) > bundled);
  } catch {
    return true;
  }
}

await step('Compiling', 'npx', ['--no-install', 'tsc', '-b', 'src/daemon', 'src/cli']);
if (isStale()) await step('Bundling the page', 'npx', ['--no-install', 'vite', 'build', '--logLevel', 'warn']);
