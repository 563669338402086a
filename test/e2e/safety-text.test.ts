import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiError, KillResult, Session } from '../../src/protocol/index.js';
import { TestBrowser } from '../support/browser.js';
import { TestHost } from '../support/daemon-process.js';
import { GitRepo } from '../support/git-repo.js';
import { type Ran, runMaestro } from '../support/run-maestro.js';

/** What a terminal acts on, turns the text around it, or a page takes for an element. */
const ESCAPES = '\u001b[2J\u001b]0;stolen\u0007\u001b]52;c;c3RvbGVu\u0007\u001b]8;;javascript:pwned\u0007\u009b31m';
const TURNED = '\u202egnp\u2066\u200f\u061c';
const MARKUP = '<img src=x onerror=window.pwned=1>';
const ACTED_ON = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const BRANCH = `feat/<img>${TURNED}`;
const FILE = `file ${ESCAPES}${TURNED}${MARKUP}\nline.txt`;

/** Texts that are in files, output and settings, and nobody's business in a log. */
const planted = (what: string) => `${what}-${randomUUID()}`;
const SECRETS = {
  committed: planted('committed'),
  changed: planted('changed'),
  ignored: planted('ignored'),
  message: planted('message'),
  setup: planted('setup'),
  env: planted('env'),
  output: planted('output'),
  prefix: planted('prefix'),
};

let host: TestHost;
let repo: GitRepo;
let browser: TestBrowser;
beforeAll(async () => {
  host = await TestHost.started({ env: { GIT_CONFIG_NOSYSTEM: '1', MAESTRO_LOG_LEVEL: 'trace', MAESTRO_LIVENESS_INTERVAL: '100ms' } });
  browser = await TestBrowser.launch();
  repo = await GitRepo.create({ name: `repo ${ESCAPES}${MARKUP.replaceAll('/', '')}` });
  await repo.write('kept.txt', `${SECRETS.committed}\n`);
  await repo.write('.gitignore', '*.log\n');
  const setup = `setup = "printf '%s' ${SECRETS.output} '${ESCAPES.replaceAll('\u001b', '\\u001b').replaceAll('\u0007', '\\u0007').replaceAll('\u009b', '\\u009b')}'"`;
  await repo.write('.maestro/config.toml', `${setup}\n[env]\nPLANTED = "${SECRETS.setup}"\n`);
  await repo.commit(`${SECRETS.message} ${ESCAPES}`);
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
  await repo[Symbol.asyncDispose]();
});

const maestro = (...words: string[]): Promise<Ran> => runMaestro(words, { env: { ...host.env, LANG: 'C.UTF-8' } });

/** A session in a worktree that holds a file, a branch and a commit with such names. */
async function busy(branch: string, name: string): Promise<Session> {
  const session = await host.create({
    command: 'exec sleep 1000',
    env: { SECRET: SECRETS.env },
    metadata: { name },
    worktree: { base_repo: repo.path, branch, setup: 'skip' },
  });
  await writeFile(join(session.cwd, FILE.replaceAll('/', '_')), `${SECRETS.changed}\n${ESCAPES}${TURNED}${MARKUP}\n`);
  await writeFile(join(session.cwd, 'kept.txt'), `${SECRETS.changed}\n`);
  await writeFile(join(session.cwd, 'words.log'), `${SECRETS.ignored}\n`);
  return session;
}

function expectInert({ stdout, stderr }: Ran): void {
  for (const line of `${stdout}\n${stderr}`.split('\n')) expect(ACTED_ON.test(line) ? line : '').toBe('');
}

describe('names that a terminal would act on reach no terminal as they are', () => {
  test('in lists, refusals, changes, worktrees, projects, set-ups and what was saved', async () => {
    const { id } = await busy(BRANCH, `name ${MARKUP}`);
    await host.call('POST', `/api/sessions/${id}/activity`, { state: 'waiting', message: `${ESCAPES}${TURNED}` });
    const refused = await maestro('kill', id);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('\\x1b[2J') });
    const shown = [
      refused,
      ...(await Promise.all([
        maestro('ls'),
        maestro('worktree', 'ls'),
        maestro('diff', id, '--stat'),
        maestro('diff', id, '--commits'),
        maestro('projects'),
        maestro('trust', repo.path),
        maestro('doctor'),
        maestro('new', '--cwd', `/none ${ESCAPES}`, 'true'),
        maestro('kill', `none ${ESCAPES}`),
        maestro('new', '--cwd', repo.path, '--worktree', `x ${ESCAPES}`, 'true'),
      ])),
      await maestro('kill', '--force', id),
      ...(await Promise.all([maestro('salvage', 'ls'), maestro('salvage', 'show', id), maestro('salvage', 'show', id, ESCAPES)])),
      await maestro('salvage', 'restore', id),
    ];
    for (const ran of shown) expectInert(ran);
    expect(shown.filter(({ stdout }) => stdout.includes('\\x1b[2J')).length).toBeGreaterThan(3);
    expect((await host.call('GET', `/api/salvage/${id}`)).status).toBe(200);
  });

  test('nor in documents for programs, which spell them out', async () => {
    const { id } = await busy('feat/json', 'json');
    for (const words of [
      ['worktree', 'ls'],
      ['kill', id],
    ]) {
      const { stdout } = await maestro('--json', ...words);
      expect(stdout.replaceAll('\n', '')).not.toMatch(/[\x00-\x1f]/);
      JSON.parse(stdout);
    }
    await host.kill(id, '?force=true');
  });
});

