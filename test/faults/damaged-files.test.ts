import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readIdentity } from '../../src/daemon/panes/server-identity.js';
import { identify } from '../../src/daemon/process-identity.js';
import { BrowserSessions } from '../../src/daemon/store/browser-sessions.js';
import { DaemonJson } from '../../src/daemon/store/daemon-json.js';
import { ProjectPaths } from '../../src/daemon/store/project-paths.js';
import { loadToken } from '../../src/daemon/store/token.js';
import { TrustStore } from '../../src/daemon/store/trust-store.js';
import type { Session } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { GitRepo } from '../support/git-repo.js';
import { until } from '../support/until.js';
import { DAMAGE_NAMES, type DamageName, damage } from './damages.js';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const HASH = `sha256:${'a'.repeat(64)}`;

describe('a file that there is one of, whatever it has become, is read without waiting and without an error:', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'm-'));
  });
  afterAll(() => rm(dir, { recursive: true }));

  /** Names of what is in place of the file or was set aside. */
  const left = async (path: string) => (await readdir(dir)).filter((name) => name.startsWith(basename(path)));

  test('trust.json trusts nobody, is set aside with a warning, and can be made anew', async () => {
    const path = join(dir, 'trust.json');
    await (await TrustStore.load(path)).add('/repo', HASH, NOW);
    const good = await readFile(path);
    for (const how of DAMAGE_NAMES) {
      await damage(how, path, good);
      const before = (await left(path)).length;
      const trust = await TrustStore.load(path);
      expect([how, trust.list(), trust.trusts('/repo', HASH)]).toEqual([how, [], false]);
      if (how !== 'a link to nowhere') {
        expect(trust.problem).toMatch(/could not be used, so no repository is trusted: .*; it was kept as/);
        await expect(lstat(path)).rejects.toThrow('ENOENT');
      }
      await trust.add('/repo', HASH, NOW);
      expect(await left(path)).toHaveLength(how === 'a link to nowhere' ? before : before + 1);
      expect((await TrustStore.load(path)).trusts('/repo', HASH)).toBe(true);
    }
  });

  /** A token is one line, whose end may be missing, and no object that a field could be added to. */
  const HARMLESS = new Set<DamageName>(['cut before the last byte', 'nested deeply in a field']);

  test('token makes way for a new one, and is set aside with a warning', async () => {
    const path = join(dir, 'token');
    const token = await loadToken(path);
    const good = await readFile(path);
    for (const how of DAMAGE_NAMES.filter((name) => !HARMLESS.has(name))) {
      await damage(how, path, good);
      const warnings: string[] = [];
      const made = await loadToken(path, { onDamaged: (warning) => warnings.push(warning) });
      expect([how, made === token, await loadToken(path)]).toEqual([how, false, made]);
      if (how !== 'a link to nowhere') expect(warnings.join()).toMatch(/held no token, so a new one was made; it was kept as/);
    }
  });

  test('browser-sessions.json logs everybody out and keeps nobody from logging in', async () => {
    const path = join(dir, 'browser-sessions.json');
    const browser = await (await BrowserSessions.load(path)).open(NOW);
    const good = await readFile(path);
    for (const how of DAMAGE_NAMES) {
      await damage(how, path, good);
      const sessions = await BrowserSessions.load(path);
      if (how !== 'nested deeply in a field') expect([how, sessions.accepts(browser, NOW)]).toEqual([how, false]);
      if (how === 'a directory') continue;
      expect([how, sessions.accepts(await sessions.open(NOW), NOW)]).toEqual([how, true]);
    }
  });

  test('daemon.json, projects.json and tmux.json tell nothing, or what is still whole', async () => {
    const files = [join(dir, 'daemon.json'), join(dir, 'projects.json'), join(dir, 'tmux.json')] as const;
    const [daemonJson, projectsJson, tmuxJson] = files;
    const identity = await identify(process.pid);
    await new DaemonJson({ path: daemonJson }).write({ last_sign_of_life: new Date(NOW).toISOString(), ...started });
    await new ProjectPaths(projectsJson).write(['/repo']);
    await writeFile(tmuxJson, JSON.stringify(identity));
    const goods = await Promise.all(files.map((path) => readFile(path)));
    for (const how of DAMAGE_NAMES) {
      for (const [n, path] of files.entries()) await damage(how, path, goods[n] as Buffer);
      const told = [
        (await new DaemonJson({ path: daemonJson }).read())?.pid,
        await new ProjectPaths(projectsJson).read(),
        await readIdentity(dir),
      ];
      if (how === 'nested deeply in a field') expect(told).toEqual([started.pid, ['/repo'], undefined]);
      else expect([how, ...told]).toEqual([how, undefined, [], undefined]);
    }
  });

  const started = { pid: 7, started: new Date(NOW).toISOString(), boot: 'b' };
});

describe('what a newer Maestro wrote', () => {
  test('trust.json of a newer version trusts nobody and is not overwritten; unknown fields survive', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'm-')), 'trust.json');
    const newer = '{"version":2,"anything":[]}';
    await writeFile(path, newer);
    const trust = await TrustStore.load(path);
    expect([trust.list(), trust.problem]).toEqual([[], expect.stringMatching(/newer Maestro.*no repository is trusted/)]);
    await expect(trust.add('/repo', HASH, NOW)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await readFile(path, 'utf8')).toBe(newer);
    await writeFile(path, '{"version":1,"projects":[],"later":{"a":1}}');
    await (await TrustStore.load(path)).add('/repo', HASH, NOW);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ later: { a: 1 }, projects: [{ repo: '/repo' }] });
    await rm(dirname(path), { recursive: true });
  });
});

