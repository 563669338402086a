import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { decodeSidecar } from '../../../src/daemon/store/sidecar-decode.js';
import { SIDECAR_LIMIT, SidecarStore } from '../../../src/daemon/store/sidecar-store.js';
import { failureOf } from './failures.js';
import { putSidecar, sampleSidecar } from './sample-sidecar.js';
import { temporaryStateDir } from './state-dirs.js';

const NOTHING = { sidecars: [], readOnly: [], problems: [], foreign: [] };

describe('L1: a sidecar that cannot be used is set aside, never deleted, and reported, and the others are loaded', () => {
  const whole = Buffer.from(JSON.stringify(sampleSidecar()));
  const BAD: [string, unknown, RegExp][] = [
    ['empty', '', /empty/],
    ['torn', whole.subarray(0, 100), /not valid JSON/],
    ['all NUL', Buffer.alloc(4096), /NUL bytes, as after a power cut/],
    ['a good start and NUL bytes', Buffer.concat([whole, Buffer.alloc(100)]), /not valid JSON/],
    ['not UTF-8', Buffer.from('{"a":"\xff\xfe"}', 'latin1'), /not valid UTF-8/],
    ['a list', [], /not a JSON object/],
    ['null', 'null', /not a JSON object/],
    ['a text', '"x"', /not a JSON object/],
    ['without an id', { cwd: '/', command: 'x' }, /the id in it/],
    ['of another id', sampleSidecar(), /the id in it/],
  ];

  test.each(BAD)('%s', async (_name, content, reason) => {
    const dir = await temporaryStateDir();
    const bad = await putSidecar(dir, content);
    const before = await readFile(dir.sidecar(bad));
    const good = sampleSidecar();
    await putSidecar(dir, good, good.id);
    const { sidecars, problems } = await new SidecarStore({ dir }).load();
    expect(sidecars).toEqual([good]);
    expect(problems).toEqual([{ id: bad, path: dir.sidecar(bad), reason: expect.stringMatching(reason), movedTo: expect.any(String) }]);
    const movedTo = problems[0]?.movedTo ?? '';
    expect(movedTo).toMatch(new RegExp(`^${dir.sidecar(bad)}\\.bad-\\d{8}T\\d{6}\\.\\d{3}Z$`));
    expect(before.equals(await readFile(movedTo))).toBe(true);
    expect(await new SidecarStore({ dir }).load()).toEqual({ ...NOTHING, sidecars: [good] });
  });

  test.each([
    { cwd: 5 },
    { command: undefined },
    { command: ['ls'] },
    { env: [] },
    { env: { A: 1 } },
    { metadata: 'x' },
    { status: 'asleep' },
    { run: -1 },
    { epoch: 'x' },
    { worktree: { path: '/w' } },
    { intent: { kind: 'dance' } },
    { version: 'new' },
    { version: {} },
  ])('with the wrong %j', async (wrong) => {
    const dir = await temporaryStateDir();
    const sidecar = sampleSidecar();
    await putSidecar(dir, { ...sidecar, ...wrong }, sidecar.id);
    const { sidecars, problems } = await new SidecarStore({ dir }).load();
    expect([sidecars, problems.length]).toEqual([[], 1]);
    expect(problems[0]?.reason).toContain(Object.keys(wrong)[0]);
  });

  test('the reason quotes nothing of the file, as that may be a secret', () => {
    const id = randomUUID();
    const decoded = decodeSidecar(Buffer.from(`{"id":"${id}","env":{"KEY":"hunter2"`), { id, modifiedMs: 0 });
    expect(JSON.stringify(decoded)).not.toContain('hunter2');
  });

  test('too large, without being read', async () => {
    const dir = await temporaryStateDir();
    const id = await putSidecar(dir, '{}');
    await truncate(dir.sidecar(id), 1024 * SIDECAR_LIMIT);
    const { problems } = await new SidecarStore({ dir }).load();
    expect(problems[0]?.reason).toBe(`it has ${1024 * SIDECAR_LIMIT} bytes, and can have ${SIDECAR_LIMIT}`);
    expect((await stat(problems[0]?.movedTo ?? '')).size).toBe(1024 * SIDECAR_LIMIT);
  });

  test('a directory, a link and a fifo in place of the file', async () => {
    const dir = await temporaryStateDir();
    const [directory, link, fifo] = [randomUUID(), randomUUID(), randomUUID()];
    await mkdir(dir.sidecar(directory));
    await writeFile(join(dir.sidecar(directory), 'inside'), 'x');
    await symlink('/etc/passwd', dir.sidecar(link));
    expect(spawnSync('mkfifo', [dir.sidecar(fifo)]).status).toBe(0);
    const { problems, sidecars } = await new SidecarStore({ dir }).load();
    expect(sidecars).toEqual([]);
    expect(new Set(problems.map(({ id }) => id))).toEqual(new Set([directory, link, fifo]));
    const moved = problems.find(({ id }) => id === directory)?.movedTo ?? '';
    expect(await readFile(join(moved, 'inside'), 'utf8')).toBe('x');
  });

  test.skipIf(process.getuid?.() === 0)('unreadable', async () => {
    const dir = await temporaryStateDir();
    const id = await putSidecar(dir, sampleSidecar());
    await chmod(dir.sidecar(id), 0);
    expect((await new SidecarStore({ dir }).load()).problems[0]?.reason).toMatch(/cannot be read: permission denied/);
  });

  test('one that is set aside never replaces an earlier one', async () => {
    const dir = await temporaryStateDir();
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-04T05:06:07.890Z') });
    const id = randomUUID();
    for (const content of ['first', 'second', 'third']) {
      await putSidecar(dir, content, id);
      await new SidecarStore({ dir }).load();
    }
    vi.useRealTimers();
    const base = `${id}.json.bad-20260304T050607.890Z`;
    const names = [base, `${base}-1`, `${base}-2`];
    expect(await Promise.all(names.map((name) => readFile(join(dir.sessions, name), 'utf8')))).toEqual(['first', 'second', 'third']);
    expect(await readdir(dir.sessions)).toHaveLength(3);
  });

  test('one that cannot be set aside is not overwritten either', async ({ skip }) => {
    const dir = await temporaryStateDir();
    const sidecar = sampleSidecar();
    await putSidecar(dir, 'torn', sidecar.id);
    if (spawnSync('chattr', ['+i', dir.sidecar(sidecar.id)]).status !== 0) skip('chattr is not permitted here');
    try {
      const store = new SidecarStore({ dir });
      const { problems } = await store.load();
      expect(problems[0]?.reason).toMatch(/not valid JSON; cannot set aside .*EPERM/);
      expect((await failureOf(store.save(sidecar))).code).toBe('storage_failed');
    } finally {
      spawnSync('chattr', ['-i', dir.sidecar(sidecar.id)]);
    }
    expect(await readFile(dir.sidecar(sidecar.id), 'utf8')).toBe('torn');
  });

  test('cut at every length: whole, or set aside, and never anything else', () => {
    const sidecar = sampleSidecar({ metadata: { name: 'é😀' } });
    const bytes = Buffer.from(JSON.stringify(sidecar));
    for (let length = 0; length < bytes.length; length += 1) {
      expect(decodeSidecar(bytes.subarray(0, length), { id: sidecar.id, modifiedMs: 0 }).kind).toBe('bad');
    }
    expect(decodeSidecar(bytes, { id: sidecar.id, modifiedMs: 0 })).toEqual({ kind: 'good', sidecar, omitted: [] });
  });

  test('no content whatever makes reading it throw', () => {
    const id = randomUUID();
    const field = fc.constantFrom(
      'version',
      'status',
      'created_at',
      'size',
      'env',
      'metadata',
      'intent',
      'activity',
      'cwd',
      'command',
      'other',
    );
    const almost = fc.dictionary(field, fc.jsonValue()).map((fields) => JSON.stringify({ cwd: '/', command: 'x', ...fields, id }));
    fc.assert(
      fc.property(fc.oneof(almost, fc.json(), fc.string()), fc.integer({ min: 0, max: 4e12 }), (text, modifiedMs) => {
        const decoded = decodeSidecar(Buffer.from(text), { id, modifiedMs });
        if (decoded.kind !== 'bad') expect(decoded.sidecar.id).toBe(id);
      }),
      { numRuns: 500 },
    );
  });

  test('nesting beyond what can be walked is set aside too', () => {
    const sidecar = sampleSidecar();
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const text = JSON.stringify({ ...sidecar, metadata: { deep: 0 } }).replace('"deep":0', `"deep":${deep}`);
    expect(decodeSidecar(Buffer.from(text), { id: sidecar.id, modifiedMs: 0 }).kind).toBe('bad');
  });
});
