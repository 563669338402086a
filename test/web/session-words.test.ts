import { describe, expect, test } from 'vitest';
import type { Exit, HostPreset } from '../../src/protocol/index.js';
import { formatAge, formatMoment, formatSince } from '../../src/web/session/age.js';
import { endingOf, shortEnding } from '../../src/web/session/ending.js';
import { fateOf } from '../../src/web/session/fate.js';
import { monogram } from '../../src/web/session/monogram.js';
import { projectOf, shortPath } from '../../src/web/session/project.js';
import { sessionName } from '../../src/web/session/session-name.js';
import { sessionNote } from '../../src/web/session/session-note.js';
import { isFiltering, matchesFilter, matchesQuery, NO_FILTER } from '../../src/web/sidebar/match-session.js';
import { aSession, at, aView, minute } from './sessions.js';

const exit = (part: Partial<Exit>): Exit => ({ reason: 'exited', at: at(37), ...part });

test('an age is told in one unit', () => {
  const ages = [-5, 0, 59_999, 60_000, 3_599_999, 3_600_000, 86_400_000, 8 * 86_400_000].map(formatAge);
  expect(ages).toEqual(['0s', '0s', '59s', '1m', '59m', '1h', '1d', '8d']);
});

test('a moment of another day names the day', () => {
  expect(formatMoment(minute(37), minute(99), 'en-GB')).toMatch(/^at \d\d:37$/);
  expect(formatMoment(minute(37), minute(60 * 48), 'en-GB')).toMatch(/^on 4 May at \d\d:37$/);
  expect(formatSince(minute(37), minute(99), 'en-GB')).toMatch(/^\d\d:37$/);
  expect(formatSince(minute(37), minute(60 * 48), 'en-GB')).toMatch(/^4 May, \d\d:37$/);
});

test('a name is the display name, else the preset, else the first line of the command', () => {
  expect(sessionName(aSession('x', { metadata: { name: 'mine' }, preset: 'claude' }))).toBe('mine');
  expect(sessionName(aSession('x', { metadata: { name: ' ' }, preset: 'claude' }))).toBe('claude');
  expect(sessionName(aSession('x', { metadata: { name: 7 }, command: ' make\ntest' }))).toBe('make');
});

describe('paths', () => {
  test('are shown from the home directory on, where they are in it', () => {
    const shown = ['/home/me', '/home/me/src', '/home/merry', '/srv'].map((path) => shortPath(path, '/home/me/'));
    expect(shown).toEqual(['~', '~/src', '/home/merry', '/srv']);
    expect(shortPath('/srv', undefined)).toBe('/srv');
    expect(shortPath('/srv', '/')).toBe('/srv');
  });

  test('name their project by their last part', () => {
    expect(projectOf(aSession('x', { cwd: '/src/app//' }))).toEqual({ name: 'app', path: '/src/app' });
    expect(projectOf(aSession('x', { cwd: '/' }))).toEqual({ name: '/', path: '/' });
  });
});

describe('a note', () => {
  const presets = [
    { id: 'claude', label: 'Claude Code', command: 'claude', installed: true, takes_prompt: true },
  ] as const satisfies HostPreset[];

  test('is what the agent says, on one line', () => {
    const activity = { state: 'working' as const, message: ' two\n\tlines ', since: at(0) };
    expect(sessionNote(aSession('x', { activity }), presets)).toBe('two lines');
  });

  test('is what runs, unless that is the name already', () => {
    expect(sessionNote(aSession('x', { preset: 'claude' }), presets)).toBe('Claude Code');
    expect(sessionNote(aSession('x', { preset: 'other' }), presets)).toBe('other');
    expect(sessionNote(aSession('x', { metadata: {} }), presets)).toBe('');
  });

  test('is how a dead one ended', () => {
    expect(sessionNote(aSession('x', { status: 'dead', exit: exit({ code: 3 }) }), presets)).toBe('Exited 3');
  });
});

