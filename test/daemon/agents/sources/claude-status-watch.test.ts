import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ClaudeStatusWatch, type FollowOptions } from '../../../../src/daemon/agents/sources/claude-status-watch.js';
import { identify } from '../../../../src/daemon/process-identity.js';
import { until } from '../../../support/until.js';

let home: string;
let config: string;
let sessions: string;
let watch: ClaudeStatusWatch;
let problems: unknown[];
let children: ChildProcess[];
let stops: AbortController[];
const ownPid = process.pid;

/** How many watches this process has, as the kernel counts them. */
function watchers(): number {
  const inotify = readdirSync('/proc/self/fdinfo').flatMap((fd) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').match(/^inotify /gm) ?? [];
    } catch {
      return [];
    }
  });
  return inotify.length;
}

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'm-'));
  config = join(home, '.claude');
  sessions = join(config, 'sessions');
  problems = [];
  children = [];
  stops = [];
  watch = new ClaudeStatusWatch({ onProblem: (_, error) => problems.push(error) });
});
afterEach(async () => {
  for (const stop of stops) stop.abort();
  watch.close();
  for (const child of children) {
    const end = once(child, 'exit');
    child.kill('SIGKILL');
    await end;
  }
  await until('all watches to be closed', () => watchers() === 0);
  rmSync(home, { recursive: true });
});

async function aProcess(): Promise<number> {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  children.push(child);
  await once(child, 'spawn');
  return child.pid ?? 0;
}

const fileOf = (pid: number) => join(sessions, `${pid}.json`);

/** As Claude 2.1.332 writes it, in place. */
function write(pid: number, status: string, more: Record<string, unknown> = {}): void {
  const file = { pid, sessionId: '3c56ddd4-ce50-4fc0-8cb2-6d758a18c71b', cwd: home, startedAt: 7, status, statusUpdatedAt: 8, ...more };
  writeFileSync(fileOf(pid), JSON.stringify(file));
}

interface Followed {
  /** What was told: `<pid> <status>` or `<pid> gone`. */
  readonly told: string[];
  readonly owns: ReturnType<typeof vi.fn<(pid: number) => Promise<boolean>>>;
  readonly stop: () => void;
}

function follow(pids: readonly number[], more: Partial<FollowOptions> = {}): Followed {
  const told: string[] = [];
  const stop = new AbortController();
  stops.push(stop);
  const owns = vi.fn((pid: number) => Promise.resolve(pids.includes(pid)));
  watch.follow({
    directory: config,
    owns,
    onStatus: (file, pid) => told.push(`${pid} ${String((file as { status: unknown }).status)}`),
    onGone: (pid) => told.push(`${pid} gone`),
    signal: stop.signal,
    ...more,
  });
  return { told, owns, stop: () => stop.abort() };
}

const hears = (followed: Followed, told: string) =>
  until(`${told} after ${JSON.stringify(followed.told)}`, () => followed.told.at(-1) === told);

