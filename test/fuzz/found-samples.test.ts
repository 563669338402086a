import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LeaderFilter } from '../../src/cli/attach/leader-filter.js';
import { withoutControls, withStylesOnly } from '../../src/cli/control-free.js';
import { modesAfter } from '../../src/daemon/bridge/mode-tracker.js';
import { QueryFilter } from '../../src/daemon/bridge/query-filter.js';
import { preamble, RESET_MODES } from '../../src/daemon/bridge/terminal-modes.js';
import { formatCommitTime } from '../../src/daemon/clock.js';
import { repositoryAt } from '../../src/daemon/projects/repository-location.js';
import { type ApiError, type Inventory, type Session, TimeSchema } from '../../src/protocol/index.js';
import { temporaryDir } from '../daemon/store/state-dirs.js';
import { TestHost } from '../support/daemon-process.js';
import { GitRepo } from '../support/git-repo.js';
import { PtyViewer } from '../support/pty-viewer.js';
import { ask } from './http-requests.js';

const modes = (output: string) => modesAfter(Buffer.from(output));

/** So long that whatever looks at each pair of its characters takes minutes. */
const LONG = 250_000;

function filtered(...chunks: readonly string[]): string {
  let output = '';
  const filter = new QueryFilter({
    emit: (bytes) => {
      output += bytes.toString('latin1');
    },
  });
  for (const chunk of chunks) filter.push(Buffer.from(chunk, 'latin1'));
  filter.end();
  return output;
}

describe('terminal queries', () => {
  test('T1: half a control that an earlier read ended with joins nothing behind a query that was taken out', () => {
    const output = '\xc2\xc2\x9b6n\x9b6n';
    expect(filtered(...output)).toBe('\xc2\x1b\\\x9b6n');
    expect(filtered(output)).toBe('\xc2\x1b\\\x9b6n');
    expect(filtered('\xc2', '\xc2\x9b*y')).toBe(filtered('\xc2\xc2', '\x9b*y'));
    expect(filtered('\xc2\xc2', '\x05', '\x9b6n')).toBe(filtered('\xc2\xc2\x05\x9b6n'));
  });
});

describe('terminal modes', () => {
  test('S7: a mode in a subparameter is none, as terminals pass over those', () => {
    expect(modes('\x1b[?58:2::9:8:7h\x1b[?1:25l\x1b[3:5r')).toEqual({ ...RESET_MODES, scrollRegion: { top: 3, bottom: undefined } });
    expect(modes('\x1b[?2:9;25l').cursorVisible).toBe(false);
    expect(modes('\x1b[4:3m').pen.underline).toBe(3);
  });

  test('S7: a stray subparameter behind a colour does not reset the pen', () => {
    expect(preamble(modes('\x1b[48;2;1;2;3:m')).toString()).toBe('\x1b[48;2;1;2;3m');
  });

  test('S7: a link without both of its fields neither opens nor ends one', () => {
    const open = '\x1b]8;;http://x/\x07';
    for (const malformed of ['\x1b]8;\x07', '\x1b]8\x07', '\x1b]8;x\x07']) expect(modes(open + malformed)).toEqual(modes(open));
    expect(modes('\x1b]8;x\x07')).toEqual(RESET_MODES);
    expect(modes(`${open}\x1b]8;;\x07`)).toEqual(RESET_MODES);
    expect(modes('\x1b]8;;;\x07').link).toBe(';;'); // a uri that is a semicolon
  });

  test('S7: an operating system command whose number goes on with other characters sets nothing', () => {
    expect(modes('\x1b]8?;?\x07\x1b]2x;title\x07\x1b]11#123456\x07')).toEqual(RESET_MODES);
    expect(modes('\x1b]8;;http://x/\x07\x1b]8;;\x07\x1b]2;title\x07')).toEqual({ ...RESET_MODES, title: 'title' });
  });
});

describe('keys behind the leader', () => {
  const typed = (...reads: (string | Buffer)[]) => {
    const filter = new LeaderFilter('C-b');
    return [...reads.flatMap((read) => filter.feed(Buffer.from(read as string))), ...filter.flush()];
  };

  test('a character that two reads cut in half is one key, and no half of it reaches the program', () => {
    expect(typed('\x02', Buffer.of(0xc3), Buffer.of(0xa9))).toEqual(['unknown']);
    expect(typed('\x02', Buffer.of(0x1b, 0xc3), Buffer.of(0xa9))).toEqual(['unknown']);
    expect(typed(Buffer.of(0xc3), Buffer.of(0xa9, 0x61))).toEqual([Buffer.from('éa')]);
  });

  test('a byte that is no UTF-8 takes none of those behind it along', () => {
    expect(typed(Buffer.from([0x02, 0xff, 0x61, 0x62]))).toEqual(['unknown', Buffer.from('ab')]);
  });

  test('half a character goes out when nothing follows it', () => {
    expect(typed(Buffer.of(0xe2, 0x82))).toEqual([Buffer.of(0xe2, 0x82)]);
  });
});

