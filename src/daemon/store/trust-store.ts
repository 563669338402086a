import { z } from 'zod';
import { MaestroError, type TrustedProject, TrustedProjectSchema } from '../../protocol/index.js';
import { formatTime } from '../clock.js';
import { readRegularFile, UnusableFile } from '../regular-file.js';
import { atomicWrite } from './atomic-write.js';
import { type FileLayer, nodeFiles } from './file-layer.js';
import { setAside } from './set-aside.js';
import { isSystemError, SHORTAGES, storageFailed, systemReason } from './storage-error.js';

const VERSION = 1;
const FILE_LIMIT = 16 * 1024 * 1024;
const VersionSchema = z.looseObject({ version: z.number() });
const FileSchema = z.looseObject({ version: z.literal(VERSION), projects: z.array(TrustedProjectSchema) });

/** How many contents of one repository are trusted at the same time: branches may differ. The oldest is forgotten. */
const HASHES_KEPT = 20;

interface Loaded {
  readonly projects: readonly TrustedProject[];
  /** What was not understood at the top of the file; it is written again. */
  readonly rest?: Readonly<Record<string, unknown>>;
  /** What is wrong with the file, for people. */
  readonly problem?: string;
  /** The file is still there and must not be overwritten, for this reason. */
  readonly untouchable?: MaestroError;
}

/**
 * Which repositories may run their set-up, and with what content. A file that is missing trusts nobody, and so does one that cannot be
 * used: it is set aside, or left alone where it is a newer Maestro's.
 */
export class TrustStore {
  /** What is wrong with the file, for people. */
  readonly problem: string | undefined;
  readonly #path: string;
  readonly #files: FileLayer;
  readonly #rest: Readonly<Record<string, unknown>>;
  readonly #untouchable: MaestroError | undefined;
  #projects: ReadonlyMap<string, TrustedProject>;
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string, files: FileLayer, { projects, rest = {}, problem, untouchable }: Loaded) {
    this.#path = path;
    this.#files = files;
    this.#projects = new Map(projects.map((project) => [project.repo, project]));
    this.#rest = rest;
    this.problem = problem;
    this.#untouchable = untouchable;
  }

  static async load(path: string, files: FileLayer = nodeFiles): Promise<TrustStore> {
    return new TrustStore(path, files, await read(path));
  }

  list(): TrustedProject[] {
    return [...this.#projects.values()].sort((a, b) => (a.repo < b.repo ? -1 : 1));
  }

  trusts(repo: string, hash: string): boolean {
    return this.#projects.get(repo)?.hashes.includes(hash) ?? false;
  }

  /** Durable before it resolves. */
  async add(repo: string, hash: string, now: number): Promise<TrustedProject> {
    const others = (this.#projects.get(repo)?.hashes ?? []).filter((known) => known !== hash);
    const project = { repo, hashes: [...others, hash].slice(-HASHES_KEPT), at: formatTime(now) };
    await this.#replace(new Map([...this.#projects, [repo, project]]));
    return project;
  }

  /** False when it was not trusted. */
  async revoke(repo: string): Promise<boolean> {
    const projects = new Map(this.#projects);
    if (!projects.delete(repo)) return false;
    await this.#replace(projects);
    return true;
  }

  /** What is not on disk is not trusted; what was revoked is not trusted at once. */
  async #replace(projects: ReadonlyMap<string, TrustedProject>): Promise<void> {
    if (this.#untouchable !== undefined) throw this.#untouchable;
    const before = this.#projects;
    this.#projects = projects;
    const content = Buffer.from(`${JSON.stringify({ ...this.#rest, version: VERSION, projects: [...projects.values()] })}\n`);
    const writing = this.#writing.then(() => atomicWrite(this.#path, content, this.#files));
    this.#writing = writing.catch(() => undefined);
    try {
      await writing;
    } catch (error) {
      if (this.#projects === projects) this.#projects = before;
      throw error;
    }
  }
}

async function read(path: string): Promise<Loaded> {
  try {
    const content = (await readRegularFile(path, FILE_LIMIT)).toString();
    return parse(path, content) ?? (await withoutFile(path, 'it is not a whole list of repositories'));
  } catch (error) {
    if (error instanceof UnusableFile) return withoutFile(path, error.message);
    if (!isSystemError(error) || SHORTAGES.has(error.code)) throw storageFailed('read', path, error);
    return error.code === 'ENOENT' ? { projects: [] } : withoutFile(path, `it cannot be read: ${systemReason(error)}`);
  }
}

/** Undefined for what no Maestro wrote. */
function parse(path: string, content: string): Loaded | undefined {
  try {
    const value: unknown = JSON.parse(content);
    const { data: versioned } = VersionSchema.safeParse(value);
    if (versioned !== undefined && versioned.version > VERSION) return leftAlone(writtenByNewer(path));
    const { projects, version: _, ...rest } = FileSchema.parse(value);
    // Throws for what is nested too deeply to be written again.
    JSON.stringify(rest);
    return { projects, rest };
  } catch {
    return undefined;
  }
}

async function withoutFile(path: string, reason: string): Promise<Loaded> {
  const start = `${path} could not be used, so no repository is trusted: ${reason}`;
  try {
    return { projects: [], problem: `${start}; it was kept as ${await setAside(path)}` };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return leftAlone(storageFailed('set aside', path, error));
  }
}

function leftAlone(why: MaestroError): Loaded {
  return { projects: [], problem: `${why.message}; no repository is trusted`, untouchable: why };
}

function writtenByNewer(path: string): MaestroError {
  return new MaestroError('forbidden', `${path} was written by a newer Maestro and is left alone; install that version to change it`);
}