describe('Claude’s status files', () => {
  test('are told of when they change, in order, and the same text once', async () => {
    mkdirSync(sessions, { recursive: true });
    const followed = follow([ownPid]);
    write(ownPid, 'idle');
    await hears(followed, `${ownPid} idle`);
    write(ownPid, 'busy');
    await hears(followed, `${ownPid} busy`);
    write(ownPid, 'busy');
    write(ownPid, 'waiting');
    await hears(followed, `${ownPid} waiting`);
    rmSync(fileOf(ownPid));
    await hears(followed, `${ownPid} gone`);
    expect(new Set(followed.told).size).toBe(followed.told.length);
    expect(problems).toEqual([]);
  });

  test('are told of as they are when following begins', async () => {
    mkdirSync(sessions, { recursive: true });
    write(ownPid, 'busy');
    await hears(follow([ownPid]), `${ownPid} busy`);
  });

  test('are told of by one watch only to the session whose process it is, which is asked for once', async () => {
    mkdirSync(sessions, { recursive: true });
    const other = await aProcess();
    const [mine, theirs] = [follow([ownPid]), follow([other])];
    write(ownPid, 'idle');
    write(other, 'idle');
    await hears(mine, `${ownPid} idle`);
    await hears(theirs, `${other} idle`);
    expect(watchers()).toBe(1);
    for (const status of ['busy', 'waiting', 'idle']) {
      write(ownPid, status);
      await hears(mine, `${ownPid} ${status}`);
    }
    expect(theirs.told).toEqual([`${other} idle`]);
    expect(mine.owns.mock.calls.filter(([pid]) => pid === ownPid)).toHaveLength(1);
    expect(theirs.owns.mock.calls.filter(([pid]) => pid === ownPid)).toHaveLength(1);
  });

  test('of a process that nobody had are told to a session that comes later', async () => {
    mkdirSync(sessions, { recursive: true });
    const other = follow([]);
    write(ownPid, 'idle');
    await until('the question', () => other.owns.mock.calls.length > 0);
    const followed = follow([ownPid]);
    await hears(followed, `${ownPid} idle`);
    followed.stop();
    await hears(follow([ownPid]), `${ownPid} idle`);
    expect(other.told).toEqual([]);
    expect(other.owns).toHaveBeenCalledTimes(1);
  });

  test('are not told to a session that has ended', async () => {
    mkdirSync(sessions, { recursive: true });
    const [followed, other] = [follow([ownPid]), follow([])];
    write(ownPid, 'idle');
    await hears(followed, `${ownPid} idle`);
    followed.stop();
    write(ownPid, 'busy');
    const pid = await aProcess();
    write(pid, 'idle');
    await until('the file after it to be looked at', () => other.owns.mock.calls.some(([asked]) => asked === pid));
    expect(followed.told).toEqual([`${ownPid} idle`]);
    other.stop();
    expect(watchers()).toBe(0);
  });
});

