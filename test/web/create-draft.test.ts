import { describe, expect, test } from 'vitest';
import { type HostPreset, MaestroError } from '../../src/protocol/index.js';
import { type CreateDraft, CUSTOM, firstPreset, orderPresets, requestOf, takesPrompt } from '../../src/web/create/create-draft.js';
import { draftProblem, fieldOf, problemOf, problemText, untrustedSetup } from '../../src/web/create/draft-problem.js';
import { choiceOf, parseChoices, withChoice } from '../../src/web/create/project-choices.js';
import { proposedBranch, settledDraft, type TypedDraft } from '../../src/web/create/typed-draft.js';
import type { Place } from '../../src/web/create/use-place.js';

const draft = (part: Partial<CreateDraft> = {}): CreateDraft => ({
  preset: 'claude',
  name: '',
  cwd: '~/app',
  command: '',
  env: [],
  ...part,
});
const preset = (id: string, installed: boolean): HostPreset => ({
  id,
  label: id,
  command: id,
  executable: id,
  installed,
  takes_prompt: id === 'd',
});
const presets = [preset('a', false), preset('b', true), preset('c', false), preset('d', true)];
const line = (key: number, name: string, value = '') => ({ key, name, value });

test('installed presets come first', () => {
  expect(orderPresets(presets).map(({ id }) => id)).toEqual(['b', 'd', 'a', 'c']);
});

test('the form begins with the preset used last, if it is installed', () => {
  expect([firstPreset(presets, 'd'), firstPreset(presets, 'a'), firstPreset([], 'a')]).toEqual(['d', 'b', CUSTOM]);
});

describe('the request', () => {
  test('holds what was filled in', () => {
    const full = draft({ name: 'n', env: [line(1, ' A ', ' x '), line(2, '')] });
    expect(requestOf(full, { size: { cols: 100, rows: 30 } })).toEqual({
      cwd: '~/app',
      preset: 'claude',
      metadata: { name: 'n' },
      env: { A: ' x ' },
      size: { cols: 100, rows: 30 },
    });
    expect(requestOf(draft(), { size: undefined })).toEqual({ cwd: '~/app', preset: 'claude' });
  });

  test('has the command of one’s own exactly as typed', () => {
    expect(requestOf(draft({ preset: CUSTOM, command: ' a && b ' }), { size: undefined })).toEqual({ cwd: '~/app', command: ' a && b ' });
    expect(requestOf(draft({ command: 'typed for another choice' }), { size: undefined })).toEqual({ cwd: '~/app', preset: 'claude' });
  });

  test('has the first prompt as typed, where there is one', () => {
    expect(requestOf(draft({ prompt: ' fix\nit ' }), { size: undefined })).toMatchObject({ prompt: ' fix\nit ' });
    expect(requestOf(draft({ prompt: ' \n' }), { size: undefined })).not.toHaveProperty('prompt');
  });
});

describe('with a worktree, the request', () => {
  const worktree = { repo: '/home/ada/app', branch: ' fix ', existing: false, base: '' };

  test('names the repository and the branch in the place of a directory', () => {
    expect(requestOf(draft({ worktree }), { size: undefined })).toEqual({
      preset: 'claude',
      worktree: { base_repo: '/home/ada/app', branch: 'fix' },
    });
  });

  test('has a base for a new branch only, and leaves the set-up out when that was chosen', () => {
    const based = { ...worktree, base: 'v1 ' };
    expect(requestOf(draft({ worktree: based }), { size: undefined, setup: 'skip' }).worktree).toEqual({
      base_repo: '/home/ada/app',
      branch: 'fix',
      base: 'v1',
      setup: 'skip',
    });
    expect(requestOf(draft({ worktree: { ...based, existing: true } }), { size: undefined }).worktree).toEqual({
      base_repo: '/home/ada/app',
      branch: 'fix',
      create_branch: false,
    });
  });
});

describe('what was not decided by hand', () => {
  const typed = (part: Partial<TypedDraft> = {}): TypedDraft => ({
    name: 'Fix it',
    cwd: '~/app',
    command: '',
    env: [],
    prompt: '',
    existing: false,
    base: '',
    ...part,
  });
  const place: Place = { repo: '/home/ada/app', project: undefined, path: '/home/ada/app', isPending: false };
  const around = { presets, lastPreset: 'd', place, remembered: undefined, tag: 'k3f9' };

  test('is as it was for the project the last time, else as for the last session, without a worktree', () => {
    expect(settledDraft(typed(), around)).toEqual({ ...draft({ preset: 'd', name: 'Fix it', prompt: '' }) });
    const remembered = { preset: 'b', worktree: true };
    expect(settledDraft(typed(), { ...around, remembered })).toMatchObject({ preset: 'b', worktree: { branch: 'fix-it' } });
    expect(settledDraft(typed({ preset: 'd', ownWorktree: false }), { ...around, remembered })).not.toHaveProperty('worktree');
  });

  test('a first prompt is kept for what takes one', () => {
    const prompts = (['b', 'd', CUSTOM] as const).map((id) => settledDraft(typed({ preset: id, prompt: 'go' }), around).prompt);
    expect(prompts).toEqual([undefined, 'go', undefined]);
    const own = ['/opt/bin/d --fast', 'd', 'b', 'dd', ''].map((command) => takesPrompt({ preset: CUSTOM, command }, presets));
    expect(own).toEqual([true, true, false, false, false]);
  });

  test('does not bring a worktree where there is no repository, or no commit', () => {
    const own = typed({ ownWorktree: true });
    expect(settledDraft(own, { ...around, place: { ...place, repo: undefined } }).worktree).toBeUndefined();
    const pending = { ...place, repo: undefined, isPending: true };
    expect(settledDraft(own, { ...around, place: pending }).worktree?.repo).toBe('/home/ada/app'); // the daemon has the last word
    const project = { path: '/home/ada/app', name: 'app', bare: false, sessions: [] };
    expect(settledDraft(own, { ...around, place: { ...place, project } }).worktree).toBeUndefined();
  });

  test('the branch follows the name until it is edited', () => {
    expect(settledDraft(typed({ ownWorktree: true, name: 'Other' }), around).worktree?.branch).toBe('other');
    expect(settledDraft(typed({ ownWorktree: true, name: 'Other', branch: 'mine' }), around).worktree?.branch).toBe('mine');
  });

  test('a nameless session has a branch that no other one has', () => {
    const branches = [draft(), draft({ preset: CUSTOM, command: 'npm run dev' }), draft({ preset: CUSTOM }), draft({ name: '!!' })];
    expect(branches.map((one) => proposedBranch(one, 'k3f9'))).toEqual(['claude-k3f9', 'npm-k3f9', 'session-k3f9', 'claude-k3f9']);
  });
});

