import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sidecar } from '../../../src/daemon/store/sidecar.js';
import { SIDECAR_LIMIT, SidecarStore } from '../../../src/daemon/store/sidecar-store.js';
import type { StateDir } from '../../../src/daemon/store/state-dir.js';
import { CompiledStore } from './compiled-store.js';
import { failureOf } from './failures.js';
import { sampleSidecar } from './sample-sidecar.js';
import { failingFiles, Gate, type Step, scriptedFiles } from './scripted-files.js';
import { temporaryStateDir, withUmask } from './state-dirs.js';

async function onDisk(dir: StateDir, id: string): Promise<Sidecar> {
  return JSON.parse(await readFile(dir.sidecar(id), 'utf8')) as Sidecar;
}

/** A store whose first `step` waits at the gate. */
function parkedStore(dir: StateDir, at: Step) {
  const gate = new Gate();
  const steps: Step[] = [];
  const files = scriptedFiles((step) => {
    steps.push(step);
    return step === at && steps.filter((earlier) => earlier === at).length === 1 ? gate.pass() : undefined;
  });
  return { store: new SidecarStore({ dir, files }), gate, steps };
}

test.each([0o000, 0o022])('the file is private under umask %o', async (umask) => {
  const dir = await temporaryStateDir();
  const sidecar = sampleSidecar();
  await withUmask(umask, () => new SidecarStore({ dir }).save(sidecar));
  expect((await stat(dir.sidecar(sidecar.id))).mode & 0o777).toBe(0o600);
});

test('100 saves at once cost at most three writes, and the newest is on disk when any of the later ones resolves', async () => {
  const dir = await temporaryStateDir();
  const steps: Step[] = [];
  const store = new SidecarStore({ dir, files: scriptedFiles((step) => void steps.push(step)) });
  const sidecar = sampleSidecar();
  const saves = Array.from({ length: 100 }, (_, run) => store.save({ ...sidecar, run }));
  await saves[1];
  expect((await onDisk(dir, sidecar.id)).run).toBe(99);
  expect(await Promise.all(saves)).toEqual(saves.map(() => true));
  expect(steps.filter((step) => step === 'rename').length).toBeLessThanOrEqual(3);
});

test('a save during a parked write is not resolved by that older write', async () => {
  const dir = await temporaryStateDir();
  const { store, gate } = parkedStore(dir, 'sync');
  const sidecar = sampleSidecar({ run: 1 });
  const older = store.save(sidecar);
  await gate.reached;
  const newer = store.save({ ...sidecar, run: 2 });
  gate.open();
  const first = await Promise.race([older.then(() => 'older'), newer.then(() => 'newer')]);
  expect(first).toBe('older');
  await newer;
  expect((await onDisk(dir, sidecar.id)).run).toBe(2);
});

test.each(['open', 'write', 'sync', 'close', 'rename', 'syncDirectory'] as const)(
  'R7, K1: a removal during a save that is at %s leaves no file, and no later save brings it back',
  async (at) => {
    const dir = await temporaryStateDir();
    const { store, gate } = parkedStore(dir, at);
    const sidecar = sampleSidecar();
    const under = store.save(sidecar);
    await gate.reached;
    const waiting = store.save({ ...sidecar, run: 4 });
    const removed = store.remove(sidecar.id);
    const later = store.save({ ...sidecar, run: 5 });
    gate.open();
    await removed;
    expect(await Promise.all([under, waiting, later])).toEqual([true, false, false]);
    expect(await store.save(sidecar)).toBe(false);
    await store.idle();
    expect(await readdir(dir.sessions)).toEqual([]);
  },
);

test('a parked session holds up no other one', async () => {
  const dir = await temporaryStateDir();
  const { store, gate } = parkedStore(dir, 'write');
  const parked = store.save(sampleSidecar());
  await gate.reached;
  const others = Array.from({ length: 20 }, () => sampleSidecar());
  await Promise.all(others.map((sidecar) => store.save(sidecar)));
  await store.remove(others[0]?.id ?? '');
  gate.open();
  await parked;
  expect(await readdir(dir.sessions)).toHaveLength(20);
});

test.each(['open', 'write', 'sync', 'close', 'rename', 'syncDirectory'] as const)(
  'C3: a save that fails at %s is storage_failed with the path; the next one works and nothing is left over',
  async (failing) => {
    const dir = await temporaryStateDir();
    const failures = new Set<Step>();
    const store = new SidecarStore({ dir, files: failingFiles(failures) });
    const sidecar = sampleSidecar({ run: 1 });
    await store.save(sidecar);
    failures.add(failing);
    const error = await failureOf(store.save({ ...sidecar, run: 2 }));
    expect([error.code, error.status, error.details]).toEqual(['storage_failed', 507, { path: dir.sidecar(sidecar.id), errno: 'ENOSPC' }]);
    expect([1, 2]).toContain((await onDisk(dir, sidecar.id)).run);
    failures.clear();
    expect(await store.save({ ...sidecar, run: 3 })).toBe(true);
    expect((await onDisk(dir, sidecar.id)).run).toBe(3);
    expect(await readdir(dir.sessions)).toEqual([`${sidecar.id}.json`]);
  },
);

test('a removal that fails is told, keeps the session barred, and can be repeated', async () => {
  const dir = await temporaryStateDir();
  const failures = new Set<Step>(['unlink']);
  const store = new SidecarStore({ dir, files: failingFiles(failures) });
  const sidecar = sampleSidecar();
  await store.save(sidecar);
  expect((await failureOf(store.remove(sidecar.id))).message).toMatch(/^cannot delete .*ENOSPC/);
  expect(await store.save(sidecar)).toBe(false);
  failures.clear();
  await store.remove(sidecar.id);
  expect(await readdir(dir.sessions)).toEqual([]);
});

