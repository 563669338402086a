import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Reply } from '../../../src/daemon/panes/control-request.js';
import { TmuxControl } from '../../../src/daemon/panes/tmux-control.js';
import { command, either } from '../../../src/daemon/panes/tmux-quote.js';
import { TmuxSandbox } from '../../support/tmux-server.js';
import { until } from '../../support/until.js';

let sandbox: TmuxSandbox;
let control: TmuxControl;
let serverPid: number;

beforeEach(async () => {
  sandbox = await TmuxSandbox.create();
  await using panes = await sandbox.start();
  serverPid = panes.serverIdentity?.pid ?? 0;
  control = await attached();
});

afterEach(async () => {
  process.kill(serverPid, 'SIGCONT');
  await control[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

function attach({ session = 'maestro-ctl', tmuxPath = 'tmux', signal = new AbortController().signal } = {}) {
  const env = { PATH: process.env.PATH ?? '', HOME: sandbox.home };
  return TmuxControl.attach({ program: { tmuxPath, socketPath: sandbox.socketPath, env, launcher: [] }, session, signal });
}

async function attached(): Promise<TmuxControl> {
  const result = await attach();
  if (result.kind !== 'attached') throw new Error(result.reason);
  return result.control;
}

const OPTIONS = { timeoutMs: 20_000 };
const say = (word: string) => command('display-message', '-p', word);
const FAILS = command('kill-session', '-t', '=nobody');
const UNKNOWN = command('no-such-command');

function told(reply: Reply): string[] {
  return [...reply.bodies.map(String), ...(reply.ok ? [] : [`failed: ${reply.failure}`])];
}

describe('a line', () => {
  test('is answered by one body for each command', async () => {
    expect(told(await control.run([say('a'), say('b'), say('c')], OPTIONS))).toEqual(['a', 'b', 'c']);
  });

  test('ends at the command that fails', async () => {
    expect(told(await control.run([say('a'), FAILS, say('never')], OPTIONS))).toEqual(['a', "failed: can't find session: nobody"]);
  });

  test('that tmux cannot parse runs no command', async () => {
    const reply = await control.run([command('set-option', '-g', '@parsed', 'yes'), UNKNOWN], OPTIONS);
    expect(told(reply)).toEqual(['failed: parse error: unknown command: no-such-command']);
    expect(told(await control.run([command('show-options', '-g', '-q', '-v', '@parsed')], OPTIONS))).toEqual(['']);
  });

  test('keeps its answers apart from those of lines before and behind, whichever of them fail', async () => {
    const kinds = [
      { commands: [say('one')], expected: ['one'] },
      { commands: [say('a'), say('b'), FAILS, say('c')], expected: ['a', 'b', "failed: can't find session: nobody"] },
      { commands: [UNKNOWN, say('x')], expected: ['failed: parse error: unknown command: no-such-command'] },
      { commands: [FAILS], expected: ["failed: can't find session: nobody"] },
      { commands: [say('p'), either('1', '=maestro-ctl:', say('yes'), say('no')), say('q')], expected: ['p', '', 'yes', 'q'] },
      { commands: [either('0', '=maestro-ctl:', say('yes'), FAILS)], expected: ['', "failed: can't find session: nobody"] },
      { commands: [say('%%end 1 1 1'), say('%%exit')], expected: ['%end 1 1 1', '%exit'] },
    ];
    let seed = 7;
    const picks = Array.from({ length: 2000 }, () => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return kinds[seed % kinds.length] ?? kinds[0];
    });
    const replies = await Promise.all(picks.map((kind) => control.run(kind?.commands ?? [], OPTIONS)));
    expect(replies.map(told)).toEqual(picks.map((kind) => kind?.expected));
  });

  test('keeps its answers apart from what hooks run', async () => {
    await control.run([command('set-hook', '-g', 'after-show-options', 'display-message -p hooked')], OPTIONS);
    const show = command('show-options', '-g', '-v', 'mouse');
    expect(told(await control.run([show, show, say('x')], OPTIONS))).toEqual(['off', 'off', 'x']);
  });

  test('may be larger than any session needs', async () => {
    const large = `${"it's large\n".repeat(400_000)}end`;
    const reply = await control.run(
      [command('set-option', '-g', '@large', large), command('show-options', '-g', '-v', '@large'), say('x')],
      OPTIONS,
    );
    expect(reply.ok && reply.bodies[1]?.toString() === large).toBe(true);
  });

  test('arrives byte for byte in every text', async () => {
    const words = [
      "'",
      '"',
      '\\',
      '\n',
      'a\nb\n',
      ';',
      'a;',
      '#{pid}',
      '#(touch pwned)',
      '%H',
      '$HOME',
      '~',
      '{',
      '}',
      '\t\r\u0001\u007f',
      'ü🎉',
      ' ',
      '%if',
    ];
    for (const word of words) {
      const reply = await control.run(
        [command('set-option', '-g', '--', '@word', word), command('show-options', '-g', '-v', '@word')],
        OPTIONS,
      );
      expect(reply.ok && reply.bodies[1]?.toString()).toBe(word);
    }
  });
});

describe('a request that is given up', () => {
  test('rejects, and its late answer goes where it was asked for and to nobody else', async () => {
    process.kill(serverPid, 'SIGSTOP');
    const late: string[][] = [];
    const first = control.run([say('slow'), FAILS], { timeoutMs: 30, late: (reply) => late.push(told(reply)) });
    const second = control.run([say('second')], OPTIONS);
    await expect(first).rejects.toMatchObject({ code: 'tmux_unavailable' });
    expect(control.busy).toBe(true);
    process.kill(serverPid, 'SIGCONT');
    expect(told(await second)).toEqual(['second']);
    expect(late).toEqual([['slow', "failed: can't find session: nobody"]]);
    expect(control.busy).toBe(false);
  });

  test('before it was sent is never carried out', async () => {
    process.kill(serverPid, 'SIGSTOP');
    const filling = control.run([command('set-option', '-g', '@large', 'x'.repeat(4 << 20))], OPTIONS);
    const given = control.run([command('set-option', '-g', '@given', 'yes')], { timeoutMs: 30 });
    await expect(given).rejects.toMatchObject({ code: 'tmux_unavailable' });
    process.kill(serverPid, 'SIGCONT');
    await filling;
    expect(told(await control.run([command('show-options', '-g', '-q', '-v', '@given')], OPTIONS))).toEqual(['']);
  });

  test('by its signal rejects with the reason of that', async () => {
    const reason = new Error('not any more');
    const ending = new AbortController();
    process.kill(serverPid, 'SIGSTOP');
    const request = control.run([say('x')], { ...OPTIONS, signal: ending.signal });
    ending.abort(reason);
    await expect(request).rejects.toBe(reason);
    await expect(control.run([say('x')], { ...OPTIONS, signal: ending.signal })).rejects.toBe(reason);
  });

  test('does not let more pile up than a bound', async () => {
    process.kill(serverPid, 'SIGSTOP');
    const large = command('set-option', '-g', '@large', 'x'.repeat(8 << 20));
    const requests = Array.from({ length: 12 }, () => control.run([large], OPTIONS).catch((error: { message: string }) => error.message));
    expect(await Promise.race(requests)).toContain('Too much is waiting');
    control.kill();
    await Promise.all(requests);
  });
});

describe('the end of the client', () => {
  test('rejects every request that waits and says why', async () => {
    process.kill(serverPid, 'SIGSTOP');
    const requests = [control.run([say('a')], OPTIONS), control.run([say('b')], OPTIONS)];
    process.kill(serverPid, 'SIGKILL');
    for (const request of requests) await expect(request).rejects.toMatchObject({ code: 'tmux_unavailable' });
    expect(await control.closed).toBe('server exited unexpectedly');
    await expect(control.run([say('c')], OPTIONS)).rejects.toMatchObject({ code: 'tmux_unavailable' });
  });

  test('leaves the server and its sessions', async () => {
    await control[Symbol.asyncDispose]();
    await control[Symbol.asyncDispose]();
    expect(await sandbox.tmux('list-sessions', '-F', '#{session_name}')).toBe('maestro-ctl\n');
    await until('the client to be gone', async () => (await sandbox.tmux('list-clients')) === '');
  });

  test('does not wait for a server that is stopped', async () => {
    process.kill(serverPid, 'SIGSTOP');
    await control[Symbol.asyncDispose]();
    expect(control.busy).toBe(false);
  });
});

describe('an attach', () => {
  test('tells that the control session is missing', async () => {
    expect(await attach({ session: 'other' })).toMatchObject({ kind: 'no_session' });
  });

  test('tells that no server listens, and starts none', async () => {
    process.kill(serverPid, 'SIGKILL');
    await control.closed;
    expect(await attach()).toMatchObject({ kind: 'no_server' });
    await sandbox.removeSocket();
    expect(await attach()).toMatchObject({ kind: 'no_server' });
  });

  test('tells that there is no tmux', async () => {
    const result = await attach({ tmuxPath: '/nowhere/tmux' });
    expect(result).toMatchObject({ kind: 'failed', reason: expect.stringContaining('ENOENT') });
  });

  test('waits for a server that is silent until it is given up', async () => {
    process.kill(serverPid, 'SIGSTOP');
    const ending = new AbortController();
    const attaching = attach({ signal: ending.signal });
    ending.abort();
    expect(await attaching).toMatchObject({ kind: 'failed' });
  });
});