describe('an end', () => {
  test.each([
    [exit({ code: 0 }), 'Exited'],
    [exit({ code: 2 }), 'Exited 2'],
    [exit({ signal: 9 }), 'Killed by SIGKILL'],
    [exit({ signal: 10 }), 'Killed by signal 10'],
    [exit({}), 'Exited'],
    [exit({ reason: 'stopped', signal: 15 }), 'Stopped'],
    [exit({ reason: 'lost' }), 'Lost with the host or tmux'],
    [exit({ reason: 'resume_failed', code: 1 }), 'Resume failed: exited 1'],
    [undefined, 'Ended'],
  ])('%j is told in few words', (how, words) => {
    expect(shortEnding(how)).toBe(words);
  });

  test('says when and why a session sleeps, what is kept and what starts it', () => {
    const session = aSession('x', { status: 'dormant', exit: exit({ reason: 'lost' }), agent_session: '7c1e44d0-aa11' });
    const { title, detail, action } = endingOf(session, minute(40));
    expect(title).toMatch(/^Dormant since .*37.*, when the host or tmux went away$/);
    expect([detail, action]).toEqual(['The conversation 7c1e44d0 and the last output are kept.', 'resume']);
  });

  test('by a signal that nobody asked for says that Maestro did not send it', () => {
    const killed = endingOf(aSession('x', { status: 'dead', exit: exit({ signal: 9 }) }), minute(40));
    expect(killed.detail).toBe('Maestro did not send it. The last output is kept. Its command runs again, in the same place.');
    expect(killed.action).toBe('restart');
    const stopped = endingOf(aSession('x', { status: 'dead', exit: exit({ signal: 15, reason: 'stopped' }) }), minute(40));
    expect(stopped.detail).not.toContain('Maestro did not');
  });

  test('says how many conversations its agent could go on with', () => {
    const session = aSession('x', { status: 'dormant', exit: exit({ reason: 'lost' }) });
    const kept = 'The last output is kept. Its command runs again, in the same place.';
    expect([0, 1, 2].map((choices) => endingOf(session, minute(40), choices).detail)).toEqual([
      kept,
      `${kept} Its agent has an earlier conversation here.`,
      `${kept} Its agent has 2 earlier conversations here.`,
    ]);
  });

  test('of a resume that failed says so', () => {
    const session = aSession('x', { status: 'dormant', exit: exit({ reason: 'resume_failed', code: 127 }) });
    expect(endingOf(session, minute(40)).title).toMatch(/^The resume failed at .*: exited 127$/);
  });
});

describe('before a session is ended', () => {
  test('a kill names what is lost and what is kept', () => {
    const fate = fateOf('kill', aSession('x', { agent_session: '7c1e44d0-aa11' }), '/home/me');
    expect(fate.lost).toBe('Htop and every process it started, and the session with its name, environment and stored output.');
    expect(fate.kept).toContain('~/src/app');
    expect(fate.kept).toContain('7c1e44d0');
    expect(fate.refusal).toBe('Keep it running');
  });

  test('a kill of one without a program loses no program', () => {
    const fate = fateOf('kill', aSession('x', { status: 'dead' }), undefined);
    expect(fate.lost).toBe('The session with its name, environment and stored output.');
    expect(fate.refusal).toBe('Keep it');
  });

  test('a stop keeps the session', () => {
    expect(fateOf('stop', aSession('x'), undefined).kept).toContain('Resume starts it again');
  });
});

test('an agent has two letters of its own', () => {
  const letters = ['Claude Code', 'Gemini CLI', 'aider', 'Ünı Cörn', 'X'].map((label) => monogram({ id: 'other', label }));
  expect(letters).toEqual(['cc', 'gc', 'ai', 'üc', 'x']);
  expect(monogram({ id: 'codex', label: 'Codex' })).toBe('cx');
});

test('a session is found by words of what the list shows of it', () => {
  const view = aView('7c1e', { metadata: { name: 'Refund race' }, cwd: '/home/me/payments', command: 'claude' });
  expect(['', 'refund', 'RACE pay', 'claude 7c1e'].map((query) => matchesQuery(view, query))).toEqual([true, true, true, true]);
  expect(['refund storefront', 'x'].map((query) => matchesQuery(view, query))).toEqual([false, false]);
});

test('a filter asks for a state, for words, or for both; a session that starts counts as idle', () => {
  const view = aView('x', {
    worktree: { path: '/wt', base_repo: '/src/app', branch: 'fix-login', created_branch: true, base_commit: '1' },
  });
  const starting = aView('y', { status: 'dormant' }, { starting: true });
  const passes = (one: typeof view, query: string, state?: 'idle' | 'waiting') => matchesFilter(one, { query, state });
  expect([passes(view, ' fix '), passes(view, 'fix', 'idle'), passes(starting, '', 'idle')]).toEqual([true, true, true]);
  expect([passes(view, 'fix', 'waiting'), passes(view, 'mend', 'idle')]).toEqual([false, false]);
  expect([isFiltering(NO_FILTER), isFiltering({ query: ' ', state: undefined }), isFiltering({ query: '', state: 'idle' })]).toEqual([
    false,
    false,
    true,
  ]);
});
