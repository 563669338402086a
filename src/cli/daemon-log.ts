import { type FSWatcher, watch } from 'node:fs';
import { constants, type FileHandle, lstat, open, readFile, rename } from 'node:fs/promises';
import { LineSplitter } from './line-splitter.js';

/** A log this long is set aside as `daemon.log.1` when a daemon starts. */
const ROTATE_BYTES = 10 * 1024 * 1024;
const READ_BYTES = 64 * 1024;
/** Backstop of the file watch, which not every file system has. */
const LOOK_EVERY_MS = 1000;

/** Opens the log to append to it, private from birth, and rotates it when it has grown long. A link in its place is not followed. */
export async function openDaemonLog(path: string, rotateBytes = ROTATE_BYTES): Promise<FileHandle> {
  const size = await lstat(path).then(
    ({ size }) => size,
    () => 0,
  );
  if (size > rotateBytes) await rename(path, `${path}.1`);
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants;
  return open(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
}

/** The last lines of the log behind `offset`. */
export async function lastLogLines(path: string, offset: number, count = 10): Promise<string[]> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  return bytes
    .subarray(offset)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .slice(-count);
}

/**
 * Hands on the lines that are appended to the log.
 *
 * The daemon writes to a file and never to the terminal: one that is stopped (Ctrl-S, Ctrl-Z) or gone would block it or end it.
 */
export class LogFollower {
  readonly #file: FileHandle;
  readonly #onLine: (line: string) => void;
  readonly #lines = new LineSplitter();
  readonly #timer: NodeJS.Timeout;
  readonly #watcher: FSWatcher | undefined;
  readonly #buffer = Buffer.alloc(READ_BYTES);
  #offset: number;
  #reading: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;

  private constructor(path: string, file: FileHandle, { offset, onLine }: { offset: number; onLine: (line: string) => void }) {
    this.#file = file;
    this.#offset = offset;
    this.#onLine = onLine;
    this.#watcher = watchFile(path, () => this.#look());
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
  }

  static async start(path: string, options: { offset: number; onLine: (line: string) => void }): Promise<LogFollower> {
    const follower = new LogFollower(path, await open(path), options);
    follower.#look();
    return follower;
  }

  /** Hands on what is left and ends. */
  stop(): Promise<void> {
    this.#stopped ??= this.#finish();
    return this.#stopped;
  }

  async #finish(): Promise<void> {
    clearInterval(this.#timer);
    this.#watcher?.close();
    this.#look();
    await this.#reading;
    await this.#file.close();
  }

  #look(): void {
    this.#reading = this.#reading.then(() => this.#readOn()).catch(() => {}); // a log that cannot be read is no reason to end
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const { bytesRead } = await this.#file.read(this.#buffer, 0, READ_BYTES, this.#offset);
      if (bytesRead === 0) return;
      this.#offset += bytesRead;
      for (const line of this.#lines.push(this.#buffer.subarray(0, bytesRead))) this.#onLine(line);
    }
  }
}

function watchFile(path: string, onChange: () => void): FSWatcher | undefined {
  try {
    return watch(path, onChange).on('error', () => {});
  } catch {
    return undefined;
  }
}
