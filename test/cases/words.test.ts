import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { TestHost } from '../support/daemon-process.js';
import { GitRepo } from '../support/git-repo.js';
import { PtyViewer } from '../support/pty-viewer.js';
import { until } from '../support/until.js';

let host: TestHost;
beforeAll(async () => {
  host = await TestHost.started({ env: { GIT_CONFIG_NOSYSTEM: '1' } });
});
afterAll(() => host[Symbol.asyncDispose]());
afterEach(async () => {
  await Promise.all((await host.sessions()).map(({ id }) => host.kill(id, '?force=true')));
});

const read = (name: string) => readFile(join(host.dir, name), 'utf8').catch(() => '');

/** Commands, and what they print. */
const COMMANDS: readonly (readonly [string, string])[] = [
  [`sh -c 'printf %s "(a|b) c" | cat'`, '(a|b) c'],
  [`cat <<'END'\n$HOME \`id\` \\\\ "x"\nEND`, '$HOME `id` \\\\ "x"\n'],
  ['printf one # two\nprintf three', 'onethree'],
  [`printf %s '${'long '.repeat(1000)}'`, 'long '.repeat(1000)],
  [`printf '%s ' {a,b} '*' '!!' '~' "#(id)"`, '{a,b} * !! ~ #(id) '],
  [`printf '<%s>' ';' "it's" a\\; -x`, "<;><it's><a;><-x>"],
];

test('C4: a command after the host went down is the command that was given, to the letter', async () => {
  const ids: string[] = [];
  for (const [at, [command]] of COMMANDS.entries()) {
    const { id } = await host.create({ command: `{ ${command}\n} >> out-${at}; printf END >> out-${at}; exec sleep 100` });
    ids.push(id);
  }
  const ran = async (times: number) => {
    for (const [at, [, expected]] of COMMANDS.entries())
      await until(`run ${times} of command ${at}`, async () => (await read(`out-${at}`)) === `${expected}END`.repeat(times));
  };
  await ran(1);
  await host.end('SIGKILL');
  await host.killTmux();
  await host.start();
  for (const id of ids) expect([(await host.session(id)).status, (await host.resume(id)).status]).toEqual(['dormant', 200]);
  await ran(2);
});

/** Not IFS, OPTIND and PPID, which every POSIX shell sets itself, nor what `cd` sets. */
test('C4: variables that mean something to shells arrive as they were given', async () => {
  const env = {
    ...{ PWD: '/elsewhere', OLDPWD: '/before', PS1: 'p1', PS4: '$(touch PWNED)', SHLVL: '7', _: 'last' },
    ...{ UID: '5', EUID: '5', RANDOM: 'r', LINENO: '3', CDPATH: '/', MAIL: '/m', POSIXLY_CORRECT: '1', HISTFILE: '/h' },
    ...{ LD_LIBRARY_PATH: '/none', NODE_OPTIONS: '', ZDOTDIR: '/z', FPATH: '/f', TMUX_TMPDIR: '/t', _x: '1', a: 'lower' },
    ...{ command: 'c', script: 's', status: 't', signal: 'g', run: 'r', MAESTRO: 'mine', MAESTRO_X: 'mine' },
  };
  const dump = `exec ${process.execPath} -e 'require("fs").writeFileSync("env.json", JSON.stringify(process.env)); setInterval(() => {}, 1e6)'`;
  const { id } = await host.create({ command: dump, env });
  const seen = JSON.parse(
    await until('the environment', async () => (await read('env.json')).includes('}') && (await read('env.json'))),
  ) as object;
  expect(seen).toMatchObject({
    ...env,
    PWD: expect.any(String),
    OLDPWD: expect.any(String),
    _: expect.any(String),
    SHLVL: expect.any(String),
  });
  expect(seen).toMatchObject({ MAESTRO_SESSION_ID: id });
  expect((await host.session(id)).env).toEqual(env);
  expect(await readdir(host.dir)).not.toContain('PWNED');
});

test('C4: what tmux, a shell or a date would expand stays text in every place, also at an attached terminal', async () => {
  const canary = join(host.dir, 'PWNED');
  const hostile = `#(touch ${canary}) $(touch ${canary}) \`touch ${canary}\` #{E:#(touch ${canary})} %H`;
  const cwd = join(host.dir, `#(touch PWNED) #{pid} %H`);
  await mkdir(cwd);
  await using repo = await GitRepo.create();
  const title = `cat <<'END' | tr @ '\\033' | tr '^' '\\007'\n@]2;${hostile}^@k${hostile}@\\@]7;file:///${hostile}^END\nEND`;
  const { id } = await host.create({
    cwd,
    command: `${title}\nprintf READY; exec cat`,
    env: { HOSTILE: hostile },
    metadata: { name: hostile.slice(0, 190) },
  });
  await host.shows(id, 'READY');
  await host.call('PATCH', `/api/sessions/${id}`, { metadata: { name: `#(touch ${canary})`, note: hostile, [hostile]: hostile } });
  await host.call('POST', `/api/sessions/${id}/activity`, { state: 'working', message: hostile });
  await host.create({ command: 'exec sleep 100', worktree: { base_repo: repo.path, branch: `x#(touch$\{IFS}PWNED)` } });
  await using viewer = await PtyViewer.open(host, id);
  viewer.tell({ type: 'size', cols: 90, rows: 30 });
  await host.call('POST', `/api/sessions/${id}/input`, { text: hostile, submit: true });
  await viewer.sees('PWNED');
  // What a client of tmux's own would draw: status line, titles and menus.
  for (const format of ['#{T:status-left}', '#{T:status-right}', '#{E:set-titles-string}', '#{T:window-status-format}', '#{pane_title}'])
    await host.tmux('display-message', '-p', '-t', `=${id}:`, format);
  await host.restart('SIGKILL');
  await host.call('POST', `/api/sessions/${id}/restart`);
  await host.shows(id, 'READY');
  expect(existsSync(canary)).toBe(false);
  expect(await readdir(cwd)).toEqual([]);
  expect(await readdir(host.home)).not.toContain('PWNED');
  expect((await host.session(id)).metadata).toMatchObject({ name: `#(touch ${canary})`, [hostile]: hostile });
});