describe('what is remembered of projects', () => {
  const choice = { preset: 'b', worktree: true };

  test('is found by their path, and the oldest are forgotten', () => {
    let choices = {};
    for (let n = 0; n <= 100; n++) choices = withChoice(choices, `/p${n}`, choice);
    expect([choiceOf(choices, '/p0'), choiceOf(choices, '/p100'), choiceOf(choices, undefined)]).toEqual([undefined, choice, undefined]);
    expect(choiceOf({}, '__proto__')).toBeUndefined();
  });

  test('is read only where it is what it should be', () => {
    expect(parseChoices(JSON.stringify({ '/a': choice, '/b': { preset: 1 }, '/c': null }))).toEqual({ '/a': choice });
    expect(['[]', 'null', '{', '1'].map(parseChoices)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

test('what is missing is told before the daemon is asked', () => {
  const problems = [
    draft(),
    draft({ cwd: ' ' }),
    draft({ preset: CUSTOM }),
    draft({ env: [line(1, 'A'), line(2, 'A')] }),
    draft({ env: [line(1, '', 'x')] }),
    draft({ worktree: { repo: '/r', branch: ' ', existing: false, base: '' } }),
  ].map((one) => draftProblem(one)?.field);
  expect(problems).toEqual([undefined, 'cwd', 'command', 'env', 'env', 'branch']);
});

describe('a refusal', () => {
  const invalid = (field: string) =>
    new MaestroError('invalid_request', `${field}: must not be so, not "x"`, { details: { field, rule: 'must not be so' } });

  test('stands under the field that it names', () => {
    const errors = [
      invalid('cwd'),
      invalid('env.A'),
      invalid('metadata.name'),
      invalid('command'),
      invalid('prompt'),
      invalid('size.cols'),
      invalid('worktree.branch'),
      invalid('worktree.base'),
      invalid('worktree.base_repo'),
      new MaestroError('branch_conflict', 'worktree.branch: fix is there'),
      new MaestroError('cwd_missing', 'cwd: /x does not exist'),
      new MaestroError('agent_not_found', 'Claude Code needs the program claude'),
      new MaestroError('storage_failed', 'the disk is full'),
      new Error('bug'),
    ];
    expect(errors.map(fieldOf)).toEqual([
      'cwd',
      'env',
      'name',
      'command',
      'prompt',
      'form',
      'branch',
      'base',
      'cwd',
      'branch',
      'cwd',
      'preset',
      'form',
      'form',
    ]);
  });

  test('does not repeat the name of its field, but for a variable', () => {
    expect(problemText(invalid('cwd'))).toBe('Must not be so.');
    expect(problemText(invalid('env.A'))).toBe('A: must not be so.');
    expect(problemText(new MaestroError('cwd_missing', 'cwd: /x does not exist; create it'))).toBe('/x does not exist; create it.');
    expect(problemText(new MaestroError('storage_failed', 'the disk is full'))).toBe('The disk is full.');
  });

  test('of a set-up that nobody trusts shows what would run', () => {
    const setup = { repo: '/r', hash: `sha256:${'0'.repeat(64)}`, trusted: false, setup: 'make', env: {}, copy: [], ports: 0 };
    expect(untrustedSetup(new MaestroError('forbidden', 'not trusted', { details: { setup } }))).toEqual(setup);
    expect(untrustedSetup(new MaestroError('forbidden', 'another origin'))).toBeUndefined();
    expect(untrustedSetup(new MaestroError('internal', 'x', { details: { setup } }))).toBeUndefined();
  });

  test('of a branch that is there offers to use it', () => {
    const conflict = (message: string, details: Record<string, unknown>) =>
      problemOf(new MaestroError('branch_conflict', message, { details }));
    const message = 'the branch fix exists already; take another name, or use the existing branch';
    expect(conflict(message, { branch: 'fix' })).toEqual({ field: 'branch', text: 'The branch fix exists already.', conflict: 'usable' });
    expect(conflict('the branch fix is in use by the worktree at /w', { branch: 'fix', path: '/w' })).toMatchObject({ conflict: 'taken' });
  });
});
