import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ResumeProgress, Session } from '../../src/protocol/index.js';
import { FakeEvents, fakeProgress } from '../support/agent-answers.js';
import { FakeDaemon, fakeSession } from '../support/fake-daemon.js';
import type { Ran } from '../support/run-maestro.js';
import { until } from '../support/until.js';

const BIN = join(import.meta.dirname, '../../bin/maestro.js');

let fake: FakeDaemon;
let events: FakeEvents;
let sessions: Session[];
let progress: ResumeProgress;
beforeEach(async () => {
  fake = await FakeDaemon.start();
  sessions = ['a', 'b', 'c'].map((name) => fakeSession({ status: 'dormant', metadata: { name: `${name}\x07` } }));
  events = new FakeEvents(() => ({ type: 'snapshot', sessions }));
  progress = fakeProgress({ waiting: ids() });
  fake.routes = ({ path }) => (path === '/api/events' ? events.answer : path === '/api/resumes' ? { json: progress } : undefined);
});
afterEach(() => fake[Symbol.asyncDispose]());

const ids = () => sessions.map(({ id }) => id);
const posts = () => fake.asked.filter(({ method }) => method === 'POST');

/** The command while it runs. */
class Running {
  readonly #child: ChildProcess;
  readonly ended: Promise<Ran>;
  stdout = '';
  stderr = '';

  constructor(...words: string[]) {
    this.#child = spawn(process.execPath, [BIN, 'resume', '--all', ...words], {
      env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', MAESTRO_STATE_DIR: fake.state },
    });
    this.#child.stdout?.on('data', (text: Buffer) => {
      this.stdout += text.toString();
    });
    this.#child.stderr?.on('data', (text: Buffer) => {
      this.stderr += text.toString();
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => resolve({ code: signal ?? code ?? 0, stdout: this.stdout, stderr: this.stderr }));
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

function come(next: Partial<ResumeProgress>): void {
  progress = fakeProgress(next);
  events.send({ type: 'resumes', progress });
}

const begun = () => until('the daemon to be asked', () => posts().length === 1 && events.readers === 1);

test('tells of each session as it comes, in that order, and sums up', async () => {
  const [a = '', b = '', c = ''] = ids();
  const running = new Running();
  await begun();
  come({ waiting: [a], resuming: [b, c] });
  come({ resuming: [a, c], resumed: [b] });
  await until('the first line', () => running.stdout === 'resumed b\\x07 (1 of 3)\n');
  events.send({ type: 'later' });
  come({ resuming: [a], resumed: [b], failed: [{ id: c, code: 'cwd_missing', message: 'gone\x1b[2J' }] });
  come({ resumed: [b, a], failed: [{ id: c, code: 'cwd_missing', message: 'gone\x1b[2J' }] });
  expect(await running.ended).toEqual({
    code: 1,
    stdout: 'resumed b\\x07 (1 of 3)\nresumed a\\x07 (3 of 3)\nresumed 2 sessions; 1 of 3 failed\n',
    stderr: 'maestro: c\\x07 was not resumed (2 of 3): gone\\x1b[2J\n',
  });
  expect(posts().map(({ path, body }) => [path, body])).toEqual([['/api/resumes', {}]]);
});

test('--json prints how it ended, and nothing else', async () => {
  const running = new Running('--json');
  await begun();
  come({ resumed: ids() });
  const { code, stdout } = await running.ended;
  expect({ code, document: JSON.parse(stdout) as unknown }).toEqual({ code: 0, document: fakeProgress({ resumed: ids() }) });
});

test('what is through at once needs no event', async () => {
  progress = fakeProgress({ resumed: ids() });
  expect(await new Running().ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/\(3 of 3\)\nresumed 3 sessions\n$/) });
});

test('with none dormant asks for nothing and is done', async () => {
  sessions = [fakeSession(), fakeSession({ status: 'dead' })];
  expect(await new Running().ended).toEqual({ code: 0, stdout: 'no session is dormant\n', stderr: '' });
  expect(JSON.parse((await new Running('--json').ended).stdout)).toEqual(fakeProgress());
  expect(posts()).toEqual([]);
});

test('what an earlier resume of many had done is not told as done by this one', async () => {
  const [a = '', ...others] = ids();
  sessions = sessions.map((session) => (session.id === a ? { ...session, status: 'running' } : session));
  progress = fakeProgress({ waiting: others, resumed: [a] });
  const running = new Running();
  await begun();
  events.send({ type: 'resumes', progress: fakeProgress({ resumed: [a] }) });
  come({ resumed: ids() });
  expect((await running.ended).stdout).toMatch(/^resumed b.*\(1 of 2\)\nresumed c.*\(2 of 2\)\nresumed 2 sessions\n$/);
});

test('one that had failed and is tried again is told when it is through', async () => {
  const [a = '', ...others] = ids();
  progress = fakeProgress({ waiting: ids(), failed: [{ id: a, code: 'cwd_missing', message: 'gone' }] });
  const running = new Running();
  await begun();
  come({ resumed: [...others, a], failed: [] });
  expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s leaves the daemon going on and says so', async (signal, code) => {
  const [a = '', ...others] = ids();
  const running = new Running();
  await begun();
  come({ resuming: others, resumed: [a] });
  await until('the first line', () => running.stdout !== '');
  running.signal(signal);
  expect(await running.ended).toMatchObject({ code, stderr: 'the daemon goes on with the other 2; maestro ls shows how far it is\n' });
});

test('a connection that breaks is made again, and nothing is asked for twice', async () => {
  const running = new Running();
  await begun();
  progress = fakeProgress({ resumed: ids() });
  events.end();
  expect(await running.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('resumed 3 sessions\n') });
  expect(posts()).toHaveLength(1);
});

test('a daemon that goes away, or comes back without knowing, is told with what to do', async () => {
  const [a = '', ...others] = ids();
  const cut = new Running();
  await begun();
  come({ waiting: others, resumed: [a] });
  await until('the first line', () => cut.stdout !== '');
  await fake.stop();
  const told = 'the daemon went away after 1 of 3; once it runs again (maestro up --detach), to go on: maestro resume --all';
  expect(await cut.ended).toMatchObject({ code: 1, stderr: `maestro: ${told}\n` });

  progress = fakeProgress({ waiting: ids() });
  await fake.listen();
  fake.asked.length = 0;
  const anew = new Running();
  await begun();
  progress = fakeProgress();
  events.end();
  const lost = 'maestro: the daemon was restarted and has given up the other 3 of 3; to go on: maestro resume --all\n';
  expect(await anew.ended).toMatchObject({ code: 1, stderr: lost });
});
