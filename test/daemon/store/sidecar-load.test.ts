import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SidecarStore } from '../../../src/daemon/store/sidecar-store.js';
import type { StateDir } from '../../../src/daemon/store/state-dir.js';
import { failureOf } from './failures.js';
import { putSidecar, sampleSidecar } from './sample-sidecar.js';
import { temporaryStateDir } from './state-dirs.js';

const NOTHING = { sidecars: [], readOnly: [], problems: [], foreign: [] };

async function loadOnly(dir: StateDir) {
  const loaded = await new SidecarStore({ dir }).load();
  expect(loaded.problems).toEqual([]);
  const [sidecar] = loaded.sidecars;
  if (sidecar === undefined) throw new Error('nothing was loaded');
  return sidecar;
}

test('what was saved is loaded, byte for byte in every text', async () => {
  const dir = await temporaryStateDir();
  const saved = sampleSidecar({
    cwd: '/tmp/ü #{pane} "\'\\\n\u2028\u{1f600}',
    env: { A: '\u0001\u007f\n', B: '' },
    metadata: { name: 'é', deep: [{ a: [null, 1.5, true, { '': 'x' }] }] },
    worktree: { path: '/w', base_repo: '/r', branch: 'b', created_branch: true, base_commit: 'c0ffee' },
    activity: { state: 'waiting', message: 'Allow?', since: '2026-01-02T03:04:05Z' },
    exit: { code: 0, reason: 'exited', at: '2026-01-02T03:04:05Z' },
    agent_session: 'abc.DEF_1:2-3',
    preset: 'claude',
    intent: { kind: 'resume', at: '2026-01-02T03:04:05Z', attempt: 2, former: { status: 'dead', run: 2, agent_session: 'old' } },
  });
  await new SidecarStore({ dir }).save(saved);
  expect(await loadOnly(dir)).toEqual(saved);
  expect(await new SidecarStore({ dir: await temporaryStateDir() }).load()).toEqual(NOTHING);
});

describe('an older sidecar', () => {
  const { id, cwd, command } = sampleSidecar();

  test('of no version gets the default of everything that it lacks, and its times from the file', async () => {
    const dir = await temporaryStateDir();
    await putSidecar(dir, { id, cwd, command }, id);
    await utimes(dir.sidecar(id), new Date(), new Date('2025-06-07T08:09:10.000Z'));
    const times = { created_at: '2025-06-07T08:09:10.000Z', updated_at: '2025-06-07T08:09:10.000Z' };
    const defaults = { version: 1, status: 'dormant', env: {}, metadata: {}, size: { cols: 120, rows: 40 }, run: 0, epoch: 0 };
    expect(await loadOnly(dir)).toEqual({ id, cwd, command, ...times, ...defaults });
  });

  test.each([[1_767_323_045], [null], [''], ['yesterday'], [{}]])(
    'whose created_at is %j gets the time of the file',
    async (created_at) => {
      const dir = await temporaryStateDir();
      await putSidecar(dir, { ...sampleSidecar({ id }), created_at }, id);
      await utimes(dir.sidecar(id), new Date(), new Date('2025-06-07T08:09:10.000Z'));
      expect(await loadOnly(dir)).toEqual(sampleSidecar({ id, created_at: '2025-06-07T08:09:10.000Z' }));
    },
  );

  test('whose time has an offset keeps the instant', async () => {
    const dir = await temporaryStateDir();
    await putSidecar(dir, { ...sampleSidecar({ id }), created_at: '2026-01-02T05:04:05+02:00' }, id);
    expect((await loadOnly(dir)).created_at).toBe('2026-01-02T03:04:05.000Z');
  });

  test('may say null for what is absent, and begin with a byte order mark', async () => {
    const dir = await temporaryStateDir();
    const { status: _, ...rest } = sampleSidecar({ id });
    await putSidecar(
      dir,
      `\ufeff${JSON.stringify({ ...rest, version: null, env: null, worktree: null, activity: null, intent: null })}`,
      id,
    );
    expect(await loadOnly(dir)).toEqual(sampleSidecar({ id, status: 'dormant', env: {} }));
  });

  test.each([0, 1, 1.7, '1', '1.9.3', -1])('of version %j is of this version from now on', async (version) => {
    const dir = await temporaryStateDir();
    await putSidecar(dir, { ...sampleSidecar({ id }), version }, id);
    expect((await loadOnly(dir)).version).toBe(1);
  });
});

test('fields that are not known survive a rewrite, nested ones too', async () => {
  const dir = await temporaryStateDir();
  const extra = { tomorrow: { a: [1, null] } };
  const written = {
    ...sampleSidecar(),
    ...extra,
    size: { cols: 80, rows: 24, ...extra },
    activity: { state: 'idle', since: '2026-01-02T03:04:05Z', ...extra },
    exit: { reason: 'lost', at: '2026-01-02T03:04:05Z', ...extra },
    worktree: { path: '/w', base_repo: '/r', branch: 'b', created_branch: true, base_commit: 'c', ...extra },
    intent: {
      kind: 'resume',
      at: '2026-01-02T03:04:05Z',
      attempt: 1,
      ...extra,
      former: { status: 'dead', run: 1, ...extra, exit: { reason: 'exited', at: '2026-01-02T03:04:05Z', ...extra } },
    },
  };
  await putSidecar(dir, written, written.id);
  const store = new SidecarStore({ dir });
  const [loaded] = (await store.load()).sidecars;
  if (loaded === undefined) throw new Error('nothing was loaded');
  await store.save({ ...loaded, status: 'dead' });
  expect(JSON.parse(await readFile(dir.sidecar(written.id), 'utf8'))).toEqual({ ...written, status: 'dead' });
});

