import { chmod, chown, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Git } from '../../../src/daemon/git.js';
import { type ProjectSession, Projects, type ProjectsParts } from '../../../src/daemon/projects/projects.js';
import { type Project, ProjectSchema } from '../../../src/protocol/index.js';
import { until } from '../../support/until.js';
import { Scratch } from './scratch.js';

let scratch: Scratch;
let all: Projects[];
beforeEach(async () => {
  scratch = await Scratch.create();
  all = [];
});
afterEach(async () => {
  for (const projects of all) await projects[Symbol.asyncDispose]();
  await scratch[Symbol.asyncDispose]();
});

function projectsOf(parts: Partial<ProjectsParts> = {}): Projects {
  const { git, home, clock } = scratch;
  const projects = new Projects({ roots: [join(scratch.top, 'root')], depth: 4, ignore: [], exclude: [], clock, git, home, ...parts });
  all.push(projects);
  return projects;
}

async function list(projects: Projects, sessions: readonly ProjectSession[] = []): Promise<Project[]> {
  const found = await projects.list({ sessions });
  for (const project of found) expect(ProjectSchema.parse(project)).toEqual(project);
  return found;
}

async function names(projects: Projects, sessions: readonly ProjectSession[] = []): Promise<string[]> {
  return (await list(projects, sessions)).map(({ name }) => name);
}

function session(id: number, cwd: string, base_repo?: string): ProjectSession {
  return { id: idOf(id), cwd, created_at: new Date(id * 1000).toISOString(), ...(base_repo === undefined ? {} : { base_repo }) };
}

