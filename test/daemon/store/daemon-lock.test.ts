import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { DaemonLock, LOCKERS, probeSocket } from '../../../src/daemon/store/daemon-lock.js';
import type { StateDir } from '../../../src/daemon/store/state-dir.js';
import { CompiledStore } from './compiled-store.js';
import { failureOf } from './failures.js';
import { temporaryStateDir, withUmask } from './state-dirs.js';

const NO_LOCKERS = [['no-such-program-of-maestro']] as const;

const CONTENDER = `
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { DaemonLock } from './daemon/store/daemon-lock.js';
import { StateDir } from './daemon/store/state-dir.js';
const dir = new StateDir(process.argv[2]);
let lock;
const commands = {
  acquire: () => DaemonLock.acquire(dir).then((own) => { lock = own; return 'won'; }, (error) => error.code + ' ' + error.message),
  release: () => lock.release().then(() => 'released'),
  listen: () => new Promise((resolve) => createServer().listen(dir.socket, () => resolve('listens'))),
  child: () => {
    const child = spawn(process.execPath, ['-e', 'process.stdout.write("up"); setInterval(() => {}, 60_000)'], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    return new Promise((resolve) => child.stdout.once('data', () => resolve(child.pid)));
  },
};
for await (const line of createInterface({ input: process.stdin })) console.log(String(await commands[line]()));
process.exit();
`;

let store: CompiledStore;
beforeAll(() => {
  store = new CompiledStore();
});
afterAll(() => store.remove());

/** A process that takes the lock and does other things of a daemon when it is told to. Ended after the test. */
class Contender {
  readonly process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: Interface;