describe('refuses to write', () => {
  test('what it could not read again', async () => {
    const dir = await temporaryStateDir();
    const store = new SidecarStore({ dir });
    const sidecar = sampleSidecar();
    await store.save(sidecar);
    const error = await failureOf(store.save({ ...sidecar, metadata: { big: 'x'.repeat(SIDECAR_LIMIT) } }));
    expect([error.code, error.message]).toEqual(['payload_too_large', expect.stringContaining('remove some of its metadata')]);
    expect(await onDisk(dir, sidecar.id)).toEqual(sidecar);
  });

  test('what has no uuid, or another version', async () => {
    const dir = await temporaryStateDir();
    const store = new SidecarStore({ dir });
    await expect(store.save(sampleSidecar({ id: '../x' }))).rejects.toThrow('uuid');
    await expect(store.save(sampleSidecar({ version: 2 }))).rejects.toThrow('version');
    expect(await readdir(dir.sessions)).toEqual([]);
  });
});

describe('killed in the middle', () => {
  let store: CompiledStore;
  beforeAll(() => {
    store = new CompiledStore();
  });
  afterAll(() => store.remove());

  const WRITER = `
    import { SidecarStore } from './daemon/store/sidecar-store.js';
    import { StateDir } from './daemon/store/state-dir.js';
    const store = new SidecarStore({ dir: new StateDir(process.argv[2]) });
    const sidecar = JSON.parse(process.argv[3]);
    for (let run = sidecar.run; ; run += 1) {
      await store.save({ ...sidecar, run, metadata: { run, filler: 'x'.repeat(20_000 + (run % 7)) } });
      process.stdout.write(run + '\\n');
    }`;

  /** Kills the writer at a random moment and tells the last save that it was told of. */
  async function killedWriter(dir: StateDir, sidecar: Sidecar): Promise<number> {
    const child = spawn(process.execPath, [store.script('writer.js', WRITER), dir.root, JSON.stringify(sidecar)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let told = '';
    child.stdout.on('data', (chunk: Buffer) => {
      told += chunk.toString();
    });
    const closed = once(child, 'close');
    await Promise.race([once(child.stdout, 'data'), closed]);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 12));
    child.kill('SIGKILL');
    await closed;
    return Number(told.slice(0, told.lastIndexOf('\n')).split('\n').at(-1));
  }

  async function killOften(dir: StateDir, times: number): Promise<void> {
    let sidecar = sampleSidecar();
    for (let count = 0; count < times; count += 1) {
      const acknowledged = await killedWriter(dir, sidecar);
      const found = await onDisk(dir, sidecar.id);
      expect([acknowledged, acknowledged + 1]).toContain(found.run);
      expect(found.metadata).toEqual({ run: found.run, filler: 'x'.repeat(20_000 + (found.run % 7)) });
      sidecar = { ...found, run: found.run + 1 };
    }
  }

  test('L4: after kill -9 at any of 50 moments the file is whole and no acknowledged save is lost', async () => {
    const dir = await temporaryStateDir();
    await Promise.all([killOften(dir, 25), killOften(dir, 25)]);
    const { sidecars, problems } = await new SidecarStore({ dir }).load();
    expect([sidecars.length, problems]).toEqual([2, []]);
    expect(await readdir(dir.sessions)).toHaveLength(2);
  });
});

describe('a record that was prepared', () => {
  test('changes nothing until it is saved, which is but a rename and a sync of the directory', async () => {
    const dir = await temporaryStateDir();
    const steps: Step[] = [];
    const store = new SidecarStore({ dir, files: scriptedFiles((step) => void steps.push(step)) });
    const sidecar = sampleSidecar({ run: 1 });
    await store.save(sidecar);
    const prepared = await store.prepare({ ...sidecar, run: 2 });
    expect((await onDisk(dir, sidecar.id)).run).toBe(1);
    steps.length = 0;
    expect(await prepared.save()).toBe(true);
    expect(steps).toEqual(['rename', 'syncDirectory']);
    expect((await onDisk(dir, sidecar.id)).run).toBe(2);
    await prepared.drop();
    expect((await onDisk(dir, sidecar.id)).run).toBe(2);
  });

  test('holds up no other write of the session, and leaves nothing when it is dropped', async () => {
    const dir = await temporaryStateDir();
    const store = new SidecarStore({ dir });
    const sidecar = sampleSidecar({ run: 1 });
    const prepared = await store.prepare(sidecar);
    await store.save({ ...sidecar, run: 2 });
    await prepared.drop();
    expect((await onDisk(dir, sidecar.id)).run).toBe(2);
    expect(await readdir(dir.sessions)).toEqual([`${sidecar.id}.json`]);
  });

  test('does not bring back a session that was removed meanwhile', async () => {
    const dir = await temporaryStateDir();
    const store = new SidecarStore({ dir });
    const sidecar = sampleSidecar();
    const prepared = await store.prepare(sidecar);
    await store.remove(sidecar.id);
    expect(await prepared.save()).toBe(false);
    await prepared.drop();
    expect(await readdir(dir.sessions)).toEqual([]);
  });

  test('leaves nothing when it cannot be written', async () => {
    const dir = await temporaryStateDir();
    const store = new SidecarStore({ dir, files: failingFiles(new Set<Step>(['sync'])) });
    expect(await failureOf(store.prepare(sampleSidecar()))).toMatchObject({ code: 'storage_failed' });
    expect(await readdir(dir.sessions)).toEqual([]);
  });
});
