import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProcessFamily } from '../../../src/daemon/panes/process-family.js';
import { type ProcessEntry, ProcessTable } from '../../../src/daemon/panes/process-table.js';

const ID = 'the-session';
const SERVER = 50;
const NOBODY = { name: 'x', startedAt: '1', session: undefined, leads: false, stopped: false, tag: undefined };

function entry(pid: number, parent: number, rest: Partial<ProcessEntry> = {}): ProcessEntry {
  return { ...NOBODY, ...rest, pid, parent };
}

function family(rest: Partial<ConstructorParameters<typeof ProcessFamily>[0]> = {}): ProcessFamily {
  return new ProcessFamily({ sessionId: ID, root: undefined, known: [], servers: [SERVER], ...rest });
}

const pids = (of: ProcessFamily, entries: readonly ProcessEntry[]): number[] =>
  of
    .update(new ProcessTable(entries))
    .map(({ pid }) => pid)
    .sort((a, b) => a - b);

describe('the daemon', () => {
  const system = [entry(1, 0), entry(2, 0)];

  test('never belongs, nor what it was started from, nor pid 1, nor a tmux server, also when they carry the id', () => {
    const own = [
      entry(1, 0, { tag: ID }),
      entry(SERVER, 1, { tag: ID, session: '50', leads: true }),
      entry(100, SERVER, { tag: ID, session: '100', leads: true }),
      entry(101, 100, { tag: ID, session: '100' }),
      entry(process.pid, 101, { tag: ID, session: '100' }),
      entry(102, 100, { tag: ID, session: '100' }),
    ];
    expect(pids(family({ root: 100 }), own)).toEqual([102]);
  });

  test('keeps its helpers when it runs in a process session that belongs', () => {
    const own = [
      ...system,
      entry(100, SERVER, { tag: ID, session: '100', leads: true }),
      entry(process.pid, 100, { tag: ID, session: '100' }),
      entry(60, process.pid, { session: '100' }),
      entry(61, 60, { session: '100' }),
      entry(101, 1, { tag: ID, session: '100' }),
      entry(102, 101, { session: '100' }),
    ];
    expect(pids(family({ root: 100 }), own)).toEqual([101, 102]);
  });

  test('does not make its other children belong, such as its tmux clients and other sessions’ panes', () => {
    const own = [
      ...system,
      entry(process.pid, 1, { tag: ID, session: '9', leads: false }),
      entry(60, process.pid, { session: '9' }),
      entry(SERVER, process.pid, { session: '50', leads: true }),
      entry(200, SERVER, { tag: 'another', session: '200', leads: true }),
      entry(201, 200, { session: '200' }),
      entry(300, SERVER, { tag: ID, session: '300', leads: true }),
    ];
    expect(pids(family(), own)).toEqual([300]);
  });
});

describe('the wrapper', () => {
  test('is known by the id it carries, and as a leader below tmux while it carries none yet', () => {
    expect(pids(family({ root: 7 }), [entry(7, 1, { tag: ID })])).toEqual([7]);
    expect(pids(family({ root: 7 }), [entry(7, SERVER, { session: '7', leads: true })])).toEqual([7]);
  });

  test('is not whoever has its pid by now', () => {
    expect(pids(family({ root: 7 }), [entry(7, 1, { session: '7', leads: true }), entry(8, 7)])).toEqual([]);
    expect(pids(family({ root: 7 }), [entry(7, SERVER, { session: '7', leads: true, tag: 'another' })])).toEqual([]);
    expect(pids(family({ root: 7 }), [entry(7, SERVER)])).toEqual([]);
  });
});

describe('a process session', () => {
  const leader = entry(7, SERVER, { tag: ID, session: '7', leads: true });
  const child = entry(8, 7, { session: '7' });
  const orphan = entry(9, 1, { session: '7' });

  test('belongs when its leader does', () => {
    expect(pids(family(), [leader, child, orphan, entry(10, 1, { session: '6' })])).toEqual([7, 8, 9]);
  });

  test('goes on to belong when its leader has ended, unless a stranger leads it by then', () => {
    const own = family();
    pids(own, [leader]);
    expect(pids(own, [orphan])).toEqual([9]);
    const other = family();
    pids(other, [leader]);
    const stranger = entry(7, 1, { startedAt: '2', session: '7', leads: true });
    expect(pids(other, [stranger, entry(11, 7, { session: '7' })])).toEqual([]);
  });

  test('does not belong because a member does: a login shell is not ended for a program below it that carries the id', () => {
    const shell = entry(20, 1, { session: '20', leads: true });
    expect(pids(family(), [shell, entry(21, 20, { session: '20', tag: ID }), entry(22, 20, { session: '20' })])).toEqual([21]);
  });

  test('that has no name is nobody’s', () => {
    expect(pids(family(), [entry(7, SERVER, { tag: ID, leads: true }), entry(8, 1)])).toEqual([7]);
  });
});

test('who belonged once belongs for good, but not another process with its pid', () => {
  const own = family({ known: [{ pid: 5, startedAt: '1', name: 'x' }] });
  expect(pids(own, [entry(5, 1), entry(7, SERVER, { tag: ID }), entry(8, 7)])).toEqual([5, 7, 8]);
  expect(pids(own, [entry(5, 1, { startedAt: '2' }), entry(8, 1)])).toEqual([8]);
  expect(own.size).toBe(3);
});

const AT_RANDOM = fc.uniqueArray(
  fc.record({
    pid: fc.integer({ min: 2, max: 30 }),
    parent: fc.integer({ min: 0, max: 30 }),
    session: fc.option(
      fc.integer({ min: 1, max: 30 }).map((pid) => String(pid)),
      { nil: undefined },
    ),
    tag: fc.constantFrom(undefined, undefined, ID, 'another'),
  }),
  { selector: ({ pid }) => pid, maxLength: 25 },
);

test('in any system, whatever its loops, children of members are members and barred ones are not', () => {
  fc.assert(
    fc.property(AT_RANDOM, fc.option(fc.integer({ min: 2, max: 30 }), { nil: undefined }), (given, root) => {
      const entries = given.map(({ pid, parent, session, tag }) => entry(pid, parent, { session, tag, leads: session === String(pid) }));
      const servers = [13];
      const own = family({ root, servers });
      const members = new Set(pids(own, entries));
      expect(members.has(13)).toBe(false);
      for (const { pid, parent, tag, session } of entries) {
        if (pid === 13) continue;
        const leader = entries.find((other) => other.leads && other.session === session);
        if (members.has(parent) || tag === ID || (leader && members.has(leader.pid))) expect(members).toContain(pid);
      }
      expect(new Set(pids(own, entries))).toEqual(members);
    }),
    { numRuns: 1000 },
  );
});
