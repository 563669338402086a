import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, step } from './step.mjs';

function readJson(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

/**
 * True when node_modules holds what package-lock.json asks for. npm writes its own copy of the lock as the last thing an install does,
 * so an install that was cut off does not count. Contents are compared, not times: a checkout of another branch changes times only.
 * Packages for other platforms are optional and may be absent.
 */
function isInstalled() {
  let installed;
  try {
    installed = readJson('node_modules/.package-lock.json').packages;
  } catch {
    return false;
  }
  return Object.entries(readJson('package-lock.json').packages).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed[path];
    if (found === undefined) return wanted.optional === true || wanted.devOptional === true;
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

function refuseOldNode() {
  const wanted = /(\d+)\.(\d+)/.exec(readJson('package.json').engines.node).slice(1).map(Number);
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > wanted[0] || (major === wanted[0] && minor >= wanted[1])) return;
  console.error(`Maestro needs Node ${wanted.join('.')} or newer; this is ${process.versions.node} (${process.execPath}).`);
  process.exit(1);
}

/** Brings node_modules in line with package-lock.json; does nothing when it is. */
export async function install() {
  refuseOldNode();
  if (isInstalled()) return;
  // The build needs the development packages, also where NODE_ENV=production would leave them out.
  await step('Installing npm packages', 'npm', ['ci', '--include=dev', '--no-audit', '--no-fund']);
}
