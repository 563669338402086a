// Keeps the `Tests:` lines of docs/CONTRACT.md: which test files cite a behaviour. `--check` only compares, and fails when they differ.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './step.mjs';

const CONTRACT = join(ROOT, 'docs/CONTRACT.md');

/** A heading such as `### R7: …`, what follows it, and its `Tests:` line. */
const ENTRY = /^(### ([A-Z]\d{1,2}): [\s\S]*?^Tests: ).*$/gm;

/**
 * How a test cites: ids in front of its title (`'R6, R7: a kill wins'`), in brackets (`(R7)`), or as the whole title of a group of tests.
 * A bare `C1` may be a control character.
 */
const IDS = String.raw`([A-Z]\d{1,2}(?:(?:, and |, | and |\/)[A-Z]\d{1,2})*)`;
const CITATION = new RegExp(String.raw`['"\x60(]${IDS}(?=[:)])|describe\(['"\x60]${IDS}(?=['"\x60])`, 'g');

function testFiles() {
  const paths = readdirSync(join(ROOT, 'test'), { recursive: true });
  return paths.filter((path) => /\.test\.tsx?$/.test(path)).sort();
}

/** From each cited id to the test files that cite it. */
function citations() {
  const files = new Map();
  for (const path of testFiles()) {
    const text = readFileSync(join(ROOT, 'test', path), 'utf8');
    const ids = [...text.matchAll(CITATION)].flatMap(([citation]) => citation.match(/[A-Z]\d+/g));
    for (const id of new Set(ids)) files.set(id, [...(files.get(id) ?? []), path]);
  }
  return files;
}

const current = readFileSync(CONTRACT, 'utf8');
const cited = citations();
const known = new Set();
const refreshed = current.replace(ENTRY, (_entry, head, id) => {
  known.add(id);
  const paths = cited.get(id) ?? [];
  return head + (paths.length === 0 ? 'not yet.' : `${paths.map((path) => `\`${path}\``).join(', ')}.`);
});

const headings = current.match(/^### [A-Z]\d/gm)?.length ?? 0;
if (headings !== known.size) {
  console.error(`docs/CONTRACT.md has ${headings} behaviours, ${known.size} of them with an id of their own and a line \`Tests: \`.`);
  process.exitCode = 1;
} else if (!process.argv.includes('--check')) {
  writeFileSync(CONTRACT, refreshed);
} else if (refreshed !== current) {
  console.error('The test index of docs/CONTRACT.md is out of date: run `npm run contract` and look at what changed.');
  process.exitCode = 1;
}
