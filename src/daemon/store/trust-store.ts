import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type TrustedProject, TrustedProjectSchema } from '../../protocol/index.js';
import { formatTime } from '../clock.js';
import { atomicWrite } from './atomic-write.js';
import { storageFailed } from './storage-error.js';

const FileSchema = z.object({ version: z.literal(1), projects: z.array(TrustedProjectSchema) });

/** How many contents of one repository are trusted at the same time: branches may differ. The oldest is forgotten. */
const HASHES_KEPT = 20;

/**
 * Which repositories may run their set-up, and with what content. A file that is missing or not whole trusts nobody.
 */
export class TrustStore {
  readonly #path: string;
  #projects: ReadonlyMap<string, TrustedProject>;
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string, projects: ReadonlyMap<string, TrustedProject>) {
    this.#path = path;
    this.#projects = projects;
  }

  static async load(path: string): Promise<TrustStore> {
    const projects = await read(path);
    return new TrustStore(path, new Map(projects.map((project) => [project.repo, project])));
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
    const before = this.#projects;
    this.#projects = projects;
    const content = Buffer.from(`${JSON.stringify({ version: 1, projects: [...projects.values()] })}\n`);
    const writing = this.#writing.then(() => atomicWrite(this.#path, content));
    this.#writing = writing.catch(() => undefined);
    try {
      await writing;
    } catch (error) {
      if (this.#projects === projects) this.#projects = before;
      throw error;
    }
  }
}

async function read(path: string): Promise<readonly TrustedProject[]> {
  try {
    const parsed = FileSchema.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? parsed.data.projects : [];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || code === 'ENOENT') return [];
    throw storageFailed('read', path, error);
  }
}
