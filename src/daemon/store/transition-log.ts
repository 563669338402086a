import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { TRANSITIONS_KEPT, type Transition, TransitionSchema } from '../../protocol/index.js';
import { readRegularFile } from '../regular-file.js';
import { atomicWrite, durableRemove } from './atomic-write.js';
import type { StateDir } from './state-dir.js';

/** A file that holds so many lines is cut to the newest {@link TRANSITIONS_KEPT}. */
const MOST_LINES = 2 * TRANSITIONS_KEPT;

/** The largest file that is read, in bytes: messages are short, and so is the file unless somebody else wrote it. */
const FILE_LIMIT = 8 * 1024 * 1024;

const APPEND = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NOFOLLOW;

/**
 * The last transitions of each session's agent, one JSON line each. They explain, and nothing is decided by them but the next number: so
 * they are not synced, and a line that a crash or somebody else spoilt is passed over.
 */
export class TransitionLog {
  readonly #dir: StateDir;
  readonly #lines = new Map<string, number>();
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(dir: StateDir) {
    this.#dir = dir;
  }

  /** The oldest first. Empty when there is none, or when it cannot be read. */
  read(id: string): Promise<Transition[]> {
    return this.#queued(id, async () => (await this.#all(id)).slice(-TRANSITIONS_KEPT));
  }

  /** Rejects with the system's error. */
  append(id: string, transition: Transition): Promise<void> {
    return this.#queued(id, async () => {
      const lines = (this.#lines.get(id) ?? (await this.#all(id)).length) + 1;
      if (lines > MOST_LINES) return this.#rewrite(id, [...(await this.#all(id)), transition].slice(-TRANSITIONS_KEPT));
      const file = await open(this.#dir.transitionLog(id), APPEND, 0o600);
      try {
        // With a line feed on both sides, so that a torn line before it spoils only itself.
        await file.appendFile(`\n${JSON.stringify(transition)}\n`);
      } finally {
        await file.close();
      }
      this.#lines.set(id, lines);
    });
  }

  async remove(id: string): Promise<void> {
    await this.#queued(id, () => durableRemove(this.#dir.transitionLog(id)));
    this.#lines.delete(id);
  }

  async #rewrite(id: string, transitions: readonly Transition[]): Promise<void> {
    const text = transitions.map((one) => `${JSON.stringify(one)}\n`).join('');
    await atomicWrite(this.#dir.transitionLog(id), Buffer.from(text));
    this.#lines.set(id, transitions.length);
  }

  async #all(id: string): Promise<Transition[]> {
    try {
      const text = (await readRegularFile(this.#dir.transitionLog(id), FILE_LIMIT)).toString();
      return text.split('\n').flatMap((line) => transitionOf(line) ?? []);
    } catch {
      return [];
    }
  }

  #queued<T>(id: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#queues.get(id) ?? Promise.resolve()).then(work, work);
    this.#queues.set(id, turn);
    const done = () => {
      if (this.#queues.get(id) === turn) this.#queues.delete(id);
    };
    turn.then(done, done);
    return turn;
  }
}

function transitionOf(line: string): Transition | undefined {
  if (line === '') return undefined;
  try {
    return TransitionSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
