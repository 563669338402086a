import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs shell text with programs that print their arguments in the place of all others. */
export class FakeAgent implements Disposable {
  readonly #root = mkdtempSync(join(tmpdir(), 'm-'));

  constructor(...names: readonly string[]) {
    mkdirSync(join(this.#root, 'bin'));
    mkdirSync(join(this.#root, 'cwd'));
    for (const name of names) {
      const file = join(this.#root, 'bin', name);
      writeFileSync(file, `#!/bin/sh\nprintf '%s\\0' "$#" "$@"\n`);
      chmodSync(file, 0o755);
    }
  }

  /** The arguments that each command gives to its program, all of them run one after the other. */
  run(commands: readonly string[], env: Readonly<Record<string, string>> = {}): string[][] {
    const quotedCommands = commands.map((command) => `/bin/sh -c '${command.replaceAll("'", "'\\''")}'`);
    const script = join(this.#root, 'script');
    writeFileSync(script, quotedCommands.join('\n'));
    const output = execFileSync('/bin/sh', [script], {
      cwd: join(this.#root, 'cwd'),
      env: { PATH: `${join(this.#root, 'bin')}:/usr/bin:/bin`, HOME: '/home/u', ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return split(output.split('\0').slice(0, -1));
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true });
  }
}

function split(words: readonly string[]): string[][] {
  const runs: string[][] = [];
  for (let at = 0; at < words.length; at += 1 + Number(words[at])) runs.push(words.slice(at + 1, at + 1 + Number(words[at])));
  return runs;
}
