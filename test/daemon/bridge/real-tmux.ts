import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PaneSnapshot } from '../../../src/daemon/pane-snapshot.js';
import { until } from '../../support/until.js';

const run = promisify(execFile);

const FORMATS = [
  'cursor_x',
  'cursor_y',
  'cursor_flag',
  'insert_flag',
  'keypad_cursor_flag',
  'keypad_flag',
  'origin_flag',
  'wrap_flag',
  'mouse_all_flag',
  'mouse_button_flag',
  'mouse_standard_flag',
  'mouse_sgr_flag',
  'scroll_region_upper',
  'scroll_region_lower',
  'alternate_on',
  'history_size',
] as const;
export type PaneFacts = Readonly<Record<(typeof FORMATS)[number], number>>;

/** A tmux server of its own, with panes that only show bytes. */
export class RealTmux implements AsyncDisposable {
  readonly dir = mkdtempSync(join(tmpdir(), 'm-'));
  readonly #socket = join(this.dir, 's');
  readonly #pid: number;
  #panes = 0;

  constructor() {
    const env = { PATH: process.env.PATH ?? '', HOME: this.dir, LANG: 'C.UTF-8' };
    const words = ['-S', this.#socket, '-f', '/dev/null', 'new-session', '-d', '-s', 'keep', 'exec sleep 1000', ';'];
    execFileSync('tmux', [...words, 'set', '-g', 'history-limit', '5000', ';', 'set', '-g', 'remain-on-exit', 'on'], { env, cwd: '/' });
    this.#pid = Number(execFileSync('tmux', ['-S', this.#socket, 'display', '-p', '#{pid}'], { env }).toString());
  }

  async command(...words: string[]): Promise<Buffer> {
    const { stdout } = await run('tmux', ['-S', this.#socket, ...words], { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  }

  /** The id of a new pane that has taken in `output`, as it is, and shows it from then on. */
  async show(output: Buffer | string, { cols, rows }: { cols: number; rows: number }): Promise<string> {
    this.#panes += 1;
    const file = join(this.dir, `output-${this.#panes}`);
    const done = join(this.dir, `done-${this.#panes}`);
    writeFileSync(file, output);
    const script = `stty raw -echo; cat ${file}; printf '\\033[5n'; head -c 1 >${done}; exec sleep 1000`;
    const words = ['new-session', '-d', '-P', '-F', '#{pane_id}', '-x', String(cols), '-y', String(rows)];
    const id = (await this.command(...words, '/bin/sh', '-c', script)).toString().trim();
    // tmux answers the report request once it has taken in all that came before it.
    await until('a pane to show its output', () => size(done) > 0);
    return id;
  }

  capture(pane: string, ...words: string[]): Promise<Buffer> {
    return this.command('capture-pane', '-p', '-t', pane, ...words);
  }

  async facts(pane: string): Promise<PaneFacts> {
    const told = (await this.command('display-message', '-p', '-t', pane, FORMATS.map((format) => `#{${format}}`).join(' ')))
      .toString()
      .trim()
      .split(' ');
    return Object.fromEntries(FORMATS.map((format, index) => [format, Number(told[index])])) as PaneFacts;
  }

  async snapshot(pane: string, size: { cols: number; rows: number }): Promise<PaneSnapshot> {
    const facts = await this.facts(pane);
    const alternate = facts.alternate_on === 1;
    const captured = async (...words: string[]) => withoutLastNewline(await this.capture(pane, '-e', '-J', ...words));
    const saved = async () => {
      const history = facts.history_size > 0 ? [await captured('-S', '-', '-E', '-1'), Buffer.from('\x1b[0m\x0f\n')] : [];
      return Buffer.concat([...history, await captured('-a', '-q')]);
    };
    return {
      normal: alternate ? await saved() : await captured('-S', '-'),
      ...(alternate ? { alternate: await captured() } : {}),
      cursor: { column: facts.cursor_x, row: facts.cursor_y, visible: facts.cursor_flag === 1 },
      size,
      modes: {
        insert: facts.insert_flag === 1,
        applicationCursor: facts.keypad_cursor_flag === 1,
        applicationKeypad: facts.keypad_flag === 1,
        origin: facts.origin_flag === 1,
        wrap: facts.wrap_flag === 1,
        mouse:
          facts.mouse_all_flag === 1
            ? 'any'
            : facts.mouse_button_flag === 1
              ? 'button'
              : facts.mouse_standard_flag === 1
                ? 'standard'
                : 'off',
        mouseSgr: facts.mouse_sgr_flag === 1,
        scrollRegion: { top: facts.scroll_region_upper, bottom: facts.scroll_region_lower },
      },
      title: '',
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.command('kill-server').catch(() => undefined);
    await until('the tmux server to end', () => !isAlive(this.#pid));
    rmSync(this.dir, { recursive: true, force: true });
  }
}

function size(file: string): number {
  try {
    return readFileSync(file).length;
  } catch {
    return 0;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function withoutLastNewline(text: Buffer): Buffer {
  return text.at(-1) === 0x0a ? text.subarray(0, -1) : text;
}
