import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const BUILT = join(import.meta.dirname, '../../dist/web');

/** What may be fetched before the list of sessions can be used, and before a session's terminal is there, in bytes as they go over the wire. */
const LIST_BUDGET = 190_000;
const TERMINAL_BUDGET = 300_000;

/** What only xterm.js has. */
const XTERM = 'xterm-char-measure-element';

/** Modules that a script needs before it runs: not those that it fetches when they are wanted. */
function importsOf(script: string): string[] {
  const statements = script.matchAll(/(?:import|export)\s*(?:[\w$*{},\s]+?\s*from\s*)?"\.\/([\w.-]+\.js)"/g);
  return [...statements].map(([, name = '']) => name);
}

/** What these files need, themselves included, with the size of each. */
function neededBy(paths: readonly string[]): Map<string, number> {
  const wanted = [...paths];
  const sizes = new Map<string, number>();
  for (let path = wanted.pop(); path !== undefined; path = wanted.pop()) {
    if (sizes.has(path)) continue;
    const bytes = readFileSync(join(BUILT, path));
    sizes.set(path, gzipSync(bytes).length);
    if (path.endsWith('.js')) wanted.push(...importsOf(bytes.toString()).map((name) => `assets/${name}`));
  }
  return sizes;
}

function firstLoad(): string[] {
  const html = readFileSync(join(BUILT, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\/((?:assets\/)?[\w.-]+\.(?:js|css))"/g)].map(([, path = '']) => path);
  return ['index.html', ...named];
}

/** The script that is fetched late under this name. */
function late(name: (typeof LATE)[number]): string {
  const found = readdirSync(join(BUILT, 'assets')).filter((file) => file.startsWith(`${name}-`) && file.endsWith('.js'));
  expect(found, name).toHaveLength(1);
  return `assets/${found[0]}`;
}

const total = (sizes: Map<string, number>) => [...sizes.values()].reduce((sum, size) => sum + size, 0);
const told = (sizes: Map<string, number>) => JSON.stringify(Object.fromEntries(sizes));
const hasXterm = (sizes: Map<string, number>) =>
  [...sizes.keys()].filter((path) => path.endsWith('.js') && readFileSync(join(BUILT, path), 'utf8').includes(XTERM));

const LATE = [
  'session-terminal',
  'output-panel',
  'wall-page',
  'changes-panel',
  'grammars',
  'opened-dialog',
  'palette-list',
  'addon-webgl',
] as const;

test('the list of sessions comes within its budget, and no terminal, change, grammar, dialog of the page nor the wall is part of it', () => {
  const sizes = neededBy(firstLoad());
  expect(total(sizes), told(sizes)).toBeLessThanOrEqual(LIST_BUDGET);
  expect(total(sizes)).toBeGreaterThan(LIST_BUDGET / 4);
  // Each has a file of its own, so that it is not in one of the first.
  for (const name of LATE) expect([...sizes.keys()]).not.toContain(late(name));
  expect(hasXterm(sizes)).toEqual([]);
});

test('a session’s terminal, or its stored output, comes within the budget of both together, and nothing of the rest with it', () => {
  for (const name of ['session-terminal', 'output-panel'] as const) {
    const sizes = neededBy([...firstLoad(), late(name)]);
    expect(total(sizes), told(sizes)).toBeLessThanOrEqual(TERMINAL_BUDGET);
    expect(hasXterm(sizes)).toHaveLength(1);
    for (const other of LATE.filter((one) => one !== name)) expect([...sizes.keys()]).not.toContain(late(other));
  }
});
