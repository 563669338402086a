import type { Dirent } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { MaestroError, PATH_LIMIT, type PathCompletions } from '../../protocol/index.js';
import { repositoryAt } from './repository-location.js';
import { SmallestNames } from './smallest-names.js';

interface CompletionOptions {
  readonly prefix: string;
  /** What `~` stands for. */
  readonly home: string;
}

const ENTRIES_AT_ONCE = 1024;
/** The most entries of a directory that are looked at. */
const ENTRY_LIMIT = 200_000;
/** The most entries of which it is asked whether they lead to a directory. */
const LINK_LIMIT = 1000;

/**
 * The directories whose paths begin with `prefix`: with a slash at the end, all in that directory. Hidden ones only after a dot. Case
 * counts, unless nothing begins so. Of a directory that is missing or not readable there are none.
 */
export async function completePath({ prefix, home }: CompletionOptions): Promise<PathCompletions> {
  const path = prefix.startsWith('~/') ? `${home}/${prefix.slice(2)}` : prefix;
  if (!isAbsolute(path)) {
    throw new MaestroError('invalid_request', `prefix: ${JSON.stringify(prefix)} must be an absolute path, or begin with ~/`, {
      details: { field: 'prefix', value: prefix },
    });
  }
  const end = path.lastIndexOf('/') + 1;
  const parent = normalize(path.slice(0, end));
  const { names, truncated } = await new Completion(parent, path.slice(end)).run();
  const entries = names.map(async (name) => ({ path: join(parent, name), name, repository: await isRepository(join(parent, name)) }));
  return { entries: await Promise.all(entries), truncated };
}

/** One reading of a directory, of which only the names of the answer are kept. */
class Completion {
  readonly #parent: string;
  readonly #part: string;
  readonly #exact = new SmallestNames(PATH_LIMIT);
  readonly #anyCase = new SmallestNames(PATH_LIMIT);
  #links = 0;
  #isCut = false;

  constructor(parent: string, part: string) {
    this.#parent = parent;
    this.#part = part;
  }

  async run(): Promise<{ names: string[]; truncated: boolean }> {
    let count = 0;
    try {
      for await (const entry of await opendir(this.#parent, { bufferSize: ENTRIES_AT_ONCE })) {
        count += 1;
        if (count > ENTRY_LIMIT) break;
        await this.#offer(entry);
      }
    } catch {
      // Missing, or not to be read: what was read until now is all there is to know.
    }
    const found = this.#exact.names.length > 0 ? this.#exact : this.#anyCase;
    return { names: [...found.names], truncated: found.hasMore || this.#isCut || count > ENTRY_LIMIT };
  }

  async #offer(entry: Dirent): Promise<void> {
    const names = this.#listFor(entry.name);
    if (names === undefined || !(entry.isDirectory() || entry.isSymbolicLink()) || !names.wouldTake(entry.name)) return;
    if (await this.#isDirectory(entry)) names.add(entry.name);
  }

  #listFor(name: string): SmallestNames | undefined {
    if (name.startsWith('.') && !this.#part.startsWith('.')) return undefined;
    if (name.startsWith(this.#part)) return this.#exact;
    return name.toLowerCase().startsWith(this.#part.toLowerCase()) ? this.#anyCase : undefined;
  }

  /** A name with U+FFFD mostly is one that is not UTF-8, and then nothing is found by it. */
  async #isDirectory(entry: Dirent): Promise<boolean> {
    if (entry.isDirectory() && !entry.name.includes('\uFFFD')) return true;
    this.#links += 1;
    this.#isCut ||= this.#links > LINK_LIMIT;
    if (this.#isCut) return false;
    const found = await stat(join(this.#parent, entry.name)).catch(() => undefined);
    return found?.isDirectory() === true;
  }
}

async function isRepository(path: string): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  return real !== undefined && (await repositoryAt(real)) !== undefined;
}
