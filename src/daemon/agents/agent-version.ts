import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readRegularFile } from '../regular-file.js';
import type { AgentAdapter } from './adapters/agent-adapter.js';
import { askProgram } from './ask-program.js';

const TIMEOUT_MS = 5000;
/** A shim stays the same file when the program behind it changes, so an answer counts for so long only. */
const MAX_AGE_MS = 10 * 60_000;
const MOST_LEVELS = 6;
const MOST_MANIFEST_BYTES = 1024 * 1024;
const VERSION = /\d{1,9}\.\d{1,9}\.\d{1,12}(?:-[0-9A-Za-z.-]{1,64})?/;

interface Known {
  readonly key: string;
  readonly since: number;
  readonly version: Promise<string | undefined>;
}

export interface AgentVersionsOptions {
  /** For programs that are asked. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
}

/** Which versions of agents are installed. A program is asked only where its files do not tell, and again once it is another file. */
export class AgentVersions {
  readonly #options: AgentVersionsOptions;
  readonly #known = new Map<string, Known>();

  constructor(options: AgentVersionsOptions = {}) {
    this.#options = options;
  }

  /** That of the executable at `path`; undefined when nobody can tell. */
  async versionOf({ packageName }: Pick<AgentAdapter, 'packageName'>, path: string): Promise<string | undefined> {
    const file = await realpath(path).catch(() => undefined);
    const stats = file === undefined ? undefined : await stat(file).catch(() => undefined);
    if (file === undefined || stats === undefined) return undefined;
    const told = (await packageVersion(file, packageName)) ?? wholeVersion(basename(file));
    return told ?? this.#asked(path, `${file}\0${stats.mtimeMs}\0${stats.size}`);
  }

  #asked(path: string, key: string): Promise<string | undefined> {
    const known = this.#known.get(path);
    const now = performance.now();
    if (known?.key === key && now - known.since < MAX_AGE_MS) return known.version;
    const version = this.#ask(path);
    this.#known.set(path, { key, since: now, version });
    return version;
  }

  async #ask(file: string): Promise<string | undefined> {
    const { env = process.env, timeoutMs = TIMEOUT_MS } = this.#options;
    const answer = await askProgram({ file, words: ['--version'], cwd: '/', env, timeoutMs, maxBytes: 64 * 1024 });
    return VERSION.exec(answer ?? '')?.[0];
  }
}

/** The version in the manifest of the package that the file belongs to, when that is the agent's own. */
async function packageVersion(file: string, packageName: string | undefined): Promise<string | undefined> {
  let directory = dirname(file);
  for (let level = 0; packageName !== undefined && level < MOST_LEVELS && directory !== dirname(directory); level += 1) {
    const { name, version } = await readManifest(join(directory, 'package.json'));
    if (name === packageName) return wholeVersion(version);
    directory = dirname(directory);
  }
  return undefined;
}

async function readManifest(path: string): Promise<{ name?: unknown; version?: unknown }> {
  try {
    const manifest: unknown = JSON.parse((await readRegularFile(path, MOST_MANIFEST_BYTES)).toString('utf8'));
    return typeof manifest === 'object' && manifest !== null ? manifest : {};
  } catch {
    return {};
  }
}

/** Installers that keep several versions name the program's file by its version. */
function wholeVersion(text: unknown): string | undefined {
  return typeof text === 'string' && VERSION.exec(text)?.[0] === text ? text : undefined;
}
