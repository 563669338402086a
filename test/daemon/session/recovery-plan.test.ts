import { expect, test } from 'vitest';
import type { PaneInfo } from '../../../src/daemon/panes/panes.js';
import { planRecovery } from '../../../src/daemon/session/recovery-plan.js';
import { SIDECAR_VERSION, type Sidecar } from '../../../src/daemon/store/sidecar.js';

const id = '11111111-1111-4111-8111-111111111111';
const at = '2026-01-01T00:00:00.000Z';
const T0 = Date.parse(at);

function sidecar(fields: Partial<Sidecar>): Sidecar {
  return {
    version: SIDECAR_VERSION,
    id,
    status: 'running',
    created_at: at,
    updated_at: at,
    cwd: '/',
    command: 'sh',
    env: {},
    metadata: {},
    size: { cols: 120, rows: 40 },
    run: 1,
    epoch: 1,
    ...fields,
  };
}

function pane(fields: Partial<PaneInfo> = {}): PaneInfo {
  return { sessionId: id, paneId: '%1', pid: 42, size: { cols: 120, rows: 40 }, marked: true, run: 1, dead: false, piped: true, ...fields };
}

const former = { status: 'dead' as const, run: 1 };
const creating = sidecar({ intent: { kind: 'create', at } });
const spawning = sidecar({ intent: { kind: 'resume', at, attempt: 1, former } });
const confirming = sidecar({ intent: { kind: 'resume', at, attempt: 1, spawned: true, former } });
const stoppingOne = sidecar({ intent: { kind: 'stop', at } });
const running = sidecar({});
const deadOne = sidecar({ status: 'dead', exit: { reason: 'exited', code: 0, at } });
const dormantOne = sidecar({ status: 'dormant', exit: { reason: 'lost', at } });
const live = pane();
const deadPane = pane({ dead: true, exit: { code: 3 } });
const foreign = pane({ marked: false });

test.each<[string, Sidecar | undefined, PaneInfo | undefined, string]>([
  ['running, live pane', running, live, 'adopt'],
  ['running, dead pane', running, deadPane, 'seal'],
  ['running, no pane', running, undefined, 'lose'],
  ["running, somebody else's pane of that name", running, foreign, 'lose'],
  ['dormant, live pane', dormantOne, live, 'adopt'],
  ['dead, live pane', deadOne, live, 'adopt'],
  ['dead, dead pane', deadOne, deadPane, 'keep'],
  ['dormant, no pane', dormantOne, undefined, 'keep'],
  ['dead, no pane', deadOne, undefined, 'keep'],
  ['create cut off before the pane', creating, undefined, 'undo_create'],
  ['create cut off behind the pane', creating, live, 'undo_create'],
  ['create cut off, program over', creating, deadPane, 'undo_create'],
  ['resume cut off before the pane', spawning, undefined, 'undo_resume'],
  ['resume cut off behind the pane', spawning, live, 'adopt'],
  ['resume that failed unseen', confirming, deadPane, 'seal'],
  ['resume that was spawned, pane gone', confirming, undefined, 'lose'],
  ['stop cut off, program over', stoppingOne, deadPane, 'seal'],
  ['stop cut off, pane gone', stoppingOne, undefined, 'lose'],
  ['no sidecar, our pane', undefined, live, 'adopt_unknown'],
  ["no sidecar, somebody else's pane", undefined, foreign, 'ignore'],
])('L1: %s', (_case, record, found, step) => {
  expect(planRecovery({ id, sidecar: record, pane: found, buried: false }, { lastSignBeforeLoss: undefined }).kind).toBe(step);
});

test.each([undefined, running, creating, spawning, deadOne])('L1: what has a tombstone is ended, never adopted', (record) => {
  for (const found of [undefined, live, deadPane]) {
    expect(planRecovery({ id, sidecar: record, pane: found, buried: true }, { lastSignBeforeLoss: undefined }).kind).toBe('bury');
  }
});

test('L1: a tombstone ends our pane only, not one that somebody made under that name', () => {
  expect(planRecovery({ id, pane: foreign, buried: true }, { lastSignBeforeLoss: undefined })).toEqual({ kind: 'bury', id });
});

test('a stop that was cut off while its program lives is finished', () => {
  expect(planRecovery({ id, sidecar: stoppingOne, pane: live, buried: false }, { lastSignBeforeLoss: undefined })).toMatchObject({
    finishStop: true,
  });
});

test('L5: an end shortly before the loss of tmux is part of it, and one before a mere restart of the daemon is not', () => {
  const plan = (lastSignBeforeLoss: number | undefined) =>
    planRecovery({ id, sidecar: deadOne, buried: false }, { lastSignBeforeLoss }).kind;
  expect(plan(T0 + 9_000)).toBe('reboot');
  expect(plan(T0 + 11_000)).toBe('keep');
  expect(plan(undefined)).toBe('keep');
});
