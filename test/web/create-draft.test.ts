import { describe, expect, test } from 'vitest';
import { type HostPreset, MaestroError } from '../../src/protocol/index.js';
import {
  type CreateDraft,
  CUSTOM,
  draftProblem,
  fieldOf,
  firstPreset,
  orderPresets,
  problemText,
  requestOf,
} from '../../src/web/create/create-draft.js';

const draft = (part: Partial<CreateDraft> = {}): CreateDraft => ({
  preset: 'claude',
  name: '',
  cwd: '~/app',
  command: '',
  env: [],
  ...part,
});
const preset = (id: string, installed: boolean): HostPreset => ({ id, label: id, command: id, installed });
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
    expect(requestOf(full, { cols: 100, rows: 30 })).toEqual({
      cwd: '~/app',
      preset: 'claude',
      metadata: { name: 'n' },
      env: { A: ' x ' },
      size: { cols: 100, rows: 30 },
    });
    expect(requestOf(draft(), undefined)).toEqual({ cwd: '~/app', preset: 'claude' });
  });

  test('has the command of one’s own exactly as typed', () => {
    expect(requestOf(draft({ preset: CUSTOM, command: ' a && b ' }), undefined)).toEqual({ cwd: '~/app', command: ' a && b ' });
  });
});

test('what is missing is told before the daemon is asked', () => {
  const problems = [
    draft(),
    draft({ cwd: ' ' }),
    draft({ preset: CUSTOM }),
    draft({ env: [line(1, 'A'), line(2, 'A')] }),
    draft({ env: [line(1, '', 'x')] }),
  ].map((one) => draftProblem(one)?.field);
  expect(problems).toEqual([undefined, 'cwd', 'command', 'env', 'env']);
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
      invalid('size.cols'),
      new MaestroError('cwd_missing', 'cwd: /x does not exist'),
      new MaestroError('agent_not_found', 'Claude Code needs the program claude'),
      new MaestroError('storage_failed', 'the disk is full'),
      new Error('bug'),
    ];
    expect(errors.map(fieldOf)).toEqual(['cwd', 'env', 'name', 'command', 'form', 'cwd', 'preset', 'form', 'form']);
  });

  test('does not repeat the name of its field, but for a variable', () => {
    expect(problemText(invalid('cwd'))).toBe('Must not be so.');
    expect(problemText(invalid('env.A'))).toBe('A: must not be so.');
    expect(problemText(new MaestroError('cwd_missing', 'cwd: /x does not exist; create it'))).toBe('/x does not exist; create it.');
    expect(problemText(new MaestroError('storage_failed', 'the disk is full'))).toBe('The disk is full.');
  });
});
