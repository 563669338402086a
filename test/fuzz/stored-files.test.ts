import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { restoredBytes } from '../../src/daemon/bridge/stored-scrollback.js';
import { SALVAGE_RECORD_VERSION, SalvageRecordSchema } from '../../src/daemon/salvage-record.js';
import { BrowserSessions } from '../../src/daemon/store/browser-sessions.js';
import { DaemonJson } from '../../src/daemon/store/daemon-json.js';
import { RecordStore } from '../../src/daemon/store/record-store.js';
import { ScrollbackStore } from '../../src/daemon/store/scrollback-store.js';
import { decodeSidecar } from '../../src/daemon/store/sidecar-decode.js';
import { SidecarStore } from '../../src/daemon/store/sidecar-store.js';
import { TrustStore } from '../../src/daemon/store/trust-store.js';
import { WORKTREE_RECORD_VERSION, WorktreeRecordSchema } from '../../src/daemon/worktree-record.js';
import { putSidecar, sampleSidecar } from '../daemon/store/sample-sidecar.js';
import { temporaryDir, temporaryStateDir } from '../daemon/store/state-dirs.js';
import { FUZZ_TIMEOUT, fuzz } from './fuzz-runs.js';
import { hostileOutput } from './terminal-output.js';

/** Stands for a value that is nested so deeply that whatever recurses fails. */
const DEEP = Symbol('deep');
const DEEP_TEXT = `${'{"a":['.repeat(30_000)}${']}'.repeat(30_000)}`;
const values = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    null,
    '',
    -1,
    1.5,
    1e308,
    '\ud800',
    'a\0b',
    '2026-13-45T99:99:99Z',
    '+275760-09-13T00:00:00.001Z',
    '0000-01-01T00:00:00Z',
    {},
    [],
    DEEP,
    DEEP,
  ),
);

/** A valid record with fields that are changed, missing or more, then bytes that are changed, missing or more. */
function mangled(record: Readonly<Record<string, unknown>>): fc.Arbitrary<Buffer> {
  const names = fc.constantFrom(
    ...Object.keys(record),
    'exit',
    'activity',
    'intent',
    'worktree',
    'setup',
    'later',
    '__proto__',
    'constructor',
    'toJSON',
  );
  const fields = fc.array(fc.tuple(names, values), { maxLength: 3 }).map((changes) => {
    const kept = Object.entries(record).filter(([name]) => !changes.some(([changed]) => changed === name));
    return Buffer.from(
      `{${[...kept, ...changes].map(([name, value]) => `${JSON.stringify(name)}:${value === DEEP ? DEEP_TEXT : JSON.stringify(value)}`).join(',')}}`,
    );
  });
  const flips = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 3 });
  return fc.tuple(fields, flips, fc.option(fc.nat(), { nil: undefined })).map(([text, changes, end]) => {
    const bytes = Buffer.from(text);
    for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
    return end === undefined ? bytes : bytes.subarray(0, end % (bytes.length + 1));
  });
}

const anyBytes = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
const ID = '3d0a2c1e-58a4-4f2c-9a53-0c8e5b1f7d42';
const HASH = `sha256:${'0'.repeat(64)}`;
const TIME = '2026-01-02T03:04:05.678Z';
const WORKTREE_RECORD = {
  version: 1,
  id: ID,
  path: '/home/ada/work/of/art',
  base_repo: '/home/ada/repository',
  git_dir: '/r/.git',
  branch: 'b',
  created_branch: true,
  base_commit: '0'.repeat(40),
  created_at: TIME,
  state: 'made',
  setup: { env: {} },
};
const SALVAGE_RECORD = {
  version: 1,
  id: ID,
  ref: 'refs/x',
  commit: '0'.repeat(40),
  base_repo: '/home/ada/repository',
  created_at: TIME,
  files_total: 1,
  bytes: 2,
  git_dir: '/r/.git',
};

