import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { readRegularFile } from '../regular-file.js';
import { atomicWrite } from './atomic-write.js';
import { type FileLayer, nodeFiles } from './file-layer.js';

/** How long a browser stays logged in, across restarts of the daemon. */
export const BROWSER_SESSION_MS = 30 * 24 * 60 * 60 * 1000;

/** More browsers than anybody has; the one that logged in first makes room. */
const MOST_SESSIONS = 100;

const SECRET_BYTES = 32;
const FILE_LIMIT = 1024 * 1024;

const RecordSchema = z.object({ cookie: z.string(), secret: z.string(), expires_at: z.iso.datetime() });
const FileSchema = z.object({ sessions: z.array(RecordSchema) });
type BrowserRecord = z.infer<typeof RecordSchema>;

/** The two halves that a browser holds. Neither is of use without the other. */
export interface BrowserCredentials {
  /** Goes into an HttpOnly cookie, which a page cannot read but which any port of this host is sent. */
  readonly cookie: string;
  /** Kept by the page's origin, which is this host and port alone. */
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The browsers that have logged in. Only hashes of what they hold are stored, so the file opens nothing. */
export class BrowserSessions {
  readonly #path: string;
  readonly #files: FileLayer;
  #records: readonly BrowserRecord[];
  #changing: Promise<void> = Promise.resolve();

  private constructor(path: string, files: FileLayer, records: readonly BrowserRecord[]) {
    this.#path = path;
    this.#files = files;
    this.#records = records;
  }

  /** A file that is missing or cannot be read logs everybody out, and keeps nobody from logging in. */
  static async load(path: string, files: FileLayer = nodeFiles): Promise<BrowserSessions> {
    const text = await readRegularFile(path, FILE_LIMIT).then(String, () => '');
    return new BrowserSessions(path, files, parse(text));
  }

  /** Logs a browser in. Durable before it resolves; rejects with `storage_failed`. */
  async open(now: number): Promise<BrowserCredentials> {
    const [cookie, secret] = [randomBytes(SECRET_BYTES).toString('base64url'), randomBytes(SECRET_BYTES).toString('base64url')];
    const expiresAt = now + BROWSER_SESSION_MS;
    const record = { cookie: hash(cookie), secret: hash(secret), expires_at: new Date(expiresAt).toISOString() };
    // Those that are over stay until they make room: the clock that says so may be wrong, and be put right.
    await this.#change((records) => [...records, record].slice(-MOST_SESSIONS));
    return { cookie, secret, expiresAt };
  }

  /** True if the two halves belong to one browser that is still logged in. */
  accepts(given: Pick<BrowserCredentials, 'cookie' | 'secret'>, now: number): boolean {
    const [cookie, secret] = [hash(given.cookie), hash(given.secret)];
    return this.#valid(now).filter((record) => equal(record.cookie, cookie) && equal(record.secret, secret)).length > 0;
  }

  /** Logs out the browser that holds this cookie. */
  async close(cookie: string): Promise<void> {
    const digest = hash(cookie);
    await this.#change((records) => records.filter((record) => record.cookie !== digest));
  }

  /** Logs everybody out. */
  async closeAll(): Promise<void> {
    await this.#change(() => []);
  }

  #valid(now: number): BrowserRecord[] {
    return this.#records.filter((record) => Date.parse(record.expires_at) > now);
  }

  /** One change after the other, or of two at once the later would undo the first. */
  #change(edit: (records: readonly BrowserRecord[]) => readonly BrowserRecord[]): Promise<void> {
    const change = this.#changing.then(async () => {
      const records = edit(this.#records);
      await atomicWrite(this.#path, Buffer.from(`${JSON.stringify({ sessions: records })}\n`), this.#files);
      this.#records = records;
    });
    this.#changing = change.catch(() => undefined);
    return change;
  }
}

function parse(text: string): readonly BrowserRecord[] {
  try {
    return FileSchema.safeParse(JSON.parse(text)).data?.sessions ?? [];
  } catch {
    return [];
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function equal(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
