import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../support/until.js';

const run = promisify(execFile);

export interface TmuxTerminalOptions {
  /** A directory for the socket, with a short path. */
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly size?: { readonly cols: number; readonly rows: number };
}

/** A terminal with a screen that can be read: a pane of a tmux server of its own, running one shell script. */
export class TmuxTerminal implements AsyncDisposable {
  readonly #socket: string;

  private constructor(socket: string) {
    this.#socket = socket;
  }

  static async open(script: string, { dir, env, size = { cols: 100, rows: 30 } }: TmuxTerminalOptions): Promise<TmuxTerminal> {
    const terminal = new TmuxTerminal(join(dir, 'outer.sock'));
    const assignments = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const program = ['env', '-u', 'TMUX', ...assignments, '/bin/sh', '-c', script];
    await terminal.tmux('new-session', '-d', '-x', String(size.cols), '-y', String(size.rows), ...program, ';', 'set', 'status', 'off');
    return terminal;
  }

  async tmux(...words: string[]): Promise<string> {
    const { stdout } = await run('tmux', ['-S', this.#socket, '-f', '/dev/null', ...words], {
      env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' },
    });
    return stdout;
  }

  /** All that was written, in lines as they were written and not as the width broke them. */
  async screen(): Promise<string> {
    return (await this.tmux('capture-pane', '-p', '-J', '-S', '-')).replace(/ +$/gm, '');
  }

  /** Waits until the screen holds the text. */
  shows(text: string | RegExp): Promise<string> {
    const has = (screen: string) => (typeof text === 'string' ? screen.includes(text) : text.test(screen));
    return until(`the terminal to show ${text}`, async () => {
      const screen = await this.screen();
      return has(screen) ? screen : undefined;
    });
  }

  async type(...keys: string[]): Promise<void> {
    await this.tmux('send-keys', ...keys);
  }

  async resize(cols: number, rows: number): Promise<void> {
    await this.tmux('resize-window', '-x', String(cols), '-y', String(rows));
  }

  /** What programs have switched on in this terminal. */
  async modes(): Promise<string> {
    const format =
      'alt=#{alternate_on} mouse=#{mouse_any_flag} cursor=#{cursor_flag} keys=#{keypad_cursor_flag}#{keypad_flag} insert=#{insert_flag}';
    return (await this.tmux('display-message', '-p', format)).trim();
  }

  async pid(): Promise<number> {
    return Number((await this.tmux('display-message', '-p', '#{pane_pid}')).trim());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.tmux('kill-server').catch(() => undefined);
  }
}
