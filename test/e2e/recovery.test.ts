import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { isAlive, TestHost } from '../support/daemon-process.js';
import { until } from '../support/until.js';

let host: TestHost;
afterEach(() => host[Symbol.asyncDispose]());

const sidecarPath = (id: string) => join(host.state, 'sessions', `${id}.json`);
const quick = { MAESTRO_SCROLLBACK_FLUSH_INTERVAL: '100ms' };

async function rewriteSidecar(id: string, change: (record: Record<string, unknown>) => unknown): Promise<void> {
  const record = JSON.parse(await readFile(sidecarPath(id), 'utf8')) as Record<string, unknown>;
  await writeFile(sidecarPath(id), JSON.stringify(change(record)));
}

describe('L4: a daemon killed with SIGKILL', () => {
  test('loses no session: live ones run on and take input, and what was acknowledged is there', async () => {
    host = await TestHost.started();
    const { id } = await host.create({ command: 'echo $$ > pid; exec cat', metadata: { name: 'before' } });
    const pid = await host.pidFrom('pid');
    await host.call('PATCH', `/api/sessions/${id}`, { metadata: { name: 'after', more: 1 } });
    const ready = await host.restart('SIGKILL');
    expect(ready.recovered).toMatchObject({ adopted: 1, dormant: 0, dead: 0 });
    expect(await host.session(id)).toMatchObject({ status: 'running', metadata: { name: 'after', more: 1 } });
    expect(isAlive(pid)).toBe(true);
    await host.call('POST', `/api/sessions/${id}/input`, { text: 'still-here', submit: true });
    await host.shows(id, 'still-here');
  });

  test('sees afterwards how a program ended meanwhile, with its last words', async () => {
    host = await TestHost.started();
    const { id } = await host.create({ command: 'while [ ! -e go ]; do sleep 0.02; done; echo LAST-WORDS; exit 7' });
    const killed = await host.create({ command: 'echo $$ > victim; exec sleep 1000' });
    const victim = await host.pidFrom('victim');
    await host.end('SIGKILL');
    await writeFile(join(host.dir, 'go'), '');
    process.kill(victim, 'SIGKILL');
    await until('both to be over', async () => (await host.tmux('list-panes', '-a', '-F', '#{pane_dead}')).match(/1/g)?.length === 2);
    await host.start();
    expect(await host.session(id)).toMatchObject({ status: 'dead', exit: { code: 7, reason: 'exited' } });
    expect((await host.scrollback(id)).toString()).toContain('LAST-WORDS');
    expect(await host.session(killed.id)).toMatchObject({ status: 'dead', exit: { signal: 9, reason: 'exited' } });
    expect(await host.panes()).toEqual([]);
  });
});

describe('L4: one daemon per state directory', () => {
  test('a second one refuses, names the first, and touches nothing', async () => {
    host = await TestHost.started();
    const { id } = await host.create({ command: 'exec sleep 1000' });
    const first = host.ready.pid;
    const refused = await host.refusal();
    expect(refused).toMatchObject({ code: 'already_running', message: expect.stringMatching(new RegExp(`${first}.*maestro down`, 's')) });
    expect((await host.session(id)).status).toBe('running');
    expect((await host.call('GET', '/api/health')).body).toEqual({ ok: true });
  });
});