describe('files of the state directory, whatever they hold', () => {
  test(
    'L1, S6: a sidecar is read or put aside, and what was read can be written and is read again the same',
    async () => {
      const full = sampleSidecar({
        id: ID,
        exit: { code: 1, reason: 'exited', at: TIME },
        activity: { state: 'idle', since: TIME },
        intent: { kind: 'stop', at: TIME },
      });
      const origin = { id: ID, modifiedMs: 1e12 };
      await fuzz(
        fc.property(fc.oneof({ weight: 5, arbitrary: mangled(full) }, { weight: 1, arbitrary: anyBytes }), (bytes) => {
          const read = decodeSidecar(bytes, origin);
          if (read.kind === 'bad') {
            expect(read.reason).not.toBe('');
            return;
          }
          const again = decodeSidecar(Buffer.from(JSON.stringify(read.sidecar)), origin);
          expect(again).toEqual(read.kind === 'newer' ? read : { ...read, omitted: [] });
        }),
        500,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'L1: a directory of mangled sidecars is read as a whole, and every good one can be saved again',
    async () => {
      await fuzz(
        fc.asyncProperty(fc.array(mangled(sampleSidecar({ id: ID })), { maxLength: 8 }), async (files) => {
          const dir = await temporaryStateDir();
          for (const bytes of files) {
            const id = randomUUID();
            await putSidecar(dir, Buffer.from(bytes.toString('latin1').replaceAll(ID, id), 'latin1'), id);
          }
          const store = new SidecarStore({ dir });
          const { sidecars, readOnly, problems } = await store.load();
          expect(sidecars.length + readOnly.length + problems.filter(({ movedTo }) => movedTo !== undefined).length).toBe(files.length);
          for (const sidecar of sidecars) expect(await store.save(sidecar)).toBe(true);
          const again = await new SidecarStore({ dir }).load();
          expect(again.sidecars.length).toBe(sidecars.length);
          expect(again.problems).toEqual([]);
        }),
        6,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'K2: worktree and salvage records are read or put aside, and what was read can be written',
    async () => {
      const kinds = fc.constantFrom(
        { sample: WORKTREE_RECORD, schema: WorktreeRecordSchema, version: WORKTREE_RECORD_VERSION },
        { sample: SALVAGE_RECORD, schema: SalvageRecordSchema, version: SALVAGE_RECORD_VERSION },
      );
      const samples = kinds.chain((kind) =>
        fc.oneof({ weight: 5, arbitrary: mangled(kind.sample) }, { weight: 1, arbitrary: anyBytes }).map((bytes) => ({ ...kind, bytes })),
      );
      await fuzz(
        fc.asyncProperty(samples, async ({ schema, version, bytes }) => {
          const directory = await temporaryDir();
          await writeFile(join(directory, `${ID}.json`), bytes);
          const store = new RecordStore({ directory, schema: schema as typeof WorktreeRecordSchema, version });
          const { records, problems } = await store.load();
          expect(records.length + problems.length).toBe(1);
          for (const record of records) {
            expect(JSON.stringify(record)).not.toContain('\ufffd');
            expect(await store.save(record)).toBe(true);
          }
        }),
        60,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'S6: a scrollback file is used whole or not at all',
    async () => {
      const dir = await temporaryStateDir();
      const store = new ScrollbackStore({ dir });
      const [former, current] = [Buffer.from('former \x1b[31m'), Buffer.from('current')];
      await store.write(ID, { run: 3, former, current });
      const good = await readFile(dir.scrollback(ID));
      const changed = fc
        .tuple(
          fc.array(fc.tuple(fc.nat({ max: good.length - 1 }), fc.nat({ max: 255 })), { maxLength: 3 }),
          fc.nat({ max: good.length }),
          anyBytes,
        )
        .map(([flips, length, more]) => {
          const bytes = Buffer.concat([good.subarray(0, length), more]);
          for (const [at, byte] of flips) if (at < bytes.length) bytes[at] = byte;
          return bytes;
        });
      await fuzz(
        fc.asyncProperty(fc.oneof(changed, anyBytes), async (bytes) => {
          await writeFile(dir.scrollback(ID), bytes);
          const read = await store.read(ID);
          if (read !== undefined) expect([read.former, read.current]).toEqual([former, current]);
        }),
        150,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'S5, S7: a scrollback of any bytes whose sum is right is restored within its budget',
    async () => {
      await fuzz(
        fc.property(hostileOutput, hostileOutput, fc.nat({ max: 200 }), (former, current, budget) => {
          expect(restoredBytes({ former, current }, budget).length).toBeLessThanOrEqual(budget);
        }),
        300,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'daemon.json, trust.json and browser logins are read or count as missing',
    async () => {
      const directory = await temporaryDir();
      const path = join(directory, 'file.json');
      const samples = fc.oneof(
        mangled({ last_sign_of_life: TIME, pid: 1, started: TIME, boot: 'x', listen: '127.0.0.1:1' }),
        mangled({ version: 1, projects: [{ repo: '/r', hashes: [HASH], at: TIME }] }),
        mangled({ sessions: [{ cookie: 'c', secret: 's', expires_at: TIME }] }),
        anyBytes,
      );
      await fuzz(
        fc.asyncProperty(samples, async (bytes) => {
          await writeFile(path, bytes);
          await new DaemonJson({ path }).read();
          (await TrustStore.load(path)).list();
          expect((await BrowserSessions.load(path)).accepts({ cookie: 'c', secret: 's' }, 0)).toBe(false);
        }),
        80,
      );
    },
    FUZZ_TIMEOUT,
  );
});