function idOf(id: number): string {
  return `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
}

describe('a project', () => {
  test('tells branch and last commit', async () => {
    const path = await scratch.repository('root/tool');
    await scratch.commit(path, 86_400);
    const id = await scratch.commit(path, 2 * 86_400, 'Sübject\nof two lines\n\nbody');
    expect(await list(projectsOf())).toEqual([
      {
        path,
        name: 'tool',
        bare: false,
        branch: 'main',
        commit: { id, subject: 'Sübject of two lines', author: 'Ümit', at: '1970-01-03T00:00:00.000Z' },
        sessions: [],
      },
    ]);
  });

  test('has no commit before the first one, and no branch when HEAD is detached', async () => {
    await scratch.repository('root/fresh');
    const path = await scratch.repository('root/loose', { at: 1 });
    await scratch.git.run({ cwd: path }, ['checkout', '--quiet', '--detach']);
    const [loose, fresh] = await list(projectsOf());
    expect(loose).toMatchObject({ name: 'loose', commit: { subject: 'first' } });
    expect(loose).not.toHaveProperty('branch');
    expect(fresh).toMatchObject({ name: 'fresh', branch: 'main' });
    expect(fresh).not.toHaveProperty('commit');
  });

  test('that is bare is called without .git, or by what is around it', async () => {
    for (const path of ['root/a.git', 'root/b/.git', 'root/c/.bare']) await scratch.repository(path, { options: ['--bare'] });
    await scratch.file('root/c/.git', 'gitdir: .bare\n');
    const found = await list(projectsOf());
    expect(found.map(({ name, bare, path }) => [name, bare, path.slice(scratch.top.length)])).toEqual([
      ['a', true, '/root/a.git'],
      ['b', true, '/root/b/.git'],
      ['c', true, '/root/c/.bare'],
    ]);
  });

  test('follows commits, branches and packed refs at once', async () => {
    const path = await scratch.repository('root/tool', { at: 1 });
    const projects = projectsOf();
    const state = async () => {
      const [{ branch, commit } = {}] = await list(projects);
      return [branch, commit?.id];
    };
    const first = await scratch.git.text({ cwd: path }, ['rev-parse', 'HEAD']);
    expect(await state()).toEqual(['main', first]);
    const second = await scratch.commit(path, 2);
    expect(await state()).toEqual(['main', second]);
    await scratch.git.run({ cwd: path }, ['pack-refs', '--all']);
    expect(await state()).toEqual(['main', second]);
    await scratch.git.run({ cwd: path }, ['checkout', '--quiet', '-b', 'some/feature']);
    expect(await state()).toEqual(['some/feature', second]);
    await scratch.git.run({ cwd: path }, ['update-ref', 'refs/heads/some/feature', first]);
    expect(await state()).toEqual(['some/feature', first]);
  });

  test('whose HEAD is a symbolic link, as git once made them, is read the same', async () => {
    const path = await scratch.repository('root/old', { at: 1 });
    await rm(join(path, '.git/HEAD'));
    await symlink('refs/heads/main', join(path, '.git/HEAD'));
    expect(await list(projectsOf())).toMatchObject([{ branch: 'main', commit: { subject: 'first' } }]);
  });

  test('whose HEAD only git understands is left to git', async () => {
    const path = await scratch.repository('root/odd', { at: 1 });
    await writeFile(join(path, '.git/HEAD'), 'nonsense\n');
    expect(await list(projectsOf())).toEqual([{ path, name: 'odd', bare: false, sessions: [] }]);
  });

  test.each([
    ['is ended by a signal', 'kill -PIPE $$'],
    ['does not come to an end', 'sleep 60'],
  ])('for which git %s has no commit, and the others are there', async (_what, trouble) => {
    const bad = await scratch.repository('root/bad', { at: 1 });
    await scratch.repository('root/good', { at: 1 });
    const PATH = process.env.PATH ?? '';
    const fake = await scratch.file(
      'fake/git',
      `#!/bin/sh\ncase "$PWD $*" in *root/bad*) ${trouble} ;; esac\nPATH='${PATH}' exec git "$@"\n`,
    );
    await chmod(fake, 0o755);
    const git = new Git({ env: { PATH: `${dirname(fake)}:${PATH}`, HOME: scratch.home }, umask: 0o022, timeoutMs: 3_000 });
    const found = await list(projectsOf({ git }));
    expect(found.find(({ name }) => name === 'bad')).toEqual({ path: bad, name: 'bad', bare: false, branch: 'main', sessions: [] });
    expect(found.find(({ name }) => name === 'good')).toMatchObject({ commit: { subject: 'first' } });
  });

  test('runs nothing that its own config names', async () => {
    const path = await scratch.repository('root/bad', { at: 1 });
    const trap = join(scratch.top, 'trap');
    const program = await scratch.file('program', `#!/bin/sh\ntouch '${trap}'\n`);
    const settings = ['log.showSignature=true', `gpg.program=${program}`, `core.fsmonitor=${program}`, `core.pager=${program}`];
    const remote = ['remote.o.promisor=true', `remote.o.url=ext::sh ${program}`, 'protocol.ext.allow=always', 'extensions.partialClone=o'];
    for (const setting of [...settings, ...remote]) {
      const at = setting.indexOf('=');
      await scratch.git.run({ cwd: path }, ['config', setting.slice(0, at), setting.slice(at + 1)]);
    }
    await scratch.git.run({ cwd: path }, ['config', 'core.repositoryFormatVersion', '1']);
    await scratch.file('root/bad/.git/refs/heads/main', `${'1'.repeat(40)}\n`); // an object that is missing
    expect(await list(projectsOf())).toEqual([{ path, name: 'bad', bare: false, branch: 'main', sessions: [] }]);
    await expect(rm(trap)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test.runIf(process.getuid?.() === 0)('of another user has no commit unless git trusts it', async () => {
    const path = await scratch.repository('root/foreign', { at: 1 });
    for (const part of ['', '.git', '.git/HEAD']) await chown(join(path, part), 12_345, 12_345);
    const projects = projectsOf();
    expect((await list(projects))[0]).not.toHaveProperty('commit');
    await scratch.file('home/.gitconfig', `[safe]\n\tdirectory = ${path}\n`);
    scratch.clock.pass(61_000);
    expect((await list(projects))[0]).toMatchObject({ commit: { subject: 'first' } });
  });
});

describe('the list', () => {
  test('begins with what was used last, then what was committed to last, then goes by name', async () => {
    for (const [name, at] of [
      ['old', 10],
      ['new', 20],
      ['used', 5],
      ['used-last', 1],
    ] as const) {
      await scratch.repository(`root/${name}`, { at });
    }
    for (const name of ['b', 'A', 'c']) await scratch.repository(`root/${name}`);
    const cwd = (name: string) => join(scratch.top, 'root', name);
    const sessions = [session(3, cwd('used')), session(9, cwd('used-last')), session(1, cwd('used-last'))];
    const found = await list(projectsOf(), sessions);
    expect(found.map(({ name }) => name)).toEqual(['used-last', 'used', 'new', 'old', 'A', 'b', 'c']);
    expect(found[0]).toMatchObject({ sessions: [idOf(9), idOf(1)], used_at: '1970-01-01T00:00:09.000Z' });
    expect(found[2]).not.toHaveProperty('used_at');
  });

  test('counts sessions in subdirectories, linked worktrees and through symbolic links for their repository', async () => {
    const path = await scratch.repository('root/main', { at: 1 });
    const tree = join(scratch.top, 'trees/x');
    await scratch.git.run({ cwd: path }, ['worktree', 'add', '--quiet', '-b', 'x', tree]);
    await symlink(path, join(scratch.top, 'alias'));
    const places = [await scratch.directory('root/main/src'), tree, join(scratch.top, 'alias')];
    const sessions = places.map((cwd, at) => session(at, cwd));
    const gone = session(3, join(scratch.top, 'trees/gone'), path);
    expect(await list(projectsOf(), [...sessions, gone])).toMatchObject([{ path, sessions: [3, 2, 1, 0].map(idOf) }]);
  });

  test('has repositories outside the roots only while sessions are in them', async () => {
    await scratch.repository('root/inside');
    const path = await scratch.repository('outside/tool', { at: 1 });
    const plain = await scratch.directory('plain');
    const projects = projectsOf();
    const sessions = [session(1, path), session(2, plain), session(3, join(scratch.top, 'missing'))];
    expect(await names(projects, sessions)).toEqual(['tool', 'inside']);
    expect(await names(projects)).toEqual(['inside']);
    expect(await names(projectsOf({ roots: [] }), sessions)).toEqual(['tool']);
  });

  test('leaves out what is gone, whether a directory or only its .git', async () => {
    for (const name of ['a', 'b', 'c']) await scratch.repository(`root/${name}`);
    const projects = projectsOf();
    expect(await names(projects)).toEqual(['a', 'b', 'c']);
    await rm(join(scratch.top, 'root/a'), { recursive: true });
    await rename(join(scratch.top, 'root/b/.git'), join(scratch.top, 'kept'));
    expect(await names(projects)).toEqual(['c']);
    await rename(join(scratch.top, 'kept'), join(scratch.top, 'root/b/.git'));
    await until('b', async () => (await names(projects)).join() === 'b,c');
  });

  test('answers many at once', async () => {
    await scratch.repository('root/a', { at: 1 });
    const projects = projectsOf();
    const answers = await Promise.all(Array.from({ length: 10 }, () => list(projects)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject([{ name: 'a', commit: { subject: 'first' } }]);
  });

  test('knows after a restart what an earlier daemon found, and forgets what a scan does not find', async () => {
    await scratch.repository('root/a');
    const moved = await scratch.repository('elsewhere/b');
    const before = projectsOf({ roots: [join(scratch.top, 'root'), join(scratch.top, 'elsewhere')] });
    await before.list({ sessions: [] });
    const after = projectsOf();
    await after.load([...before.paths(), join(scratch.top, 'never'), 'relative']);
    expect(after.paths()).toEqual(before.paths());
    expect(before.paths()).toContain(moved);
    await until('the scan to end', async () => (await names(after)).join() === 'a');
    expect(after.paths()).toEqual([join(scratch.top, 'root/a')]);
  });

  test('completes paths', async () => {
    await scratch.repository('home/code');
    expect(await projectsOf().complete('~/')).toEqual({
      entries: [{ path: join(scratch.home, 'code'), name: 'code', repository: true }],
      truncated: false,
    });
  });
});
