import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ERROR_STATUS, VERSION } from '../src/protocol/index.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface SourceFile {
  /** Relative to the repository, such as `src/daemon/main.ts`. */
  readonly path: string;
  readonly text: string;
  /** Source files that it imports, as types or values. */
  readonly imports: readonly string[];
  /** Packages that it imports, by name. */
  readonly packages: readonly string[];
  /** True when it imports something of Node's own. */
  readonly usesNode: boolean;
}

const STATEMENT = /^\s*(?:import|export)\s+(?:type\s+)?[\w$*{},\s]+?\sfrom\s*(['"])(?<from>[^'"\n]+)\1/gm;
const SIDE_EFFECT = /^\s*import\s*(['"])(?<from>[^'"\n]+)\1/gm;
const DYNAMIC = /\b(?:import|require)\s*\(\s*(['"`])(?<from>[^'"`\n]+)\1/g;

function withoutCommentLines(text: string): string {
  return text.replace(/^\s*(?:\/\/|\/\*|\*).*$/gm, '');
}

/** What `text` imports, whether by a statement, a re-export, a type or at run time. */
function specifiers(text: string): string[] {
  const code = withoutCommentLines(text);
  return [STATEMENT, SIDE_EFFECT, DYNAMIC].flatMap((form) => [...code.matchAll(form)].map((match) => match.groups?.from ?? ''));
}

function packageName(specifier: string): string {
  const [scope = '', name = ''] = specifier.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}

function readSource(path: string, paths: ReadonlySet<string>): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const all = specifiers(text);
  const imports = all
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => {
      const target = normalize(join(dirname(path), specifier)).replace(/\.(c?)js$/, '.$1ts');
      return paths.has(`${target}x`) ? `${target}x` : target;
    });
  const bare = all.filter((specifier) => !specifier.startsWith('.'));
  const isNode = (specifier: string) => specifier.startsWith('node:') || builtinModules.includes(specifier);
  const packages = bare.filter((specifier) => !isNode(specifier)).map(packageName);
  return { path, text, imports, packages, usesNode: bare.some(isNode) };
}

function readSources(): SourceFile[] {
  const found = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const paths = found
    .filter((path) => /\.(?:c?ts|tsx)$/.test(path))
    .map((path) => join('src', path))
    .sort();
  const known = new Set(paths);
  return paths.map((path) => readSource(path, known));
}

const sources = readSources();
const byPath = new Map(sources.map((source) => [source.path, source]));

interface LayerRule {
  /** Other layers it may import, as `src/<layer>`. */
  readonly layers: readonly string[];
  readonly packages: 'any' | readonly string[];
  readonly node: boolean;
}

const LAYERS: Readonly<Record<string, LayerRule>> = {
  protocol: { layers: [], packages: ['zod'], node: false },
  // zod is what the protocol's schemas are made of: the client reads answers with looser forms of them.
  client: { layers: ['protocol'], packages: ['zod'], node: false },
  daemon: { layers: ['protocol'], packages: 'any', node: true },
  cli: { layers: ['protocol', 'client'], packages: 'any', node: true },
  web: { layers: ['protocol', 'client'], packages: 'any', node: false },
  // What runs before any other layer does.
  launch: { layers: [], packages: [], node: true },
};

/** The parts of the daemon that know nothing of each other. */
const PARTS = ['panes', 'bridge', 'store', 'worktree', 'agents', 'projects'] as const;

/** What each part of the daemon may import beside itself and the ground: the modules right under `src/daemon`, and `config/`. */
const DAEMON_PARTS: Readonly<Record<string, readonly string[]>> = {
  ground: [],
  ...Object.fromEntries(PARTS.map((part) => [part, []])),
  session: PARTS,
  api: ['session'],
  // The files in src/daemon itself that are no ground modules: they put the rest together.
  main: ['api', 'session', ...PARTS],
};

function layerOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function daemonPartOf(path: string): string {
  const [, , first = '', ...rest] = path.split('/');
  if (['main.ts', 'daemon.ts', 'listener.ts', 'chores.ts'].includes(first ?? '')) return 'main';
  return rest.length === 0 || first === 'config' ? 'ground' : first;
}

function forbiddenLayerImports(source: SourceFile): string[] {
  const layer = layerOf(source.path);
  const rule = LAYERS[layer];
  if (rule === undefined) return [`${source.path}: src/${layer} is no layer`];
  const layers = source.imports.filter((target) => ![layer, ...rule.layers].includes(layerOf(target)));
  const packages = rule.packages === 'any' ? [] : source.packages.filter((name) => !rule.packages.includes(name));
  return [...layers, ...packages, ...(source.usesNode && !rule.node ? ['node'] : [])].map((target) => `${source.path} -> ${target}`);
}

function forbiddenDaemonImports(source: SourceFile): string[] {
  const part = daemonPartOf(source.path);
  const allowed = DAEMON_PARTS[part];
  if (allowed === undefined) return [`${source.path}: src/daemon/${part} is no part of the daemon`];
  return source.imports
    .filter((target) => layerOf(target) === 'daemon' && ![part, 'ground', ...allowed].includes(daemonPartOf(target)))
    .map((target) => `${source.path} -> ${target}`);
}

/** The first import cycle on the way from `path`, as the files along it. */
function cycleFrom(path: string, trail: readonly string[], done: Set<string>): readonly string[] | undefined {
  if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
  if (done.has(path)) return undefined;
  for (const next of byPath.get(path)?.imports ?? []) {
    const cycle = cycleFrom(next, [...trail, path], done);
    if (cycle !== undefined) return cycle;
  }
  done.add(path);
  return undefined;
}

function isBarrel(text: string): boolean {
  const reExport = /export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*['"][^'"]+['"];?/g;
  const code = withoutCommentLines(text);
  return reExport.test(code) && code.replace(reExport, '').trim() === '';
}

const offenders = (isOffender: (source: SourceFile) => boolean) => sources.filter(isOffender).map(({ path }) => path);

describe('imports', () => {
  test('are recognised in every form, and not in comments', () => {
    const text = [
      "import type { A } from './a.js';",
      'import {',
      '  b,',
      "} from '../b.js';",
      "export * from './c.js';",
      "import './d.js';",
      "const e = await import('./e.js');",
      "type F = import('./f.js').F;",
      "import g, * as h from 'g';",
      "export type { I } from './i.js';",
      " * import { no } from './no.js';",
      "// import('./no.js')",
      "export const from = 'no';",
    ];
    const found = new Set(specifiers(text.join('\n')));
    expect(found).toEqual(new Set(['./a.js', '../b.js', './c.js', './d.js', './e.js', './f.js', 'g', './i.js']));
  });

  test('lead to source files that exist', () => {
    const dangling = sources.flatMap(({ path, imports }) =>
      imports.filter((target) => !byPath.has(target)).map((target) => `${path} -> ${target}`),
    );
    expect(dangling).toEqual([]);
  });

  test('name their module as a literal, so that these rules see them', () => {
    expect(offenders(({ text }) => /\b(?:import|require)\s*\(\s*[^'"`\s)]/.test(withoutCommentLines(text)))).toEqual([]);
  });

  test('keep the layers apart', () => {
    expect(sources.flatMap(forbiddenLayerImports)).toEqual([]);
  });

  test('run in one direction inside the daemon', () => {
    expect(sources.filter(({ path }) => layerOf(path) === 'daemon').flatMap(forbiddenDaemonImports)).toEqual([]);
  });

  test('form no cycle', () => {
    const done = new Set<string>();
    const cycles = sources.map(({ path }) => cycleFrom(path, [], done)).filter((cycle) => cycle !== undefined);
    expect(cycles).toEqual([]);
  });
});

describe('source files', () => {
  test('are no barrels, beside the two public entries', () => {
    const entries = ['src/protocol/index.ts', 'src/client/index.ts'];
    expect(offenders(({ path, text }) => isBarrel(text) && !entries.includes(path))).toEqual([]);
  });

  test('have no default export', () => {
    expect(offenders(({ text }) => /^\s*export\s+default\b|\bas\s+default\b/m.test(withoutCommentLines(text)))).toEqual([]);
  });

  test('have at most 300 lines, but for the catalogues of what the page says', () => {
    const isCatalogue = (path: string) => /^src\/web\/text\/[a-z]{2}(?:-[a-z]+)?\.ts$/.test(path);
    const lengths = sources.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
    const tooLong = lengths.filter(({ path, lines }) => lines > 300 && !isCatalogue(path));
    expect(tooLong).toEqual([]);
  });

  test('are named in kebab-case after what they hold', () => {
    const vague = ['util', 'utils', 'helper', 'helpers', 'common', 'misc', 'types', 'service', 'services'];
    const words = (path: string) => path.slice('src/'.length).split(/[/.-]/);
    expect(
      offenders(({ path }) => !/^[a-z0-9/-]+(?:\.d)?\.(?:c?ts|tsx)$/.test(path) || words(path).some((word) => vague.includes(word))),
    ).toEqual([]);
  });
});

describe('documents', () => {
  test('the contract names, for each behaviour, exactly the test files that cite it', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/contract-index.mjs', '--check'], { cwd: ROOT, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('the contract lists the error codes and statuses of the protocol', () => {
    const rows = readFileSync(join(ROOT, 'docs/CONTRACT.md'), 'utf8').matchAll(/^\| (\d{3}) \| (.*) \|$/gm);
    const listed = [...rows].flatMap(([, status, codes = '']) =>
      codes.split(', ').map((code) => [code.replaceAll('`', ''), Number(status)]),
    );
    expect(Object.fromEntries(listed)).toEqual(ERROR_STATUS);
  });

  test('link to files that exist', () => {
    const inDocs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((path) => join('docs', path));
    const pages = ['README.md', 'CONTRIBUTING.md', ...inDocs].filter((path) => path.endsWith('.md'));
    const broken = pages.flatMap((page) => {
      const links = readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g);
      return [...links].map(([, link = '']) => join(dirname(page), link)).filter((target) => !existsSync(join(ROOT, target)));
    });
    expect(broken).toEqual([]);
  });

  test('the package and the protocol tell the same version', () => {
    const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ version: VERSION });
  });
});
