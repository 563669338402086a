import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planResume, planStart, startingConversation } from '../../../../src/daemon/agents/adapters/launch-plan.js';
import { takesPrompt, withPrompt } from '../../../../src/daemon/agents/adapters/with-prompt.js';
import { presetsOf } from '../../../../src/daemon/agents/presets.js';
import { agent, CONTEXT, ID, SES, shown } from './plans.js';

function prompted(command: string, prompt: string, preset?: string): string {
  const answer = withPrompt(agent(command, preset), command, prompt);
  if ('refusal' in answer) throw new Error(answer.refusal);
  return answer.command;
}

function refusal(command: string, preset?: string, presets = presetsOf([])): string | undefined {
  const answer = withPrompt(agent(command, preset, presets), command, 'go on');
  return 'refusal' in answer ? answer.refusal : undefined;
}

describe('a first prompt', () => {
  test.each([
    ['claude', "claude 'fix it'"],
    ['claude --model opus --allowedTools Bash Edit', "claude 'fix it' --model opus --allowedTools Bash Edit"],
    ['exec env A=1 /opt/claude --verbose', "exec env A=1 /opt/claude 'fix it' --verbose"],
    ['codex --no-daemon', "codex 'fix it' --no-daemon"],
    ['codex -i shot.png', "codex 'fix it' -i shot.png"],
    ['gemini -m x', "gemini -i 'fix it' -m x"],
    ['opencode ~/src', "opencode --prompt 'fix it' ~/src"],
    ['qwen', "qwen -i 'fix it'"],
    ['copilot', "copilot -i 'fix it'"],
    ['claude --not-known-yet value', "claude 'fix it' --not-known-yet value"],
  ])('of `%s` stands where the agent takes it', (command, expected) => {
    expect(takesPrompt(agent(command), command)).toBe(true);
    expect(prompted(command, 'fix it')).toBe(expected);
  });

  test.each([
    ['- fix this\n- and that', "claude ' - fix this\n- and that'"],
    ['--help', "claude ' --help '"],
    ['update', "claude 'update '"],
    ['it\'s `$HOME` "now" \\', "claude 'it'\\''s `$HOME` \"now\" \\'"],
    ['/review', "claude '/review'"],
  ])('of %j is never an option, a subcommand or anything to the shell', (prompt, expected) => {
    expect(prompted('claude', prompt)).toBe(expected);
  });

  test('reaches the program as it is, whatever is in it', () => {
    const texts = fc
      .string({ unit: 'binary', minLength: 1 })
      .filter((text) => !text.includes('\0') && text.trim() !== '' && !/\p{Surrogate}/u.test(text));
    fc.assert(
      fc.property(texts, (prompt) => {
        const command = prompted('gemini', prompt).replace(/^gemini/, `printf '%s\\n'`);
        const printed = execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' });
        expect(printed).toBe(`-i\n${prompt.startsWith('-') ? ' ' : ''}${prompt}\n`);
      }),
      { numRuns: 25 },
    );
  });

  test('does not keep a conversation from being chosen, and stands behind what makes the agent report', () => {
    const command = prompted('claude', 'fix it');
    expect(startingConversation(agent(command), command)).toEqual({ how: 'chosen' });
    const plan = planStart({ agent: agent(command), command, agent_session: ID, context: CONTEXT });
    expect(shown(plan.command)).toBe(`claude --session-id ${ID} --settings FILE 'fix it'`);
  });

  test.each([
    ['claude', ID, `claude --resume ${ID} --settings FILE`],
    ['claude --allowedTools Bash', ID, `claude --resume ${ID} --settings FILE --allowedTools Bash`],
    ['codex --no-daemon', ID, `codex resume --no-daemon ${ID}`],
    ['codex', undefined, 'codex --no-daemon'],
    ['gemini', ID, `gemini --resume ${ID}`],
    ['opencode', SES, `opencode -s ${SES}`],
    ['opencode', undefined, 'opencode'],
    ['qwen', ID, `qwen --resume ${ID}`],
    ['copilot', ID, `copilot --session-id=${ID}`],
  ])('of `%s` is not sent again by a resume', (command, conversation, expected) => {
    for (const isBegun of [true, false]) {
      const text = prompted(command, 'fix it');
      const plan = planResume({ agent: agent(command), command: text, agent_session: conversation, isBegun, context: CONTEXT });
      expect(plan.command).not.toContain('fix it');
      if (isBegun) expect(shown(plan.command)).toBe(expected);
    }
  });

  test.each([
    ['claude -p', 'no conversation'],
    ['claude doctor', 'no conversation'],
    ['codex resume --last', 'goes on with a conversation'],
    ['claude "do that"', 'has a first prompt already'],
    ['gemini -i hi', 'has a first prompt already'],
    ['gemini hi', 'has a first prompt already'],
    ['opencode --prompt hi', 'has a first prompt already'],
    ['aider', 'does not know how Aider'],
    ['goose session', 'does not know how goose'],
  ])('is refused for `%s`, with the reason', (command, why) => {
    expect(refusal(command)).toContain(why);
    expect(takesPrompt(agent(command), command)).toBe(false);
  });

  test('is refused for a command that is more than the agent of its preset', () => {
    expect(refusal('claude && make', 'claude')).toContain('more than a plain call of claude');
    expect(refusal('vim', 'claude')).toContain('more than a plain call of claude');
  });

  test('is refused where each resume would run the command again as it is', () => {
    const presets = presetsOf([{ id: 'claude', resume_command: '' }]);
    expect(refusal('claude', 'claude', presets)).toContain('each resume would send it again');
  });

  test('is refused where its quotes would make the command too long', () => {
    const answer = withPrompt(agent('claude'), 'claude', "'".repeat(60_000));
    expect(answer).toEqual({ refusal: expect.stringContaining('does not fit') });
  });
});
