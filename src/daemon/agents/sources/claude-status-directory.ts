import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { identify } from '../../process-identity.js';
import { StandingWatch } from './standing-watch.js';
import { isStartOf, readStatusFile, type StatusWriter, writerOf } from './status-file.js';

/** How long a file that was read while it was being written has to become whole, in milliseconds. */
const TORN_MS = 50;
const FILE_NAME = /^([1-9]\d{0,9})\.json$/;

export interface StatusFollower {
  /** Whether a process belongs to it. Asked once for each process; again after a rejection. */
  readonly owns: (pid: number) => Promise<boolean>;
  /** The parsed JSON of the file of a process that belongs to it, when that has changed or was there before. */
  readonly onStatus: (file: unknown, pid: number) => void;
  /** A file that was told of is there no more: Claude ended, and not by SIGKILL. */
  readonly onGone?: ((pid: number) => void) | undefined;
  /** Ends all this. */
  readonly signal: AbortSignal;
}

/** One file, as long as it exists. */
interface StatusFile {
  isBusy: boolean;
  isStale: boolean;
  /** It was torn at the last read, and looked at once more already. */
  isTorn: boolean;
  life: string | undefined;
  owner: StatusFollower | undefined;
  /** All followers up to the one of this number were asked whether it is theirs. */
  asked: number;
  /** What the owner knows. */
  told: string | undefined;
}

interface ClaudeStatusDirectoryParts {
  readonly directory: string;
  readonly onProblem: (error: unknown) => void;
}

/** Claude's `sessions` directory, in which each Claude that runs keeps `<pid>.json`, and who wants to hear of which of its files. */
export class ClaudeStatusDirectory {
  readonly #directory: string;
  readonly #onProblem: (error: unknown) => void;
  readonly #watch: StandingWatch;
  readonly #files = new Map<number, StatusFile>();
  /** With numbers that grow. */
  readonly #followers = new Map<StatusFollower, number>();
  #lastNumber = 0;

  constructor({ directory, onProblem }: ClaudeStatusDirectoryParts) {
    this.#directory = directory;
    this.#onProblem = onProblem;
    const onEntry = (name: string | undefined) => this.#heard(name);
    this.#watch = new StandingWatch({ directory, onEntry, onThere: () => void this.#scan(), onProblem });
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  add(follower: StatusFollower): void {
    this.#followers.set(follower, ++this.#lastNumber);
    this.#watch.check();
    void this.#scan();
  }

  remove(follower: StatusFollower): void {
    this.#followers.delete(follower);
    for (const file of this.#files.values()) {
      if (file.owner !== follower) continue;
      file.owner = undefined;
      file.told = undefined;
    }
  }

  close(): void {
    this.#watch.close();
    this.#followers.clear();
    this.#files.clear();
  }

  #heard(name: string | undefined): void {
    const pid = name === undefined ? undefined : pidOf(name);
    if (pid !== undefined) void this.#look(pid);
    else if (name === undefined) void this.#scan();
  }

  async #scan(): Promise<void> {
    const names = await readdir(this.#directory).catch(() => []);
    const there = names.map(pidOf).filter((pid) => pid !== undefined);
    for (const pid of new Set([...there, ...this.#files.keys()])) void this.#look(pid);
  }

  /** Reads one file, again if it changes meanwhile. */
  async #look(pid: number): Promise<void> {
    if (!this.isFollowed) return;
    const file = this.#files.get(pid) ?? newFile();
    this.#files.set(pid, file);
    file.isStale = true;
    if (file.isBusy) return;
    file.isBusy = true;
    try {
      while (file.isStale) {
        file.isStale = false;
        await this.#read(pid, file);
      }
    } catch (error) {
      this.#onProblem(error);
    } finally {
      file.isBusy = false;
    }
  }

  async #read(pid: number, file: StatusFile): Promise<void> {
    const found = await readStatusFile(join(this.#directory, `${pid}.json`));
    if (found === 'gone') return this.#forget(pid, file);
    if (found === undefined) return;
    const status = parsed(found.text);
    if (status === undefined) return this.#readAgain(pid, file);
    file.isTorn = false;
    const writer = writerOf(status, pid);
    const owner = writer && (await this.#ownerOf(file, writer));
    if (owner === undefined || owner.signal.aborted || file.told === found.text) return;
    file.told = found.text;
    owner.onStatus(status, pid);
  }

  /** Once for each change; the writer's next step is told of as well. */
  #readAgain(pid: number, file: StatusFile): void {
    if (file.isTorn) return;
    file.isTorn = true;
    setTimeout(() => void this.#look(pid), TORN_MS).unref();
  }

  #forget(pid: number, file: StatusFile): void {
    const { owner, told, isStale } = file;
    Object.assign(file, { ...newFile(), isBusy: true, isStale });
    if (!isStale) this.#files.delete(pid);
    // It may have gone with the directory.
    this.#watch.check();
    if (told !== undefined && owner?.signal.aborted === false) owner.onGone?.(pid);
  }

  async #ownerOf(file: StatusFile, { pid, procStart, life }: StatusWriter): Promise<StatusFollower | undefined> {
    if (file.life !== life) Object.assign(file, { life, owner: undefined, asked: 0, told: undefined });
    if (file.owner?.signal.aborted === false) return file.owner;
    file.owner = undefined;
    file.told = undefined;
    const number = this.#lastNumber;
    const newcomers = [...this.#followers].filter(([, own]) => own > file.asked).reverse();
    if (newcomers.length > 0 && (await isRunning(pid, procStart))) file.owner = await ownerAmong(newcomers, pid);
    file.asked = number;
    return file.owner;
  }
}

/** The newest first: a Claude mostly begins with its session. Nobody else is asked, as it belongs to one only. */
async function ownerAmong(followers: readonly (readonly [StatusFollower, number])[], pid: number): Promise<StatusFollower | undefined> {
  for (const [follower] of followers) if (!follower.signal.aborted && (await follower.owns(pid))) return follower;
  return undefined;
}

/** False for a file that was left behind by a process which was killed, whoever has its pid now. */
async function isRunning(pid: number, procStart: string | undefined): Promise<boolean> {
  const identity = await identify(pid);
  return identity !== undefined && isStartOf(procStart, identity.started);
}

function newFile(): StatusFile {
  return { isBusy: false, isStale: false, isTorn: false, life: undefined, owner: undefined, asked: 0, told: undefined };
}

function pidOf(name: string): number | undefined {
  const digits = FILE_NAME.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
