import type { MaestroClient } from '../../client/index.js';
import { errorText } from '../app/error-text.js';
import { Store } from '../parts/store.js';
import { text } from '../text/text.js';

/** Files of one drop or paste, on their way to the session. */
export interface Sending {
  readonly key: number;
  /** The file that is being sent, or could not be. */
  readonly name: string;
  /** How much of it has left, 0 to 1. */
  readonly sent: number;
  /** Why it was given up. It waits for the user's word. */
  readonly problem?: string | undefined;
}

interface FileSendingParts {
  readonly upload: MaestroClient['upload'];
  readonly sessionId: string;
  /** Where the files are on the host. */
  readonly onStored: (paths: readonly string[]) => void;
  /** Somebody sees what is shown here. */
  readonly isShown: () => boolean;
  /** Said where nobody does. */
  readonly onProblem: (problem: string) => void;
}

/** Sends files to a session, one after the other, and keeps those that failed until they are sent again or let go. */
export class FileSending extends Store<readonly Sending[]> {
  readonly #parts: FileSendingParts;
  /** What is left of each. */
  readonly #files = new Map<number, readonly File[]>();
  readonly #cancels = new Map<number, AbortController>();
  #key = 0;

  constructor(parts: FileSendingParts) {
    super([]);
    this.#parts = parts;
  }

  async send(files: readonly File[]): Promise<void> {
    this.#key += 1;
    this.#files.set(this.#key, files);
    await this.again(this.#key);
  }

  /** Sends what is left of them. */
  async again(key: number): Promise<void> {
    const { isShown, onProblem, onStored } = this.#parts;
    const cancel = new AbortController();
    this.#cancels.set(key, cancel);
    const paths: string[] = [];
    try {
      for (let [file, ...left] = this.#files.get(key) ?? []; file !== undefined; [file, ...left] = left) {
        paths.push(await this.#sendOne(key, file, cancel.signal));
        this.#files.set(key, left);
      }
      this.letGo(key);
    } catch (error) {
      if (cancel.signal.aborted) this.letGo(key);
      else if (isShown()) this.#show({ ...this.#shown(key), problem: errorText(error) });
      else {
        onProblem(text.pane.files.failed(errorText(error)));
        this.letGo(key);
      }
    }
    if (paths.length > 0) onStored(paths);
  }

  /** Gives up those that are on their way, and forgets those that failed. */
  letGo(key: number): void {
    this.#cancels.get(key)?.abort();
    this.#cancels.delete(key);
    this.#files.delete(key);
    this.set(this.value.filter((sending) => sending.key !== key));
  }

  async #sendOne(key: number, file: File, signal: AbortSignal): Promise<string> {
    const { upload, sessionId } = this.#parts;
    const { name, size } = file;
    this.#show({ key, name, sent: 0 });
    // What leaves has a little around it.
    const onSent = (bytes: number) => this.#files.has(key) && this.#show({ key, name, sent: size === 0 ? 1 : Math.min(1, bytes / size) });
    return (await upload(sessionId, { name, content: file }, { signal, onSent })).path;
  }

  #shown(key: number): Sending {
    return this.value.find((sending) => sending.key === key) ?? { key, name: '', sent: 0 };
  }

  #show(sending: Sending): void {
    const isNew = this.value.every(({ key }) => key !== sending.key);
    this.set(isNew ? [...this.value, sending] : this.value.map((other) => (other.key === sending.key ? sending : other)));
  }
}