test('names that a page would take for elements are text there: of branches, files, repositories and what was saved', async () => {
  const { id } = await busy('feat/<u>page</u>', MARKUP);
  await using page = await browser.logIn(host);
  await page.goTo(id);
  await page.page.locator('.status').getByText('feat/<u>page</u>').first().waitFor();
  await page.choose('Kill…');
  await page.page.getByRole('button', { name: 'Kill', exact: true }).last().click();
  await page.page.getByText('window.pwned=1').first().waitFor();
  await page.page.keyboard.press('Escape');
  const killed = await host.call<KillResult>('DELETE', `/api/sessions/${id}?force=true`);
  expect(killed.body.salvage_ref).toBeDefined();
  await page.button('Settings').first().click();
  await page.page.getByRole('menuitem', { name: 'Worktrees and salvage' }).click();
  await page.page.getByRole('dialog').getByText(MARKUP).first().waitFor();
  expect(await page.page.evaluate(() => 'pwned' in window)).toBe(false);
  expect(await page.page.locator('img, #root script, #root u').count()).toBe(0);
  expect(page.faults).toEqual([]);
});

test('nothing of what repositories, files, set-ups and programs hold is in the log of a busy day', async () => {
  const worktree = (branch: string, more: object = {}) => ({ base_repo: repo.path, branch, ...more });
  const untrusted = await host.call<ApiError>('POST', '/api/sessions', { command: 'true', worktree: worktree('feat/untrusted') });
  expect(untrusted.status).toBeGreaterThanOrEqual(400);
  const { body: setup } = await host.call<{ hash: string }>('GET', `/api/projects/setup?repo=${encodeURIComponent(repo.path)}`);
  await host.call('POST', '/api/projects/trust', { repo: repo.path, hash: setup.hash });
  const set = await host.create({ command: `cat kept.txt; exec cat`, env: { SECRET: SECRETS.env }, worktree: worktree('feat/set') });
  await host.shows(set.id, SECRETS.committed);
  const { id } = await busy('feat/log', 'log');
  for (const path of ['', '?path=kept.txt', `?path=${encodeURIComponent(SECRETS.prefix)}`, '?base=nothing'])
    await host.call('GET', `/api/sessions/${id}/diff${path}`);
  await mkdir(join(host.dir, SECRETS.prefix));
  await host.call('GET', `/api/paths?prefix=${encodeURIComponent(join(host.dir, SECRETS.prefix))}`);
  await host.call('GET', `/api/paths?prefix=${SECRETS.prefix}`);
  await host.call('GET', '/api/projects');
  await host.call('GET', '/api/worktrees');
  await host.kill(id);
  await host.kill(id, '?force=true');
  await host.call('GET', `/api/salvage/${id}/diff?path=kept.txt`);
  await host.call('POST', `/api/salvage/${id}/restore`, {});
  await host.call('POST', `/api/salvage/${id}/restore`, { path: `/${SECRETS.prefix}` });
  await host.call('DELETE', `/api/worktrees/${id}?force=true`);
  await host.restart('SIGKILL');
  await host.call('POST', `/api/sessions/${set.id}/restart`);
  await host.killTmux();
  await host.reaches(set.id, 'dormant');
  await host.kill(set.id, '?force=true');
  await host.restart('SIGTERM');
  expect(host.log).toContain('"listening"');
  for (const [what, value] of Object.entries({ ...SECRETS, token: host.token }))
    expect(`${what}: ${host.log.split(value).length - 1}`).toBe(`${what}: 0`);
  expect(host.log).not.toContain('\u001b');
});