describe('a daemon', () => {
  const PER_ID = { sessions: '.json', scrollback: '.bin', 'worktree-records': '.json', salvage: '.json' } as const;
  const SINGLE = ['trust.json', 'projects.json', 'daemon.json', 'browser-sessions.json', 'run/tmux.json', 'token'] as const;
  let host: TestHost;
  let repo: GitRepo;
  let running: Session;
  let owner: Session;
  /** A good file of each kind, by its path below the state directory; those of an id as if it were `ID`. */
  const good = new Map<string, Buffer>();

  const at = (...names: string[]) => join(host.state, ...names);
  const renamed = (content: Buffer, from: string, to: string) => Buffer.from(content.toString('latin1').replaceAll(from, to), 'latin1');
  const idOf = (kind: number, n: number) => `${String(n).padStart(8, '0')}-${String(kind).padStart(4, '0')}-4111-8111-111111111111`;

  async function noteGoodFiles(): Promise<void> {
    for (const [directory, suffix] of Object.entries(PER_ID)) {
      const [name] = (await readdir(at(directory))).filter((one) => one.endsWith(suffix));
      if (name === undefined) throw new Error(`there is no good file in ${directory}`);
      good.set(`${directory}/ID${suffix}`, renamed(await readFile(at(directory, name)), name.slice(0, -suffix.length), 'ID'));
    }
    for (const name of SINGLE) good.set(name, await readFile(at(name)));
  }

  async function trustIt(): Promise<number> {
    const { body } = await host.call<{ hash: string }>('GET', `/api/projects/setup?repo=${repo.path}`);
    return (await host.call('POST', '/api/projects/trust', { repo: repo.path, hash: body.hash })).status;
  }

  const inWorktree = async (branch: string) => {
    const request = { command: 'exec cat', worktree: { base_repo: repo.path, branch, setup: 'skip' } };
    return (await host.call<Session>('POST', '/api/sessions', request)).body;
  };

  /** It has written a file of each kind: of sessions, one with a worktree, of a salvage, a trusted repository and a login. */
  beforeAll(async () => {
    repo = await GitRepo.create();
    await repo.write('.maestro/config.toml', 'setup = "true"\n');
    await repo.commit('set-up');
    host = await TestHost.started({ env: { ...repo.env, MAESTRO_SCROLLBACK_FLUSH_INTERVAL: '100ms' } });
    owner = await inWorktree('one');
    const lost = await inWorktree('two');
    await writeFile(join(lost.cwd, 'work'), 'work');
    expect((await host.kill(lost.id, '?force=true')).body.salvage_ref).toBeDefined();
    running = await host.create({ command: 'echo words; exec cat' });
    await host.shows(running.id, 'words');
    expect(await trustIt()).toBe(200);
    const { body: link } = await host.call<{ code: string }>('POST', '/api/auth/link');
    expect((await host.call('POST', '/api/auth/login', { code: link.code })).status).toBe(200);
    await until('the scrollback', async () => (await readdir(at('scrollback'))).length > 0);
    await host.end('SIGTERM');
    await noteGoodFiles();
  });

  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    await repo[Symbol.asyncDispose]();
  });

  test.each(['cut in the middle', 'a directory', 'a fifo'] as const)(
    'L1: starts and takes its sessions back when records of every kind are damaged in every way, and what there is one of is %s',
    async (how) => {
      await host.end('SIGTERM');
      const ids = DAMAGE_NAMES.map((_, n) => idOf(DAMAGE_NAMES.indexOf(how), n));
      for (const [path, content] of good) {
        if (!path.includes('ID')) await damage(how, at(path), content);
        else
          for (const [n, id] of ids.entries())
            await damage(DAMAGE_NAMES[n] ?? 'empty', at(path.replace('ID', id)), renamed(content, 'ID', id));
      }
      const { warnings } = await host.start();
      for (const one of [running, owner]) expect((await host.session(one.id)).status).toBe('running');
      expect((await host.sessions()).filter(({ id }) => ids.includes(id))).toEqual([]);
      for (const directory of Object.keys(PER_ID)) {
        const names = await readdir(at(directory));
        for (const id of ids) {
          expect(names.filter((name) => name.startsWith(id))).toHaveLength(1);
          if (directory !== 'scrollback') expect(warnings.join('\n')).toContain(`${directory}/${id}.json`);
        }
      }
      for (const path of ['worktrees', 'salvage', 'projects', 'projects/trust'])
        expect([path, (await host.call('GET', `/api/${path}`)).status]).toEqual([path, 200]);
      expect(await trustIt()).toBe(200);
    },
  );

  test('L1: leaves records that a newer Maestro wrote alone, also that of a worktree whose session it knows', async () => {
    await host.end('SIGTERM');
    const newer = ['worktree-records', 'salvage'].map((directory) => at(directory, `${idOf(9, 9)}.json`));
    newer.push(at('worktree-records', `${owner.id}.json`));
    for (const path of newer) await writeFile(path, JSON.stringify({ version: 2, id: basename(path, '.json') }));
    const before = await Promise.all(newer.map((path) => readFile(path, 'utf8')));
    const { warnings } = await host.start();
    for (const path of newer) expect(warnings.join('\n')).toContain(`${path} was written by a newer Maestro`);
    expect((await host.session(owner.id)).status).toBe('running');
    expect((await host.kill(owner.id)).body).toMatchObject({ removed: true, worktree: 'kept' });
    expect(await Promise.all(newer.map((path) => readFile(path, 'utf8')))).toEqual(before);
    expect((await lstat(owner.cwd)).isDirectory()).toBe(true);
  });
});
