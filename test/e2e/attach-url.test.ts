import { spawnSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { TmuxTerminal } from '../cli/attach/tmux-terminal.js';
import { isAlive, TestHost } from '../support/daemon-process.js';
import { until } from '../support/until.js';

const BIN = join(import.meta.dirname, '../../bin/maestro.js');
const CLEAN = 'alt=0 mouse=0 cursor=1 keys=00 insert=0';
const ALL_MODES = '\\033[?1000h\\033[?1006h\\033[?2004h\\033[?1004h\\033[?1h\\033=\\033[?25l\\033[4h\\033[3;10r\\033[1;31m';
/** Sets all that it can and then shows what it gets, byte for byte. */
const WITH_MODES = `printf '${ALL_MODES}HELLO'; stty raw -echo; exec cat -v`;

let host: TestHost;
let url: string;
let terminal: TmuxTerminal | undefined;

beforeAll(async () => {
  const listen = `127.0.0.1:${await freePort()}`;
  url = `http://${listen}`;
  host = await TestHost.create({ env: { MAESTRO_LISTEN: listen, MAESTRO_ALLOWED_HOSTS: '127.0.0.1' } });
  await host.start();
  // All that the command may find: it needs no tmux.
  await mkdir(join(host.dir, 'bin'));
  await symlink('/bin/stty', join(host.dir, 'bin', 'stty'));
});
afterAll(() => host[Symbol.asyncDispose]());
afterEach(async () => {
  await terminal?.[Symbol.asyncDispose]();
  terminal = undefined;
  for (const session of await host.sessions()) await host.kill(session.id);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function start(command: string, name = 'demo') {
  return host.create({ command, metadata: { name } });
}

/** Opens a terminal that runs the command, and afterwards shows its exit code and whether the terminal's settings are as before. */
async function open(words: string, env: Record<string, string> = {}): Promise<TmuxTerminal> {
  const maestro = `PATH=${join(host.dir, 'bin')} '${process.execPath}' '${BIN}' attach ${words}`;
  const script = `before=$(stty -g); echo BEFORE; ${maestro}; echo "code=$?"; [ "$before" = "$(stty -g)" ] && echo settings=same; exec cat -v`;
  terminal = await TmuxTerminal.open(script, {
    dir: host.dir,
    env: { MAESTRO_STATE_DIR: host.state, HOME: host.home, LANG: 'C.UTF-8', ...env },
  });
  return terminal;
}

async function endsWith(opened: TmuxTerminal, text: string | RegExp): Promise<string> {
  const screen = await opened.shows('settings=same');
  expect(screen).toMatch(text);
  expect(await opened.modes()).toBe(CLEAN);
  return screen;
}

/** The process of the command itself. */
async function commandPid(opened: TmuxTerminal): Promise<number> {
  const shell = await opened.pid();
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(shell)], { encoding: 'utf8' });
  return Number(stdout.trim().split('\n')[0]);
}

const count = (screen: string, line: string) => screen.split('\n').filter((one) => one.trim() === line).length;

/** Takes connections to the daemon that can be cut like a network. */
async function network() {
  const open = new Set<Socket>();
  let isUp = true;
  const server = createServer((near) => {
    if (!isUp) {
      near.destroy();
      return;
    }
    const far = connect(Number(new URL(url).port), '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one
        .on('error', () => {})
        .on('close', () => {
          open.delete(one);
          other.destroy();
        });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    isUp = false;
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => {
      isUp = true;
    },
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('attach --url', () => {
  test('shows the session, passes keys on, follows the size, and detaches with leader d from a terminal as it was', async () => {
    const { id } = await start(WITH_MODES);
    const opened = await open(`demo --url ${url}`);
    await opened.shows('HELLO');
    expect(await opened.modes()).toBe('alt=0 mouse=1 cursor=0 keys=11 insert=1');
    await opened.type('-H', '61', '1b', '5b', '41', '03', '02', '02', '1b');
    await host.shows(id, 'a^[[A^C^B^[');
    await opened.resize(90, 25);
    await until('the pane to follow', async () => {
      const { size } = await host.session(id);
      return size.cols === 90 && size.rows === 25;
    });
    await opened.type('C-b');
    await opened.type('d');
    await endsWith(
      opened,
      new RegExp(
        `^BEFORE\nattached to demo: C-b d detaches\n[^]*detached from demo, which keeps running. Reattach: maestro attach demo --url ${url}\ncode=0\n`,
      ),
    );
    await opened.type('-H', '1b', '5b', '5a', '0a'); // plain keys again, and the terminal echoes them
    await opened.shows('^[[Z');
    expect((await host.session(id)).status).toBe('running');
  });

  test('leaves the alternate screen that the program is on, and shows what was there before', async () => {
    await start(`printf '\\033[?1049h${ALL_MODES}FULL'; exec cat`);
    const opened = await open(`demo --url ${url}`);
    await opened.shows('FULL');
    expect(await opened.modes()).toMatch(/^alt=1/);
    await opened.type('C-b', 'd');
    const screen = await endsWith(opened, /BEFORE\n.*detached from demo/s);
    expect(screen).not.toContain('FULL');
  });

  test('shows output as the program wrote it, line feeds included', async () => {
    await start(`stty raw; printf 'one\\ntwo'; exec cat`);
    const opened = await open(`demo --url ${url}`);
    await opened.shows(/^one\n {3}two/m);
  });

  test('T2: a daemon that is killed and started again is found again, no line is there twice, and keys typed meanwhile are refused', async () => {
    const { id } = await start(`i=0; while [ $i -lt 60 ]; do i=$((i+1)); echo line-$i; done; exec cat`);
    const opened = await open(`demo --url ${url}`);
    await opened.shows('line-60');
    await host.end('SIGKILL');
    await opened.type('l', 'o', 's', 't', 'Enter');
    await opened.shows('cut off from demo; trying again. Keys are refused; C-b d detaches');
    await host.start();
    await until('the notice to be gone', async () => !(await opened.screen()).includes('cut off'));
    await opened.shows('line-60');
    await opened.type('kept', 'Enter');
    const screen = await opened.shows(/kept\s+kept/);
    for (let line = 1; line <= 60; line++) expect(count(screen, `line-${line}`)).toBe(1);
    expect(screen).not.toContain('lost');
    expect(await host.screen(id)).not.toContain('lost');
    await opened.type('C-b', 'd');
    await endsWith(opened, /detached from demo/);
  });

  test('T2: a network that is cut and mended costs no byte, and what a notice covered comes back', async () => {
    await using cable = await network();
    const { id } = await start('stty -echo; echo first; while read line; do echo "got $line"; done');
    const opened = await open(`demo --url ${cable.url}`);
    await opened.shows('first');
    for (const notice of [false, true]) {
      cable.cut();
      if (notice) await opened.shows('cut off from demo');
      await host.call('POST', `/api/sessions/${id}/input`, { text: `away-${notice}`, submit: true });
      await host.shows(id, `got away-${notice}`);
      cable.mend();
      const screen = await until('what came meanwhile, in place of the notice', async () => {
        const now = await opened.screen();
        return now.includes(`got away-${notice}`) && !now.includes('cut off') ? now : undefined;
      });
      expect(count(screen, 'first')).toBe(1);
    }
    cable.cut();
    await opened.shows('cut off from demo');
    await opened.type('C-b', 'd');
    await endsWith(opened, /detached from demo.*code=0/s);
  });

  test('leader ? explains itself until the next key', async () => {
    await start('echo ready; exec cat');
    const opened = await open(`demo --url ${url}`);
    await opened.shows('ready');
    await opened.type('one', 'Enter');
    await opened.shows(/one\s+one/);
    await opened.type('C-b', '?');
    await opened.shows('C-b d detaches; C-b C-b sends C-b; C-b ? shows this');
    await opened.type('two', 'Enter');
    const screen = await opened.shows(/two\s+two/);
    expect(screen).not.toContain('sends C-b');
    expect(count(screen, 'one')).toBe(2);
  });

  test('shows the last of a flood, behind a terminal that is slower than the program', async () => {
    await start(`yes 0123456789012345678901234567890123456789 | head -c 30000000; echo; echo THE-END; exec cat`);
    const opened = await open(`demo --url ${url}`);
    await opened.shows('THE-END');
    await opened.type('C-b', 'd');
    await endsWith(opened, /THE-END.*detached from demo/s);
  });
});

describe('attach --url tells', () => {
  test('how the program ended, with all of its output', async () => {
    await start('echo begun; read line; seq -f last-%g 1 50; exit 3');
    const opened = await open(`demo --url ${url}`);
    await opened.shows('begun');
    await opened.type('Enter');
    const screen = await endsWith(opened, /last-50\n+demo exited with code 3.*\ncode=0/);
    for (const line of [1, 25, 50]) expect(count(screen, `last-${line}`)).toBe(1);
  });

  test('that the session was killed', async () => {
    const { id } = await start(WITH_MODES);
    const opened = await open(`${id.slice(0, 8)} --url ${url}`);
    await opened.shows('HELLO');
    await host.kill(id);
    await endsWith(opened, /demo was killed\ncode=0/);
  });

  test('that a session does not run, and how to resume it', async () => {
    const { id } = await start('echo HELLO; exec cat');
    await host.killTmux();
    await host.reaches(id, 'dormant');
    const maestro = `'${process.execPath}' '${BIN}'`;
    const opened = await open(`demo --url ${url}; ${maestro} attach demo --resume --url ${url}`);
    await opened.shows('HELLO');
    await opened.type('C-b', 'd');
    await endsWith(opened, new RegExp(`maestro: demo is dormant; maestro attach --resume demo --url ${url} brings it back and shows it`));
  });

  test('that the token is wrong, that nobody answers, and that there is no such session', async () => {
    const words = `demo --url ${url}; echo "code=$?"; ${`MAESTRO_TOKEN=${host.token} '${process.execPath}' '${BIN}'`} attach nope --url ${url}`;
    const opened = await open(words, { MAESTRO_TOKEN: 'wrong' });
    const screen = await opened.shows('settings=same');
    const [wrong = '', nope = ''] = screen.split('code=');
    expect(wrong.replaceAll('\n', '')).toContain(
      `maestro: the daemon at ${url} does not take the token from MAESTRO_TOKEN; it is the content of \`token\``,
    );
    expect(nope).toMatch(/^1\nmaestro: no session is called nope/);
    expect(screen).toContain('code=4');
  });
});

describe('attach --url puts the terminal back', () => {
  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('after %s', async (signal, code) => {
    const { id } = await start(WITH_MODES);
    const opened = await open(`demo --url ${url}`);
    await opened.shows('HELLO');
    process.kill(await commandPid(opened), signal);
    await endsWith(opened, `code=${code}`);
    expect((await host.session(id)).status).toBe('running');
  });

  test('after an error that nobody expected, also from the alternate screen', async () => {
    await start(`printf '\\033[?1049h${ALL_MODES}FULL'; exec cat`);
    const trap = join(host.dir, 'trap.mjs');
    await writeFile(trap, `process.on('SIGUSR2', () => { throw new Error('boom'); });`);
    const opened = await open(`demo --url ${url}`, { NODE_OPTIONS: `--import=${trap}` });
    await opened.shows('FULL');
    process.kill(await commandPid(opened), 'SIGUSR2');
    await endsWith(opened, /code=[17]/);
  });

  test('when the terminal itself goes away the command ends', async () => {
    const { id } = await start(WITH_MODES);
    const opened = await open(`demo --url ${url}`);
    await opened.shows('HELLO');
    const pid = await commandPid(opened);
    await opened[Symbol.asyncDispose]();
    await until('the command to end', () => !isAlive(pid));
    expect((await host.session(id)).status).toBe('running');
  });
});
