import { expect, test } from 'vitest';
import { displayWidth } from '../../src/cli/display-width.js';
import { Output } from '../../src/cli/output.js';
import { bySituation, sessionTable } from '../../src/cli/session-table.js';
import { exitSentence, stateText } from '../../src/cli/session-text.js';
import type { Activity, Exit, Session } from '../../src/protocol/index.js';
import { fakeSession } from '../support/fake-daemon.js';

const at = '2026-01-02T03:04:05.000Z';
const doing = (state: Activity['state'], more: Partial<Activity> = {}): Partial<Session> => ({ activity: { state, since: at, ...more } });
const ended = (exit: Omit<Exit, 'at'>): Partial<Session> => ({ status: 'dead', exit: { ...exit, at } });

function outputOf(stdout: { isTTY?: boolean; columns?: number }, env: Record<string, string> = {}): Output {
  return new Output({ stdout: { ...stdout, write: () => true }, stderr: { write: () => true }, json: false, env });
}

function table(sessions: Session[], columns?: number): string[] {
  const output = outputOf(columns === undefined ? {} : { isTTY: true, columns }, { NO_COLOR: '1' });
  return sessionTable(sessions, { home: '/home/ada', output, now: Date.parse(at) + 7_200_000 });
}

test('those that wait for somebody come first, the dead last, and the newest first among equals', () => {
  const older = fakeSession({ created_at: '2025-01-01T00:00:00.000Z' });
  const sessions = [
    fakeSession(ended({ reason: 'exited', code: 0 })),
    fakeSession({ status: 'dormant' }),
    older,
    fakeSession(),
    fakeSession(doing('idle')),
  ];
  sessions.push(fakeSession(doing('working')), fakeSession(doing('waiting')));
  const order = sessions.sort(bySituation).map(stateText);
  expect(order.slice(0, 2)).toEqual(['waiting', 'working']);
  expect(order.slice(-2)).toEqual(['dormant', 'dead (exit 0)']);
  expect(sessions.indexOf(older)).toBe(4);
});

test('those that failed or are done come behind those that wait, in that order, each with a mark of its own', () => {
  const sessions = [
    fakeSession(doing('idle')),
    fakeSession(doing('working')),
    fakeSession(doing('idle', { done: true })),
    fakeSession(doing('idle', { done: true, failed: true })),
    fakeSession(doing('waiting', { kind: 'permission' })),
  ];
  const states = table(sessions.sort(bySituation)).map((line) => /[◐▲✓●○] (?:waiting \(permission\)|idle \(done\)|\S+)/.exec(line)?.[0]);
  expect(states.slice(1)).toEqual(['◐ waiting (permission)', '▲ failed', '✓ idle (done)', '● working', '○ idle']);
  for (const line of table(sessions, 80)) expect(displayWidth(line)).toBeLessThanOrEqual(80);
});

test.each([
  [{}, 'running', 'has ended'],
  [doing('waiting'), 'waiting', 'has ended'],
  [doing('waiting', { kind: 'question' }), 'waiting (question)', 'has ended'],
  [doing('idle', { failed: true }), 'failed', 'has ended'],
  [doing('idle', { done: true }), 'idle (done)', 'has ended'],
  [doing('idle', { done: false }), 'idle', 'has ended'],
  [ended({ reason: 'exited', code: 3 }), 'dead (exit 3)', 'exited with code 3'],
  [ended({ reason: 'exited', signal: 9 }), 'dead (SIGKILL (9))', 'was ended by SIGKILL (9)'],
  [ended({ reason: 'exited', signal: 99 }), 'dead (signal 99)', 'was ended by signal 99'],
  [ended({ reason: 'exited' }), 'dead (exited)', 'ended'],
  [ended({ reason: 'stopped', signal: 1 }), 'dead (stopped)', 'was stopped'],
  [{ ...ended({ reason: 'lost' }), status: 'dormant' }, 'dormant (lost)', 'was lost: tmux or the host went down'],
  [
    { ...ended({ reason: 'resume_failed', code: 1 }), status: 'dormant' },
    'dormant (resume failed)',
    'exited with code 1 right after the resume',
  ],
] as const)('a session that is %j reads %j', (given, state, sentence) => {
  const session = fakeSession(given);
  expect(stateText(session)).toBe(state);
  expect(exitSentence(session.exit)).toBe(sentence);
});

test('columns line up whatever a name is made of, and a control character in it reaches no terminal', () => {
  const sessions = ['plain', '日本語', '👩‍💻', '\x1b[2Jx\x07\n'].map((name) =>
    fakeSession({ metadata: { name }, cwd: '/home/ada/code', command: 'top' }),
  );
  const lines = table(sessions);
  expect(lines.join('')).not.toMatch(/\p{Cc}/u);
  const starts = lines.slice(1).map((line) => displayWidth(line.slice(0, line.indexOf('~/code'))));
  expect(new Set(starts).size).toBe(1);
  expect(lines[1]).toMatch(/^[0-9a-f]{8} {2}plain .* ○ running {2}top +~\/code +2h$/);
});

test('a table is as wide as the terminal at most, and whole where there is none', () => {
  const session = fakeSession({
    metadata: { name: 'a rather long name for it' },
    cwd: `/srv/${'deep/'.repeat(20)}end`,
    command: 'claude --model opus --verbose',
  });
  for (const line of table([session], 80)) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  const narrow = table([session], 80)[1];
  expect(narrow).toMatch(/…[^ ]*end +2h$/);
  expect(table([session])[1]).toContain(session.cwd);
});

test('colours are for terminals that want them', () => {
  const sessions = [fakeSession(doing('waiting'))];
  const options = { home: '/', now: 0 };
  expect(sessionTable(sessions, { ...options, output: outputOf({ isTTY: true, columns: 200 }) })[1]).toContain('\x1b[33m◐ waiting');
  for (const output of [outputOf({}), outputOf({ isTTY: true }, { NO_COLOR: '1' }), outputOf({ isTTY: true }, { TERM: 'dumb' })]) {
    expect(sessionTable(sessions, { ...options, output })[1]).not.toContain('\x1b');
  }
});

test('a session that needs a look is marked', () => {
  expect(table([fakeSession({ warning: 'its sidecar was lost' })])[1]).toContain('○ running !');
});

test('a branch and how many files changed have a column where a session is on one, and only then', () => {
  const worktree = { path: '/w', base_repo: '/r', branch: 'fix', created_branch: true, base_commit: 'c'.repeat(40) };
  const sessions = [
    fakeSession({ worktree }),
    fakeSession({ worktree, git: { branch: 'other', changed: 3, revision: '1', ahead: 1 } }),
    fakeSession({ worktree, git: { changed: 0, revision: '1' } }),
    fakeSession(),
  ];
  const branches = table(sessions).map((line) => / (BRANCH|fix|other ±3|detached|-) +(?:DIRECTORY|\/srv)/.exec(line)?.[1]);
  expect(branches).toEqual(['BRANCH', 'fix', 'other ±3', 'detached', '-']);
  expect(table([fakeSession()])[0]).not.toContain('BRANCH');
  for (const line of table(sessions, 80)) expect(displayWidth(line)).toBeLessThanOrEqual(80);
});
