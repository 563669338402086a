import { closeSync, fstatSync, open, read } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { identityOf, type ProcessEntry } from './process-table.js';

/** How many processes are read at once. Node has four threads for it; more only keep them busy. */
const LANES = 16;

/** How long one environment may take, in milliseconds. The kernel holds the read back while it works on that process's memory. */
const ENVIRONMENT_WAIT_MS = 3000;

/** Most environments fit into this many bytes; a longer one is read in steps. Below Node's pool size, so that none is allocated. */
const BUFFER_BYTES = 4000;
const STAT_BYTES = 1000;

/** Linux gives no program more than this for its environment and arguments together, by far. */
const ENVIRONMENT_LIMIT = 16 * 1024 * 1024;

const TAG = Buffer.from('MAESTRO_SESSION_ID=');

/** Errors that mean: there is no such process any more, or it is none of ours. */
const OUT_OF_REACH = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

interface StatEntry extends Omit<ProcessEntry, 'tag'> {
  /** True for one of the kernel's own, which has no memory and so no environment. */
  readonly isKernel: boolean;
}

/**
 * Lists processes from /proc, without starting any: some 30 µs for each, most of it on other threads.
 *
 * An environment that cannot be read in time counts as untagged, and is not asked for again while that read hangs: each hanging read
 * holds a thread, and there are four.
 */
export class ProcfsProcesses {
  readonly #root: string;
  readonly #waitMs: number;
  readonly #hanging = new Set<string>();
  #tellsChildren: Promise<boolean> | undefined;

  constructor({ root = '/proc', waitMs = ENVIRONMENT_WAIT_MS }: { root?: string; waitMs?: number } = {}) {
    this.#root = root;
    this.#waitMs = waitMs;
  }

  async list(): Promise<ProcessEntry[]> {
    const names = (await readdir(this.#root)).filter((name) => /^[1-9]\d*$/.test(name));
    const entries: ProcessEntry[] = [];
    const queue = names.values();
    const lane = async () => {
      for (const name of queue) {
        const entry = await this.#entry(`${this.#root}/${name}`);
        if (entry) entries.push(entry);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return entries;
  }

  /** Who `pid` is now, but for its environment, by one read. Undefined when no such process runs. */
  find(pid: number): Promise<StatEntry | undefined> {
    return readStat(`${this.#root}/${pid}`);
  }

  /** The children of each of its threads; zombies may be among them. Undefined where the kernel does not tell. */
  async childrenOf(pid: number): Promise<readonly number[] | undefined> {
    this.#tellsChildren ??= this.#childrenIn(process.pid, process.pid).then((own) => own !== undefined);
    if (!(await this.#tellsChildren)) return undefined;
    const threads = await readdir(`${this.#root}/${pid}/task`).catch(noneOutOfReach);
    const children = await Promise.all(threads.map((thread) => this.#childrenIn(pid, thread)));
    return children.flatMap((pids) => pids ?? []);
  }

  #childrenIn(pid: number, thread: number | string): Promise<readonly number[] | undefined> {
    const path = `${this.#root}/${pid}/task/${thread}/children`;
    return readSmall(path, STAT_BYTES, (bytes) => bytes.toString('latin1').split(' ').map(Number).filter(Boolean));
  }

  async #entry(directory: string): Promise<ProcessEntry | undefined> {
    const stat = await readStat(directory);
    if (stat === undefined) return undefined;
    const { isKernel, ...entry } = stat;
    const key = identityOf(entry);
    const tag = isKernel || this.#hanging.has(key) ? undefined : await this.#inTime(key, this.#tag(directory));
    return { ...entry, tag };
  }

  /** What `read` gives, or undefined when that takes too long. */
  async #inTime(key: string, read: Promise<string | undefined>): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        this.#hanging.add(key);
        resolve(undefined);
      }, this.#waitMs);
    });
    const done = read.finally(() => {
      clearTimeout(timer);
      this.#hanging.delete(key);
    });
    return Promise.race([done, late]);
  }

  /** A tag in another user's process says nothing, even where root may read it. */
  #tag(directory: string): Promise<string | undefined> {
    return readSmall(`${directory}/environ`, BUFFER_BYTES, (environment, fd) => {
      const tag = tagIn(environment);
      return tag !== undefined && fstatSync(fd).uid === process.geteuid?.() ? tag : undefined;
    });
  }
}

function readStat(directory: string): Promise<StatEntry | undefined> {
  return readSmall(`${directory}/stat`, STAT_BYTES, (bytes) => parseStat(bytes.toString('latin1')));
}

function noneOutOfReach(error: NodeJS.ErrnoException): string[] {
  if (OUT_OF_REACH.has(error.code ?? '')) return [];
  throw error;
}

/** Reads `pid (name) state parent group session terminal …`, see proc(5). Undefined for a process that has ended but for its parent's wait. */
export function parseStat(text: string): StatEntry | undefined {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  const [state = '', parent, , session = '', ...rest] = text.slice(close + 2).split(' ');
  const threads = Number(rest[13]);
  // A program whose first thread has ended shows as a zombie while its other threads go on.
  if (state === 'X' || (state === 'Z' && threads <= 1)) return undefined;
  return {
    pid: Number(text.slice(0, open)),
    startedAt: rest[15] ?? '',
    name: text.slice(open + 1, close),
    parent: Number(parent),
    session: session === '0' ? undefined : session,
    leads: session === text.slice(0, open).trim(),
    stopped: state === 'T' || state === 't',
    isKernel: rest[16] === '0',
  };
}

/** The value of `MAESTRO_SESSION_ID` in `NAME=value` entries that each end with NUL. */
export function tagIn(environment: Buffer): string | undefined {
  for (let at = environment.indexOf(TAG); at !== -1; at = environment.indexOf(TAG, at + 1)) {
    if (at > 0 && environment[at - 1] !== 0) continue;
    const end = environment.indexOf(0, at);
    return environment.toString('utf8', at + TAG.length, end === -1 ? environment.length : end);
  }
  return undefined;
}

/**
 * What `use` makes of all bytes of a file of /proc, which tells no size in advance. Undefined when its process is gone, or out of this
 * user's reach.
 */
function readSmall<T>(path: string, size: number, use: (bytes: Buffer, fd: number) => T): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => (OUT_OF_REACH.has(error.code ?? '') ? resolve(undefined) : reject(error));
    open(path, (openError, fd) => {
      if (openError) return fail(openError);
      fill(fd, Buffer.allocUnsafe(size), 0, (error, bytes) => {
        try {
          if (error) fail(error);
          else resolve(use(bytes, fd));
        } catch (problem) {
          reject(problem);
        } finally {
          closeSync(fd);
        }
      });
    });
  });
}

type Filled = (error: NodeJS.ErrnoException | null, bytes: Buffer) => void;

/** Reads on behind the first `length` bytes of `buffer`. A read that leaves room was the last one. */
function fill(fd: number, buffer: Buffer, length: number, filled: Filled): void {
  read(fd, buffer, length, buffer.length - length, null, (error, count) => {
    const end = length + (error ? 0 : count);
    if (error || end < buffer.length || buffer.length >= ENVIRONMENT_LIMIT) return filled(error, buffer.subarray(0, end));
    fill(fd, Buffer.concat([buffer], buffer.length * 4), end, filled);
  });
}
