import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MaestroError } from '../../protocol/index.js';
import type { Pane } from './panes.js';
import { PASTE_DIR_OPTION } from './server-settings.js';
import { TerminalLines } from './terminal-lines.js';
import { bodiesOf, notRunning } from './tmux-failure.js';
import type { TmuxLink } from './tmux-link.js';
import { type Command, command, either } from './tmux-quote.js';

/** More bytes than this go through a file: 2 KiB take 11 ms as keys and 1 ms as a paste, 100 kB take 265 and 3. */
const KEYS_LIMIT = 512;
/** What one send-keys takes; its cost grows with the square. */
const KEYS_CHUNK = 256;

const DEAD = 'dead';

/**
 * Input for panes, byte for byte and in the order of the calls of each pane.
 *
 * tmux takes keys for a pane whose program has ended and drops them, so each line also asks whether it has. Pasting into such a pane
 * crashes tmux 3.3a, with every session: the server itself decides, in the step of the paste.
 * Input that a terminal would not take whole is refused as a whole: see {@link TerminalLines}.
 */
export class PaneInput {
  readonly #link: TmuxLink;
  readonly #pasteDir: string;
  /** Per pane, what must be on its way before the next input is. */
  readonly #tails = new Map<string, Promise<unknown>>();
  readonly #lines: TerminalLines;
  #pastes = 0;

  constructor({ link, pasteDir }: { readonly link: TmuxLink; readonly pasteDir: string }) {
    this.#link = link;
    this.#lines = new TerminalLines(link);
    this.#pasteDir = pasteDir;
  }

  sendBytes(pane: Pane, bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return Promise.resolve();
    if (bytes.length > KEYS_LIMIT) return this.#paste(pane, bytes, []);
    return this.#inOrder(pane, () => this.#send(pane, hexKeys(pane.paneId, bytes)), this.#lines.fits(pane, bytes));
  }

  sendKeys(pane: Pane, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return Promise.resolve();
    const send = () => this.#send(pane, [command('send-keys', '-t', pane.paneId, '--', ...keys)]);
    return this.#inOrder(pane, send, this.#lines.fits(pane, Buffer.from(keys.map(asByte))));
  }

  paste(pane: Pane, text: string): Promise<void> {
    return text === '' ? Promise.resolve() : this.#paste(pane, Buffer.from(text), ['-p']);
  }

  async #send({ paneId, sessionId }: Pane, keys: readonly Command[]): Promise<void> {
    const alive = command('display-message', '-p', '-t', paneId, '#{pane_dead}');
    const reply = await this.#link.run([alive, command('copy-mode', '-q', '-t', paneId), ...keys]);
    if (bodiesOf(reply, sessionId)[0]?.toString() === '1') throw notRunning(sessionId);
  }

  async #paste(pane: Pane, bytes: Uint8Array, flags: readonly string[]): Promise<void> {
    const name = `maestro-${process.pid}-${++this.#pastes}`;
    const file = join(this.#pasteDir, name);
    try {
      await this.#inOrder(pane, () => this.#pasteFile(pane, name, flags), this.#write(pane, file, bytes));
    } finally {
      // A paste that was given up finds no file when tmux comes to it, and does nothing.
      await rm(file, { force: true });
    }
  }

  /** Writes what is to be pasted, once it is known that the terminal takes it. */
  async #write(pane: Pane, file: string, bytes: Uint8Array): Promise<void> {
    await this.#lines.fits(pane, bytes);
    await writeFile(file, bytes, { mode: 0o600, flag: 'wx' }).catch((error: Error) => {
      throw new MaestroError('storage_failed', `Input for session ${pane.sessionId} could not be written to ${file}: ${error.message}`, {
        cause: error,
      });
    });
  }

  async #pasteFile({ paneId, sessionId }: Pane, name: string, flags: readonly string[]): Promise<void> {
    const paste = command('paste-buffer', '-d', '-r', ...flags, '-b', name, '-t', paneId);
    const reply = await this.#link.run([
      command('copy-mode', '-q', '-t', paneId),
      command('load-buffer', '-b', name, `#{${PASTE_DIR_OPTION}}/${name}`),
      either('#{pane_dead}', paneId, command('display-message', '-p', DEAD), paste),
    ]);
    const refused = !reply.ok || reply.bodies.at(-1)?.toString() === DEAD;
    if (refused) this.#link.run([command('delete-buffer', '-b', name)]).catch(() => {});
    if (bodiesOf(reply, sessionId).at(-1)?.toString() === DEAD) throw notRunning(sessionId);
  }

  /** Starts `send` once everything before it in this pane has been started; lines keep their order from there on. */
  #inOrder(pane: Pane, send: () => Promise<void>, ready?: Promise<void>): Promise<void> {
    const tail = this.#tails.get(pane.paneId);
    if (tail === undefined && ready === undefined) return send();
    let sent: Promise<void> = Promise.resolve();
    const started = Promise.all([tail, ready]).then(() => {
      sent = send();
    });
    const settled = started.catch(() => {});
    this.#tails.set(pane.paneId, settled);
    void settled.then(() => {
      if (this.#tails.get(pane.paneId) === settled) this.#tails.delete(pane.paneId);
    });
    return started.then(() => sent);
  }
}

/** Keys that end or throw away a line, as the bytes that they are; any other stands for one byte of it. */
const LINE_KEYS: Readonly<Record<string, number>> = { Enter: 0x0d, 'C-m': 0x0d, 'C-j': 0x0a, 'C-d': 0x04, 'C-c': 0x03, 'C-u': 0x15 };

function asByte(key: string): number {
  return LINE_KEYS[key] ?? 0x78;
}

function hexKeys(paneId: string, bytes: Uint8Array): Command[] {
  const chunks = Array.from({ length: Math.ceil(bytes.length / KEYS_CHUNK) }, (_, index) =>
    bytes.subarray(index * KEYS_CHUNK, (index + 1) * KEYS_CHUNK),
  );
  return chunks.map((chunk) => ({
    text: `send-keys -H -t '${paneId}' ${Buffer.from(chunk).toString('hex').replace(/../g, '$& ')}`.trimEnd(),
    replies: 1,
  }));
}