test('a session is not given up for a field that it can do without', async () => {
  const dir = await temporaryStateDir();
  const sidecar = sampleSidecar();
  const wrong = { size: { cols: 5000, rows: 1 }, activity: 'busy', exit: { reason: 'abducted' }, agent_session: '$(rm -rf /)', preset: 7 };
  await putSidecar(dir, { ...sidecar, ...wrong }, sidecar.id);
  const { sidecars, problems } = await new SidecarStore({ dir }).load();
  expect(sidecars).toEqual([sidecar]);
  expect(problems).toEqual([
    { id: sidecar.id, path: dir.sidecar(sidecar.id), reason: expect.stringMatching(/^it has no usable .*activity/) },
  ]);
  await stat(dir.sidecar(sidecar.id));
});

describe('a sidecar of a newer version', () => {
  test.each([2, 2.5, 1e9, '2', '3.1'])('is shown, and neither written, removed nor renamed: %j', async (version) => {
    const dir = await temporaryStateDir();
    const sidecar = sampleSidecar();
    const text = JSON.stringify({ ...sidecar, version, intent: { kind: 'create', at: '2026-01-02T03:04:05Z' } }, undefined, 3);
    await putSidecar(dir, text, sidecar.id);
    const store = new SidecarStore({ dir });
    const { sidecars, readOnly, problems } = await store.load();
    expect([sidecars, problems]).toEqual([[], []]);
    expect(readOnly).toEqual([{ ...sidecar, version: Math.floor(Number.parseFloat(String(version))) }]);
    for (const refused of [store.save(sidecar), store.remove(sidecar.id)]) {
      const error = await failureOf(refused);
      expect(error.code).toBe('forbidden');
      expect(error.message).toMatch(/was written by a newer Maestro \(format \d+, this one knows 1\).*install that version/);
    }
    expect(await readdir(dir.sessions)).toEqual([`${sidecar.id}.json`]);
    expect(await readFile(dir.sidecar(sidecar.id), 'utf8')).toBe(text);
  });

  test('is shown as far as it is understood', async () => {
    const dir = await temporaryStateDir();
    const id = randomUUID();
    await putSidecar(
      dir,
      { version: 2, id, cwd: ['/a', '/b'], program: 'x', status: 'hibernating', env: [['A', 'B']], metadata: { name: 'kept' } },
      id,
    );
    const { readOnly } = await new SidecarStore({ dir }).load();
    expect(readOnly).toMatchObject([
      { id, version: 2, cwd: '/', command: '', status: 'dormant', env: {}, metadata: { name: 'kept' }, program: 'x' },
    ]);
  });

  test('is shown also if one field is nested too deeply and another is of another kind', async () => {
    const dir = await temporaryStateDir();
    const id = randomUUID();
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    await putSidecar(dir, `{"version":2,"id":"${id}","cwd":"/a","env":"text","exit":${nested}}`, id);
    const { readOnly, problems } = await new SidecarStore({ dir }).load();
    expect(problems).toEqual([]);
    expect(readOnly).toMatchObject([{ id, version: 2, cwd: '/a', env: {} }]);
  });
});

test('what is not named like a sidecar is left alone and told; what a crash left is removed', async () => {
  const dir = await temporaryStateDir();
  const uuid = randomUUID();
  const names = ['README', 'notes.json', `${uuid.toUpperCase()}.json`, `${uuid}.json.orig`, '.json'];
  for (const name of names) await writeFile(join(dir.sessions, name), 'x');
  await writeFile(join(dir.sessions, `.${uuid}.json.0123456789abcdef.tmp`), 'x');
  const loaded = await new SidecarStore({ dir }).load();
  expect({ ...loaded, foreign: new Set(loaded.foreign) }).toEqual({
    ...NOTHING,
    foreign: new Set(names.map((name) => join(dir.sessions, name))),
  });
  expect(new Set(await readdir(dir.sessions))).toEqual(new Set(names));
});

test('a directory that is gone is storage_failed, as then nothing at all is known', async () => {
  const dir = await temporaryStateDir();
  await rm(dir.sessions, { recursive: true });
  expect((await failureOf(new SidecarStore({ dir }).load())).code).toBe('storage_failed');
});

test('500 sidecars are loaded', async () => {
  const dir = await temporaryStateDir();
  const all = Array.from({ length: 500 }, () => sampleSidecar());
  await Promise.all(all.map((sidecar) => putSidecar(dir, sidecar, sidecar.id)));
  const { sidecars } = await new SidecarStore({ dir }).load();
  expect(new Set(sidecars.map(({ id }) => id))).toEqual(new Set(all.map(({ id }) => id)));
});