describe('a status file', () => {
  test('that was read while it was written is read again', async () => {
    mkdirSync(sessions, { recursive: true });
    const followed = follow([ownPid]);
    writeFileSync(fileOf(ownPid), '');
    appendFileSync(fileOf(ownPid), `{"pid":${ownPid},`);
    await until('the torn file to be read', () => watchers() === 1);
    appendFileSync(fileOf(ownPid), '"status":"idle"}');
    await hears(followed, `${ownPid} idle`);
  });

  test('that another one takes the place of is told of', async () => {
    mkdirSync(sessions, { recursive: true });
    const followed = follow([ownPid]);
    write(ownPid, 'idle');
    await hears(followed, `${ownPid} idle`);
    writeFileSync(join(sessions, 'new'), JSON.stringify({ pid: ownPid, startedAt: 7, status: 'busy' }));
    renameSync(join(sessions, 'new'), fileOf(ownPid));
    await hears(followed, `${ownPid} busy`);
  });

  test('is believed with the start of its process, and not with that of one which had its pid before', async () => {
    mkdirSync(sessions, { recursive: true });
    const pid = await aProcess();
    const procStart = (await identify(ownPid))?.started;
    const followed = follow([ownPid, pid]);
    write(pid, 'idle', { procStart: '12' });
    write(ownPid, 'idle', { procStart });
    await hears(followed, `${ownPid} idle`);
    write(pid, 'busy', { procStart: '12' });
    write(ownPid, 'busy', { procStart });
    await hears(followed, `${ownPid} busy`);
    expect(followed.told).toEqual([`${ownPid} idle`, `${ownPid} busy`]);
    write(pid, 'busy', { procStart: (await identify(pid))?.started });
    await hears(followed, `${pid} busy`);
  });

  test('of a process that was killed is not believed', async () => {
    mkdirSync(sessions, { recursive: true });
    const pid = await aProcess();
    const [child] = children.splice(0);
    child?.kill('SIGKILL');
    await once(child ?? process, 'exit');
    write(pid, 'busy');
    write(ownPid, 'busy');
    const followed = follow([ownPid, pid]);
    await hears(followed, `${ownPid} busy`);
    write(ownPid, 'idle');
    await hears(followed, `${ownPid} idle`);
    expect(followed.told).toEqual([`${ownPid} busy`, `${ownPid} idle`]);
    expect(followed.owns).not.toHaveBeenCalledWith(pid);
  });

  test('is passed over when it is too long, no plain file, another’s or none of Claude’s', async () => {
    mkdirSync(sessions, { recursive: true });
    const pids = [await aProcess(), await aProcess(), await aProcess(), await aProcess()];
    const [long = 0, link = 0, pipe = 0, wrong = 0] = pids;
    const followed = follow([ownPid, ...pids]);
    write(long, 'x'.repeat(64 * 1024));
    writeFileSync(join(home, 'elsewhere'), JSON.stringify({ pid: link, status: 'busy' }));
    symlinkSync(join(home, 'elsewhere'), fileOf(link));
    execFileSync('mkfifo', [fileOf(pipe)]);
    write(wrong, 'busy', { pid: ownPid });
    writeFileSync(join(sessions, `${ownPid}.0f.key`), '{}');
    writeFileSync(join(sessions, '0.json'), 'null');
    write(ownPid, 'idle');
    await hears(followed, `${ownPid} idle`);
    expect(followed.told).toEqual([`${ownPid} idle`]);
    expect(problems).toEqual([]);
  });

  test('is asked about again after the question failed', async () => {
    mkdirSync(sessions, { recursive: true });
    const owns = vi.fn<(pid: number) => Promise<boolean>>().mockRejectedValueOnce(new Error('EMFILE')).mockResolvedValue(true);
    const followed = follow([], { owns });
    write(ownPid, 'idle');
    await until('the failure', () => problems.length === 1);
    write(ownPid, 'busy');
    await hears(followed, `${ownPid} busy`);
  });
});

describe('Claude’s directory', () => {
  test('may come later, and so may those above it', async () => {
    const followed = follow([ownPid], { directory: join(home, 'a', '.claude') });
    sessions = join(home, 'a', '.claude', 'sessions');
    await until('a watch', () => watchers() === 1);
    mkdirSync(join(home, 'a'));
    mkdirSync(sessions, { recursive: true });
    write(ownPid, 'idle');
    await hears(followed, `${ownPid} idle`);
    expect(watchers()).toBe(1);
    write(ownPid, 'busy');
    await hears(followed, `${ownPid} busy`);
    expect(problems).toEqual([]);
  });

  test('may go and come back, and get another name', async () => {
    const followed = follow([ownPid]);
    mkdirSync(sessions, { recursive: true });
    for (let round = 0; round < 3; round += 1) {
      write(ownPid, 'idle');
      await hears(followed, `${ownPid} idle`);
      rmSync(config, { recursive: true });
      await hears(followed, `${ownPid} gone`);
      mkdirSync(sessions, { recursive: true });
    }
    write(ownPid, 'idle');
    await hears(followed, `${ownPid} idle`);
    renameSync(sessions, `${sessions}.old`);
    mkdirSync(sessions);
    write(ownPid, 'busy');
    await hears(followed, `${ownPid} busy`);
    expect(watchers()).toBe(1);
    expect(problems).toEqual([]);
  });

  test('above which one got another name is found again with the next session', async () => {
    mkdirSync(sessions, { recursive: true });
    const followed = follow([ownPid]);
    write(ownPid, 'idle');
    await hears(followed, `${ownPid} idle`);
    renameSync(config, `${config}.old`);
    mkdirSync(sessions, { recursive: true });
    follow([]);
    write(ownPid, 'busy');
    await hears(followed, `${ownPid} busy`);
    write(ownPid, 'waiting');
    await hears(followed, `${ownPid} waiting`);
  });
});