describe('long runs of one character', () => {
  test('carriage returns do not hold up what is printed of a session', () => {
    const run = '\r'.repeat(LONG);
    expect(withoutControls(`a${run}b${run}\nc`)).toBe('b\nc');
    expect(withStylesOnly(`a${run}\nc`)).toBe('a\nc\x1b[0m');
  }, 20_000);

  test('spaces and line ends in a repository that somebody left do not hold up the daemon', async () => {
    const top = await temporaryDir();
    await mkdir(join(top, 'main/.git/objects'), { recursive: true });
    await mkdir(join(top, 'main/.git/refs'));
    await writeFile(join(top, 'main/.git/HEAD'), 'ref: refs/heads/main\n');
    await writeFile(join(top, 'main/.git/config'), `[core]\n\tbare = false\n\tworktree = x${' '.repeat(LONG)}y\n`);
    await mkdir(join(top, 'linked'));
    await writeFile(join(top, 'linked/.git'), `gitdir: x${'\n'.repeat(LONG)}y`);
    expect(await repositoryAt(join(top, 'main'))).toMatchObject({ as: 'main', bare: false });
    expect(await repositoryAt(join(top, 'linked'))).toBeUndefined();
    await writeFile(join(top, 'linked/.git'), 'gitdir: ../main/.git\r\n\n');
    expect((await repositoryAt(join(top, 'linked')))?.gitDir).toBe(join(top, 'main/.git'));
  }, 20_000);
});

describe('the daemon', () => {
  let host: TestHost;
  let repo: GitRepo;
  beforeAll(async () => {
    repo = await GitRepo.create();
    host = await TestHost.started();
  });
  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    await repo[Symbol.asyncDispose]();
  });
  const local = () => ({ socketPath: host.ready.socket });

  test('every reference in the OpenAPI document leads somewhere in it', async () => {
    const { text } = await ask(local(), { method: 'GET', path: '/api/openapi.json' });
    const { components } = JSON.parse(text) as { components: { schemas: Record<string, unknown> } };
    const named = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(0);
    expect(text.match(/"\$ref"/g)).toHaveLength(named.length);
    expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(named));
  });

  test('a request that expects something odd is answered like any other', async () => {
    expect(await ask(local(), { method: 'GET', path: '/api/health', headers: { expect: 'banana' } })).toMatchObject({
      status: 200,
      text: '{"ok":true}',
    });
    expect((await ask(local(), { method: 'GET', path: '/api/nope', headers: { expect: 'banana' } })).text).toContain('not_found');
  });

  test('a refused value is shown without half a character at its end', async () => {
    const { body } = await host.call<ApiError>('POST', '/api/sessions', {
      cwd: '/tmp',
      command: 'x',
      preset: `${'x'.repeat(78)}\u{1f600}`,
    });
    expect(body.error.message).not.toMatch(/\p{Surrogate}/u);
  });

  test('a viewer whose frame is too large is told so, and does not come back to send it again', async () => {
    const { id } = await host.create({ command: 'exec sleep 1000' });
    await using viewer = await PtyViewer.open(host, id);
    viewer.type(Buffer.alloc(4 * 1024 * 1024 + 1));
    expect((await viewer.closed).code).toBe(1009);
  });

  test('K2: a commit from a year that has no form on the wire does not keep its worktree from being looked at and removed', async () => {
    const answer = await host.call<Session>('POST', '/api/sessions', {
      command: 'exec sleep 1000',
      worktree: { base_repo: repo.path, branch: 'far' },
    });
    const { id, worktree } = answer.body;
    const tree = await repo.git('rev-parse', 'HEAD^{tree}');
    await writeFile(
      join(repo.root, 'commit'),
      `tree ${tree}\nparent ${await repo.git('rev-parse', 'HEAD')}\nauthor a <a@b> 99999999999999 +0000\ncommitter a <a@b> 99999999999999 +0000\n\nfar\n`,
    );
    const commit = await repo.git('hash-object', '-t', 'commit', '-w', '--literally', join(repo.root, 'commit'));
    await repo.gitAt(worktree?.path ?? '', 'reset', '--hard', '--quiet', commit);
    const listed = await host.call<{ inventory: Inventory }[]>('GET', '/api/worktrees');
    expect(listed.status).toBe(200);
    expect(listed.body[0]?.inventory.branch_commits).toMatchObject([{ id: commit, at: '9999-12-31T23:59:59.000Z' }]);
    expect(await host.kill(id)).toMatchObject({ status: 200, body: { worktree: 'removed', branch_kept: 'far' } });
  });
});

test('any number that a commit has for a time is told in the form of the wire', () => {
  for (const seconds of [0, -5, 253_402_300_800, 99_999_999_999_999, Number.NaN, Number.POSITIVE_INFINITY, -1e20]) {
    expect(TimeSchema.safeParse(formatCommitTime(seconds)).success).toBe(true);
  }
});
