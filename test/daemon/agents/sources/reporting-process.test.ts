import { describe, expect, test } from 'vitest';
import { type Ancestor, judgeReporter, reporterOf } from '../../../../src/daemon/agents/sources/reporting-process.js';

const ROOT = 5;

/** `20 sh, 10 claude`: the nearest first; the pane's wrapper and what is above it follow. */
function line(text: string, above = `${ROOT} sh, 2 tmux, 1 init`): Ancestor[] {
  return `${text}${text === '' ? '' : ', '}${above}`.split(', ').map((one) => {
    const [pid, ...name] = one.split(' ');
    return { pid: Number(pid), name: name.join(' ') };
  });
}

describe('the agent that a report comes from', () => {
  test.each([
    ['the hook’s parent', '10 claude', 10],
    ['behind the shell that runs the hook', '21 sh, 10 claude', 10],
    ['behind everything that only runs another program', '25 timeout, 24 env, 23 nohup, 22 setsid, 21 zsh, 10 claude', 10],
    ['below the user’s own shell', '21 sh, 10 claude, 8 fish, 7 bash', 10],
    ['and not its launcher of another kind', '21 sh, 11 codex, 10 node', 11],
    ['by the launcher that runs the same script', '21 sh, 11 node, 10 node', 10],
    ['by its launcher, not that of an outer agent', '21 sh, 13 node, 12 node, 9 bash, 11 node, 10 node', 12],
    ['itself where a native program starts itself again', '21 sh, 11 claude, 10 claude', 11],
    ['by a name with its path, as macOS tells it', '21 /bin/zsh, 20 -zsh, 10 /opt/homebrew/bin/claude', 10],
    ['unknown when there are only shells', '21 sh, 20 -bash', undefined],
  ])('is %s', (_, text, agent) => {
    expect(reporterOf(line(text), ROOT)?.agent).toBe(agent);
  });

  test('is the pane’s root where that is no shell', () => {
    expect(reporterOf(line('21 sh', `${ROOT} claude, 2 tmux`), ROOT)).toEqual({ agent: ROOT, line: [21, ROOT] });
  });

  test('is the reporter itself for a plugin, which is put in front', () => {
    expect(reporterOf([{ pid: 30, name: 'opencode' }, ...line('29 node')], ROOT)?.agent).toBe(30);
  });

  test('is foreign when the pane’s root is not above it', () => {
    expect(reporterOf(line('21 sh, 10 codex', '1 init'), ROOT)).toBeUndefined();
    expect(reporterOf([], ROOT)).toBeUndefined();
  });
});

/** What each report in turn is taken for; `=10` for the root agent that is known from then on. */
function judged(...reports: readonly (string | readonly Ancestor[])[]): string[] {
  let agent: number | undefined;
  return reports.map((report) => {
    const judgement = judgeReporter({ ancestors: typeof report === 'string' ? line(report) : report, root: ROOT, agent });
    if (judgement.from !== 'root') return judgement.from;
    agent = judgement.agent;
    return `=${agent}`;
  });
}

const CLAUDE = '21 sh, 10 claude, 7 bash';

describe('the reports of a session’s run', () => {
  test('come from the first agent on', () => {
    expect(judged(CLAUDE, '31 sh, 10 claude, 7 bash', CLAUDE)).toEqual(['=10', '=10', '=10']);
  });

  test('of an agent that the agent started are nested, as are those of one further in', () => {
    const inner = '41 sh, 40 claude, 39 bash, 10 claude, 7 bash';
    expect(judged(CLAUDE, inner, '61 sh, 60 codex, 50 node, 40 claude, 39 bash, 10 claude', CLAUDE)).toEqual([
      '=10',
      'nested',
      'nested',
      '=10',
    ]);
  });

  test('of a native agent that the agent started without a shell are nested', () => {
    expect(judged(CLAUDE, '41 sh, 40 claude, 10 claude')).toEqual(['=10', 'nested']);
  });

  test('of one that was started again in the pane’s shell come from it from then on', () => {
    expect(judged(CLAUDE, '51 sh, 50 claude, 7 bash', '61 sh, 60 claude, 59 bash, 50 claude, 7 bash')).toEqual(['=10', '=50', 'nested']);
  });

  test('of an agent that was heard of later than the one that it started make that one nested', () => {
    const inner = '41 sh, 40 claude, 39 bash, 10 claude, 7 bash';
    expect(judged(inner, CLAUDE, inner)).toEqual(['=40', '=10', 'nested']);
  });

  test('of a launcher and of its child come from one agent', () => {
    expect(judged('21 sh, 11 node, 10 node', '22 sh, 10 node', '23 sh, 11 node, 10 node')).toEqual(['=10', '=10', '=10']);
    expect(judged('21 sh, 11 node, 10 node', '41 sh, 33 node, 32 node, 31 bash, 11 node, 10 node')).toEqual(['=10', 'nested']);
  });

  test('of a person in the pane’s shell do not change who the agent is', () => {
    expect(judged('7 bash', CLAUDE, '7 bash', CLAUDE)).toEqual(['=undefined', '=10', '=10', '=10']);
  });

  test('of a background process that sessions share are foreign', () => {
    expect(judged(CLAUDE, line('21 sh, 90 codex', '1 init'), CLAUDE)).toEqual(['=10', 'foreign', '=10']);
  });
});
