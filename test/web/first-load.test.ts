import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const BUILT = join(import.meta.dirname, '../../dist/web');

/** What a first visit may fetch before the page can be used, in bytes as they go over the wire. */
const BUDGET = 300_000;

/** Modules that a script needs before it runs: not those that it fetches when they are wanted. */
function importsOf(script: string): string[] {
  const statements = script.matchAll(/(?:import|export)\s*(?:[\w$*{},\s]+?\s*from\s*)?"\.\/([\w.-]+\.js)"/g);
  return [...statements].map(([, name = '']) => name);
}

function firstLoad(): Map<string, number> {
  const html = readFileSync(join(BUILT, 'index.html'), 'utf8');
  const wanted = [...html.matchAll(/(?:src|href)="\/((?:assets\/)?[\w.-]+\.(?:js|css))"/g)].map(([, path = '']) => path);
  const sizes = new Map([['index.html', gzipSync(html).length]]);
  for (let path = wanted.pop(); path !== undefined; path = wanted.pop()) {
    if (sizes.has(path)) continue;
    const bytes = readFileSync(join(BUILT, path));
    sizes.set(path, gzipSync(bytes).length);
    if (path.endsWith('.js')) wanted.push(...importsOf(bytes.toString()).map((name) => `assets/${name}`));
  }
  return sizes;
}

test('a first visit stays within its budget, and neither the WebGL renderer nor grammars nor the wall are part of it', () => {
  const sizes = firstLoad();
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  expect(total, JSON.stringify(Object.fromEntries(sizes))).toBeLessThanOrEqual(BUDGET);
  expect(total).toBeGreaterThan(BUDGET / 4);
  expect([...sizes.keys()].filter((path) => /webgl|grammars|wall|changes-panel|palette-list/.test(path))).toEqual([]);
});