describe('L1', () => {
  test('a session whose sidecar is gone or unreadable is adopted from the record kept with its pane, and flagged', async () => {
    host = await TestHost.started();
    const gone = await host.create({ command: 'exec cat', env: { A: 'b' }, metadata: { name: 'gone' } });
    const torn = await host.create({ command: 'exec cat', metadata: { name: 'torn' } });
    await host.call('PATCH', `/api/sessions/${torn.id}`, { metadata: { name: 'renamed' } });
    await host.end('SIGKILL');
    await rm(sidecarPath(gone.id));
    await writeFile(sidecarPath(torn.id), '{"id":');
    const ready = await host.start();
    expect(ready.warnings.join('\n')).toContain(torn.id);
    expect(await host.session(gone.id)).toMatchObject({
      status: 'running',
      env: { A: 'b' },
      metadata: { name: 'gone' },
      warning: expect.stringContaining('kept with the pane'),
    });
    expect(await host.session(torn.id)).toMatchObject({ status: 'running', metadata: { name: 'renamed' }, warning: expect.any(String) });
    expect(await host.sidecar(gone.id)).toMatchObject({ status: 'running' });
    const aside = (await readdir(join(host.state, 'sessions'))).filter((name) => name.includes('.bad-'));
    expect(aside).toHaveLength(1);
    expect(await readFile(join(host.state, 'sessions', aside[0] ?? ''), 'utf8')).toBe('{"id":');
  });

  test('bad records are set aside and never hinder the good ones', async () => {
    host = await TestHost.started();
    const good = await host.create({ command: 'exec sleep 1000' });
    const ids = Array.from({ length: 5 }, (_, n) => `1111111${n}-1111-4111-8111-111111111111`);
    await host.end();
    const [empty = '', nul = '', list = '', other = '', folder = ''] = ids;
    await writeFile(sidecarPath(empty), '');
    await writeFile(sidecarPath(nul), Buffer.alloc(500));
    await writeFile(sidecarPath(list), '[1,2,3]');
    await copyFile(sidecarPath(good.id), sidecarPath(other));
    await mkdir(sidecarPath(folder));
    await host.start();
    expect((await host.sessions()).map((session) => session.id)).toEqual([good.id]);
    expect((await host.session(good.id)).status).toBe('running');
    const kept = await readdir(join(host.state, 'sessions'));
    for (const id of ids.slice(0, 4)) expect(kept.some((name) => name.startsWith(id))).toBe(true);
  });

  test('a record of an older Maestro gets defaults, and one of a newer is shown and never written', async () => {
    host = await TestHost.started();
    const old = await host.create({ command: 'true' });
    const newer = await host.create({ command: 'true', metadata: { name: 'newer' } });
    await Promise.all([host.reaches(old.id, 'dead'), host.reaches(newer.id, 'dead')]);
    await host.end();
    await rewriteSidecar(old.id, ({ version: _v, run: _r, epoch: _e, env: _n, size: _s, ...rest }) => ({ ...rest, extra: { deep: [1] } }));
    await rewriteSidecar(newer.id, (record) => ({ ...record, version: 999, strange: true }));
    const bytes = await readFile(sidecarPath(newer.id), 'utf8');
    await host.start();
    expect(await host.session(old.id)).toMatchObject({ status: 'dead', env: {}, size: { cols: 120, rows: 40 } });
    await host.call('PATCH', `/api/sessions/${old.id}`, { metadata: { name: 'kept' } });
    expect(await host.sidecar(old.id)).toMatchObject({ extra: { deep: [1] }, metadata: { name: 'kept' } });
    expect(await host.session(newer.id)).toMatchObject({ metadata: { name: 'newer' }, warning: expect.stringContaining('newer Maestro') });
    for (const [method, path, body] of [
      ['PATCH', '', { metadata: { a: 1 } }],
      ['POST', '/resume', undefined],
      ['DELETE', '', undefined],
    ] as const) {
      expect((await host.call(method, `/api/sessions/${newer.id}${path}`, body)).status).toBe(403);
    }
    expect(await readFile(sidecarPath(newer.id), 'utf8')).toBe(bytes);
  });

  test("a tmux session that somebody made under a session's name is left alone, not typed into, and does not hinder the resume", async () => {
    host = await TestHost.started();
    const { id } = await host.create({ command: 'exec cat' });
    await host.call('POST', `/api/sessions/${id}/stop`);
    await host.end('SIGKILL');
    await host.tmux('new-session', '-d', '-s', id, 'exec cat');
    await host.start();
    expect((await host.session(id)).status).toBe('dead');
    expect((await host.resume(id)).status).toBe(200);
    await host.call('POST', `/api/sessions/${id}/input`, { text: 'for-the-agent' });
    await host.shows(id, 'for-the-agent');
    const names = await host.panes();
    expect(names).toHaveLength(2);
    const impostor = names.find((name) => name !== id) ?? '';
    expect(await host.tmux('capture-pane', '-p', '-t', `=${impostor}:`)).not.toContain('for-the-agent');
  });

  test('dead sessions are removed after dead_retention, dormant ones are not', async () => {
    host = await TestHost.started({ env: quick });
    const dead = await host.create({ command: 'echo words' });
    const dormant = await host.create({ command: 'exec sleep 1000' });
    await host.reaches(dead.id, 'dead');
    await host.killTmux();
    await host.reaches(dormant.id, 'dormant');
    await host.end();
    const old = '2020-01-01T00:00:00.000Z';
    for (const { id } of [dead, dormant])
      await rewriteSidecar(id, (record) => ({ ...record, exit: { ...(record.exit as object), at: old } }));
    await rewriteSidecar(dead.id, (record) => ({ ...record, status: 'dead', exit: { reason: 'exited', code: 0, at: old } }));
    await host.start();
    await until('the dead one to be gone', async () => (await host.sessions()).length === 1);
    expect((await host.sessions()).map((session) => session.id)).toEqual([dormant.id]);
    expect(existsSync(join(host.state, 'scrollback', `${dead.id}.bin`))).toBe(false);
  });
});

test('500 dormant records and 100 live panes come back in one start', async () => {
  host = await TestHost.started();
  const lives: string[] = [];
  for (let batch = 0; batch < 10; batch += 1) {
    lives.push(...(await Promise.all(Array.from({ length: 10 }, async () => (await host.create({ command: 'exec cat' })).id))));
  }
  const sample = await host.create({ command: 'true' });
  await host.reaches(sample.id, 'dead');
  await host.end('SIGKILL');
  const record = await host.sidecar(sample.id);
  const dormant = Array.from({ length: 500 }, (_, n) => `${String(n).padStart(8, '0')}-1111-4111-8111-111111111111`);
  await Promise.all(
    dormant.map((id) =>
      writeFile(sidecarPath(id), JSON.stringify({ ...record, id, status: 'dormant', exit: { reason: 'lost', at: record.updated_at } })),
    ),
  );
  const ready = await host.start();
  expect(ready.recovered).toMatchObject({ adopted: 100, dormant: 500, dead: 1 });
  expect(host.log).toContain('taking sessions back');
  await Promise.all(lives.map((id, n) => host.call('POST', `/api/sessions/${id}/input`, { text: `echo-${n}-` })));
  for (const [n, id] of lives.entries()) await host.shows(id, `echo-${n}-`);
}, 120_000);