  constructor(dir: StateDir) {
    this.process = spawn(process.execPath, [store.script('contender.js', CONTENDER), dir.root], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#answers = createInterface({ input: this.process.stdout });
    onTestFinished(() => this.kill());
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  async ask(command: 'acquire' | 'release' | 'listen' | 'child'): Promise<string> {
    const answer = once(this.#answers, 'line') as Promise<[string]>;
    this.process.stdin.write(`${command}\n`);
    return (await answer)[0];
  }

  async kill(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exit = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await exit;
  }
}

async function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  onTestFinished(() => void server.close());
  server.listen(path);
  await once(server, 'listening');
  return server;
}

test('L4: of four daemons that start at once exactly one wins, in every one of 25 rounds', async () => {
  const dir = await temporaryStateDir();
  const contenders = Array.from({ length: 4 }, () => new Contender(dir));
  for (let round = 0; round < 25; round += 1) {
    const answers = await Promise.all(contenders.map((contender) => contender.ask('acquire')));
    expect(answers.filter((answer) => answer === 'won')).toHaveLength(1);
    expect(answers.filter((answer) => answer.startsWith('already_running another Maestro daemon'))).toHaveLength(3);
    await contenders[answers.indexOf('won')]?.ask('release');
  }
});

test('L4: the refusal names the directory, the pid and what to do', async () => {
  const dir = await temporaryStateDir();
  const holder = new Contender(dir);
  expect(await holder.ask('acquire')).toBe('won');
  const error = await failureOf(DaemonLock.acquire(dir));
  expect(error.code).toBe('already_running');
  expect(error.message).toBe(
    `another Maestro daemon (pid ${holder.pid}) runs on ${dir.root}; \`maestro status\` shows it, \`maestro down\` stops it`,
  );
  expect(error.details).toEqual({ state_dir: dir.root, pid: holder.pid });
});

test('L4: kill -9 of the holder frees the lock, though its socket file stays behind', async () => {
  const dir = await temporaryStateDir();
  const holder = new Contender(dir);
  expect(await holder.ask('acquire')).toBe('won');
  expect(await holder.ask('listen')).toBe('listens');
  expect(await probeSocket(dir.socket)).toBe('answers');
  await holder.kill();
  expect(await probeSocket(dir.socket)).toBe('stale');
  await using lock = await DaemonLock.acquire(dir);
  expect(lock.warning).toBeUndefined();
  expect(await probeSocket(dir.socket)).toBe('absent');
});

test('L4: a holder that is stopped still holds it', async () => {
  const dir = await temporaryStateDir();
  const holder = new Contender(dir);
  expect(await holder.ask('acquire')).toBe('won');
  holder.process.kill('SIGSTOP');
  expect((await failureOf(DaemonLock.acquire(dir))).code).toBe('already_running');
});

test('a child that outlives the holder does not hold the lock on', async () => {
  const dir = await temporaryStateDir();
  const holder = new Contender(dir);
  expect(await holder.ask('acquire')).toBe('won');
  const child = Number(await holder.ask('child'));
  onTestFinished(() => void process.kill(child, 'SIGKILL'));
  if (process.platform === 'linux') {
    const fds = await readdir(`/proc/${child}/fd`);
    const open = await Promise.all(fds.map((fd) => readlink(`/proc/${child}/fd/${fd}`).catch(() => '')));
    expect(open.filter((path) => path.startsWith(dir.root))).toEqual([]);
  }
  await holder.kill();
  await using lock = await DaemonLock.acquire(dir);
  expect(lock.warning).toBeUndefined();
  process.kill(child, 0);
});

test('within one process too, only one holds it; released or disposed it is free, and releasing twice does no harm', async () => {
  const dir = await temporaryStateDir();
  const first = await DaemonLock.acquire(dir);
  expect((await failureOf(DaemonLock.acquire(dir))).code).toBe('already_running');
  await first.release();
  {
    await using second = await DaemonLock.acquire(dir);
    await first.release();
    expect(second.warning).toBeUndefined();
    expect((await failureOf(DaemonLock.acquire(dir))).code).toBe('already_running');
  }
  await using third = await DaemonLock.acquire(dir);
  expect(third.warning).toBeUndefined();
});

test('the lock file is private, says who holds it, and stays', async () => {
  const dir = await temporaryStateDir();
  await writeFile(dir.lock, `${'9'.repeat(500)}\n`, { mode: 0o600 });
  await withUmask(0, () => DaemonLock.acquire(dir).then((lock) => lock.release()));
  expect(await readFile(dir.lock, 'utf8')).toMatch(new RegExp(`^${process.pid} since \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z\\n$`));
  expect((await stat(dir.lock)).mode & 0o777).toBe(0o600);
});

test('the pid of a holder that has died is not named', async () => {
  const dir = await temporaryStateDir();
  await using lock = await DaemonLock.acquire(dir);
  await writeFile(dir.lock, '2147483646 since yesterday\n');
  expect((await failureOf(DaemonLock.acquire(dir))).message).toMatch(/^another Maestro daemon runs on /);
  expect(lock.warning).toBeUndefined();
});

describe('the socket', () => {
  test('that answers refuses a second daemon, though the lock file was deleted', async () => {
    const dir = await temporaryStateDir();
    await using first = await DaemonLock.acquire(dir);
    await listen(dir.socket);
    await rm(dir.lock);
    expect((await failureOf(DaemonLock.acquire(dir))).code).toBe('already_running');
    expect(await probeSocket(dir.socket)).toBe('answers');
    expect(first.warning).toBeUndefined();
  });

  test('is left alone by a daemon that does not get the lock', async () => {
    const dir = await temporaryStateDir();
    await using first = await DaemonLock.acquire(dir);
    await writeFile(dir.socket, 'about to be bound');
    await failureOf(DaemonLock.acquire(dir));
    expect(await probeSocket(dir.socket)).toBe('stale');
    expect(first.warning).toBeUndefined();
  });
});

describe('without flock', () => {
  test('perl takes the same lock', async () => {
    const dir = await temporaryStateDir();
    const perl = LOCKERS.filter(([file]) => file === 'perl');
    const lock = await DaemonLock.acquire(dir, { lockers: [...NO_LOCKERS, ...perl] });
    expect(lock.warning).toBeUndefined();
    expect((await failureOf(DaemonLock.acquire(dir, { lockers: perl }))).code).toBe('already_running');
    expect((await failureOf(DaemonLock.acquire(dir))).code).toBe('already_running');
    await lock.release();
    await using again = await DaemonLock.acquire(dir, { lockers: perl });
    expect(again.warning).toBeUndefined();
  });

  test('and without perl, the socket alone decides, with a warning', async () => {
    const dir = await temporaryStateDir();
    await using lock = await DaemonLock.acquire(dir, { lockers: NO_LOCKERS });
    expect(lock.warning).toMatch(/neither flock nor perl.*install/);
    await listen(dir.socket);
    expect((await failureOf(DaemonLock.acquire(dir, { lockers: NO_LOCKERS }))).code).toBe('already_running');
  });

  test('a locker that fails or is killed is not taken for an answer', async () => {
    const dir = await temporaryStateDir();
    for (const script of ['exit 66', 'kill -9 $$']) {
      await using lock = await DaemonLock.acquire(dir, { lockers: [['sh', '-c', script]] });
      expect(lock.warning).toBeDefined();
    }
  });
});

test('neither PATH nor PERL5OPT of the user decides whether the lock works', async () => {
  const dir = await temporaryStateDir();
  vi.stubEnv('PATH', '/nowhere');
  vi.stubEnv('PERL5OPT', '-Mno_such_module');
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const locker of LOCKERS) {
    await using lock = await DaemonLock.acquire(dir, { lockers: [locker] });
    expect(lock.warning).toBeUndefined();
  }
});

test('a lock file that cannot be opened is storage_failed', async () => {
  const dir = await temporaryStateDir();
  await mkdir(dir.lock);
  expect((await failureOf(DaemonLock.acquire(dir))).code).toBe('storage_failed');
});
