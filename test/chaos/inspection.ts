import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Salvage, Session, WorktreeEntry } from '../../src/protocol/index.js';
import type { TestHost } from '../support/daemon-process.js';
import type { GitRepo } from '../support/git-repo.js';

/**
 * What is there that no record knows, or is missing of what a record says; empty when all is as it should be. Some of it is put right in
 * the background, so what is found may be gone a moment later.
 */
export async function inspect(host: TestHost, repo: GitRepo): Promise<string[]> {
  const sessions = await host.sessions();
  return [
    ...(await paneFindings(host, sessions)),
    ...processFindings(host, sessions),
    ...(await fileFindings(host, sessions)),
    ...(await repositoryFindings(host, repo)),
  ];
}

const isUp = ({ status }: Session): boolean => status === 'running';

/** One live pane for each session that runs, of the run that its record names, and none for any other. */
async function paneFindings(host: TestHost, sessions: readonly Session[]): Promise<string[]> {
  const format = '#{session_name} #{@maestro_run} #{pane_dead}';
  const out = await host.tmux('list-panes', '-a', '-F', format);
  const panes = out.split('\n').filter((line) => line !== '' && !line.startsWith('maestro-ctl '));
  const wanted = await Promise.all(sessions.filter(isUp).map(async ({ id }) => `${id} ${(await host.sidecar(id)).run} 0`));
  const clients = (await host.tmux('list-clients', '-F', '#{client_pid}')).trim().split('\n');
  return [...difference('pane', panes, wanted), ...(clients.length === 2 ? [] : [`tmux has ${clients.length} control clients`])];
}

/** Processes carry the id of a session that is there, and the run that it is in. A program that tmux was killed under may outlive it. */
function processFindings(host: TestHost, sessions: readonly Session[]): string[] {
  const known = new Map(sessions.map((session) => [session.id, session]));
  return host.processes().flatMap((pid) => {
    const env = environmentOf(pid);
    const session = known.get(env.get('MAESTRO_SESSION_ID') ?? '');
    if (session === undefined) return env.size === 0 ? [] : [`process ${pid} of ${env.get('MAESTRO_SESSION_ID')}, which is gone`];
    if (session.status === 'dead' && session.exit?.reason === 'stopped') return [`process ${pid} of ${session.id}, which was stopped`];
    const { run } = JSON.parse(readFileSync(join(host.state, 'sessions', `${session.id}.json`), 'utf8')) as { run: number };
    return !isUp(session) || env.get('MAESTRO_RUN') === String(run)
      ? []
      : [`process ${pid} of ${session.id} is of run ${env.get('MAESTRO_RUN')}, not ${run}`];
  });
}

function environmentOf(pid: number): Map<string, string> {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
    return new Map(entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]));
  } catch {
    return new Map();
  }
}

/** A record for each session and a fifo for each that runs; no other fifo, no pipe to another one, no file half written. */
async function fileFindings(host: TestHost, sessions: readonly Session[]): Promise<string[]> {
  const ids = sessions.map(({ id }) => id);
  const running = await Promise.all(sessions.filter(isUp).map(async ({ id }) => `${id}.${(await host.sidecar(id)).epoch}.fifo`));
  // A few that are made before they are needed.
  const fifos = list(host, 'run/pty').filter((name) => !name.startsWith(`spare-${host.ready.pid}-`));
  const intents = await Promise.all(
    ids.map(async (id) => ({ id, intent: (await host.sidecar(id)).intent as { kind: string } | undefined })),
  );
  const scrollbacks = list(host, 'scrollback').filter((name) => !ids.includes(name.replace(/\.bin$/, '')));
  return [
    ...difference(
      'record',
      list(host, 'sessions'),
      ids.map((id) => `${id}.json`),
    ),
    ...difference('fifo', fifos, running),
    ...difference('pipe', pipesOf(host), running),
    ...scrollbacks.map((name) => `scrollback ${name} of no session`),
    ...intents
      .filter(({ intent }) => intent !== undefined && intent.kind !== 'resume')
      .map(({ id, intent }) => `${id} is in a ${intent?.kind}`),
    ...list(host, 'run/paste').map((name) => `paste ${name}`),
  ];
}

function list(host: TestHost, directory: string): string[] {
  return readdirSync(join(host.state, directory));
}

/** The fifos that a process writes, or waits to write. */
function pipesOf(host: TestHost): string[] {
  const directory = join(host.state, 'run/pty/');
  const pipes = new Set<string>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fds = readdirSync(`/proc/${pid}/fd`);
      if (!readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('cat')) continue;
      for (const fd of fds) {
        const target = readlinkSync(`/proc/${pid}/fd/${fd}`);
        if (target.startsWith(directory)) pipes.add(target.slice(directory.length));
      }
    } catch {
      // It has ended meanwhile.
    }
  }
  return [...pipes];
}

/** Worktrees, branches and salvages that Maestro's own records account for, and no others. */
async function repositoryFindings(host: TestHost, repo: GitRepo): Promise<string[]> {
  const entries = (await host.call<WorktreeEntry[]>('GET', '/api/worktrees')).body;
  const salvages = (await host.call<Salvage[]>('GET', '/api/salvage')).body;
  const paths = entries.map(({ path }) => path);
  const top = join(host.state, 'worktrees', 'repo');
  const made = existsSync(top) ? readdirSync(top).map((name) => join(top, name)) : [];
  const worktrees = (await repo.git('worktree', 'list', '--porcelain')).split('\n').filter((line) => line.startsWith('worktree '));
  const noted = worktrees.map((line) => line.slice('worktree '.length)).filter((path) => path !== repo.path);
  const refs = async (prefix: string) => (await repo.git('for-each-ref', '--format=%(refname)', prefix)).split('\n').filter(Boolean);
  const branches = (await refs('refs/heads')).filter((ref) => ref !== 'refs/heads/main');
  return [
    ...difference('worktree directory', made, paths),
    ...difference('worktree of git', noted, paths),
    ...difference(
      'branch',
      branches,
      entries.map(({ branch }) => `refs/heads/${branch}`),
    ),
    ...difference(
      'ref',
      await refs('refs/maestro'),
      salvages.map(({ ref }) => ref),
    ),
    ...entries.filter(({ state }) => state === 'broken' || state === 'missing').map(({ path, state }) => `worktree ${path} is ${state}`),
  ];
}

function difference(what: string, found: readonly string[], wanted: readonly string[]): string[] {
  const count = (all: readonly string[], one: string) => all.filter((other) => other === one).length;
  return [...new Set([...found, ...wanted])]
    .filter((one) => count(found, one) !== count(wanted, one))
    .map((one) => `${what} ${one}: ${count(found, one)} times instead of ${count(wanted, one)}`);
}
