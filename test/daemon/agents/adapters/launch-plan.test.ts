import { describe, expect, test } from 'vitest';
import { planResume, planStart, startingConversation } from '../../../../src/daemon/agents/adapters/launch-plan.js';
import { presetsOf } from '../../../../src/daemon/agents/presets.js';
import { agent, CONTEXT, ID, OTHER_ID, type PRESETS, SES, shown } from './plans.js';

function start(command: string, conversation?: string): string {
  return shown(planStart({ agent: agent(command), command, agent_session: conversation, context: CONTEXT }).command);
}

function resume(command: string, conversation?: string, isBegun = true): string {
  return shown(planResume({ agent: agent(command), command, agent_session: conversation, isBegun, context: CONTEXT }).command);
}

describe('a start', () => {
  test.each([
    ['claude', `claude --session-id ${ID} --settings FILE`],
    ['claude "fix it"', `claude --session-id ${ID} --settings FILE "fix it"`],
    ['claude "$(cat prompt.md)"', `claude --session-id ${ID} --settings FILE "$(cat prompt.md)"`],
    ["claude  --model opus   'a b' ", `claude --session-id ${ID} --settings FILE  --model opus   'a b' `],
    ['claude \\\n  --verbose \\\n  go\n', `claude --session-id ${ID} --settings FILE \\\n  --verbose \\\n  go\n`],
    ['exec claude -d', `exec claude --session-id ${ID} --settings FILE -d`],
    ['A=1 B="$HOME"/x C=$D claude', `A=1 B="$HOME"/x C=$D claude --session-id ${ID} --settings FILE`],
    ['env A=1 ~/bin/claude', `env A=1 ~/bin/claude --session-id ${ID} --settings FILE`],
    ['exec env A=1 "/opt/my agents/claude"', `exec env A=1 "/opt/my agents/claude" --session-id ${ID} --settings FILE`],
    ['"$HOME"/bin/claude', `"$HOME"/bin/claude --session-id ${ID} --settings FILE`],
    ['gemini', `gemini --session-id ${ID}`],
    ['gemini -i go', `gemini --session-id ${ID} -i go`],
    ['gemini -m x -e none', `gemini --session-id ${ID} -m x -e none`],
    ['qwen -y', `qwen --session-id ${ID} -y`],
    ['copilot --model gpt-5.4', `copilot --session-id=${ID} --model gpt-5.4`],
  ])('of `%s` with a conversation that was chosen', (command, expected) => {
    expect(startingConversation(agent(command), command)).toEqual({ how: 'chosen' });
    expect(start(command, ID)).toBe(expected);
  });

  test.each([
    ['codex', 'codex --no-daemon'],
    ['codex "do it"', 'codex --no-daemon "do it"'],
    ['codex --no-daemon', 'codex --no-daemon'],
    ['codex --remote ws://127.0.0.1:1', 'codex --remote ws://127.0.0.1:1'],
    ['codex -m x resume --last', 'codex -m x resume --no-daemon --last'],
    ['codex fork', 'codex fork --no-daemon'],
    ['opencode', 'opencode'],
    ['opencode ~/src --prompt hi', 'opencode ~/src --prompt hi'],
    ['claude --continue', 'claude --settings FILE --continue'],
    ['claude --resume', 'claude --settings FILE --resume'],
    ['claude --resume "the parser"', 'claude --settings FILE --resume "the parser"'],
    [`claude -r ${OTHER_ID} --fork-session`, `claude --settings FILE -r ${OTHER_ID} --fork-session`],
    ['claude --session-id "$ID"', 'claude --settings FILE --session-id "$ID"'],
    ['gemini --resume latest', 'gemini --resume latest'],
    ['gemini --resume', 'gemini --resume'],
    ['gemini --session-file x.json', 'gemini --session-file x.json'],
  ])('of `%s` leaves it to the agent which conversation it is', (command, expected) => {
    expect(startingConversation(agent(command), command)).toEqual({ how: 'learnt' });
    const plan = planStart({ agent: agent(command), command, agent_session: ID, context: CONTEXT });
    expect(shown(plan.command)).toBe(expected);
    expect(plan.agent_session).toBeUndefined();
  });

  test.each([
    [`claude --session-id ${OTHER_ID}`, `claude --settings FILE --session-id ${OTHER_ID}`, OTHER_ID],
    [`claude --session-id=${OTHER_ID} go`, `claude --settings FILE --session-id=${OTHER_ID} go`, OTHER_ID],
    [`claude -r ${OTHER_ID}`, `claude --settings FILE -r ${OTHER_ID}`, OTHER_ID],
    [
      `claude --session-id ${ID} -r ${OTHER_ID} --fork-session`,
      `claude --settings FILE --session-id ${ID} -r ${OTHER_ID} --fork-session`,
      ID,
    ],
    [`codex resume '${OTHER_ID}' go`, `codex resume --no-daemon '${OTHER_ID}' go`, OTHER_ID],
    [`gemini --sessionId ${OTHER_ID}`, `gemini --sessionId ${OTHER_ID}`, OTHER_ID],
    [`opencode -s ${SES}`, `opencode -s ${SES}`, SES],
  ])('of `%s` is in the conversation that the user names, and no other is chosen', (command, expected, id) => {
    expect(startingConversation(agent(command), command)).toEqual({ how: 'given', id });
    const plan = planStart({ agent: agent(command), command, agent_session: ID, context: CONTEXT });
    expect(shown(plan.command)).toBe(expected);
    expect(plan.agent_session).toBe(id);
  });

  test.each([
    'claude -p hi',
    'claude --print hi',
    'claude -vp hi',
    'claude mcp list',
    'claude --version',
    'claude --bg go',
    'claude -w --tmux',
    'codex exec hi',
    'codex e hi',
    'codex -m x review',
    'gemini mcp list',
    'gemini -p hi',
    'gemini --list-sessions',
    'opencode run hi',
    'opencode serve --port 1',
    'copilot -p hi',
    'qwen -p hi',
  ])('of `%s`, which is no conversation at a terminal, is left alone', (command) => {
    expect(startingConversation(agent(command), command)).toEqual({ how: 'none' });
    const plan = planStart({ agent: agent(command), command, agent_session: ID, context: CONTEXT });
    expect(plan).toEqual({ command, env: {}, files: [], warnings: [] });
    const again = planResume({ agent: agent(command), command, agent_session: ID, isBegun: true, context: CONTEXT });
    expect(again.command).toBe(command);
  });

  test.each([
    'cat notes | claude',
    'claude && echo done',
    'claude; exit',
    'claude &',
    'claude > log',
    'claude $ARGS',
    'claude *.md',
    'claude {a,b}',
    'claude $(cat args)',
    'claude `cat args`',
    'claude "`cat prompt`"',
    'claude "$(cat "$P")"',
    'claude "$@"',
    'claude # a comment',
    'claude "half',
    "claude 'half",
    'claude \\',
    'claude\nrm x',
    'env -u A claude',
    'exec -a x claude',
    'cd src; claude',
    'claude -xyz hi',
    'claude -dp hi',
    'claude --model',
  ])('of `%s`, which is not understood for certain, is left as it is', (command) => {
    const plan = planStart({ agent: agent(command, 'claude'), command, agent_session: ID, context: CONTEXT });
    expect(plan).toMatchObject({ command, env: {}, files: [] });
    expect(plan.warnings).toEqual(['the command is more than a plain call of claude, so its hooks do not report']);
    expect(startingConversation(agent(command, 'claude'), command)).toEqual({ how: 'learnt' });
  });

  test('of what is not understood still gets what goes by the environment', () => {
    const gemini = planStart({ agent: agent('a | gemini', 'gemini'), command: 'a | gemini', context: CONTEXT });
    expect(gemini).toMatchObject({ command: 'a | gemini', warnings: [] });
    expect(gemini.env.GEMINI_CLI_SYSTEM_SETTINGS_PATH).toBe(`/state/agents/${gemini.files[0]?.name}`);
    const opencode = planStart({ agent: agent('cd x; opencode', 'opencode'), command: 'cd x; opencode', context: CONTEXT });
    expect(opencode.env).toEqual({ OPENCODE_CONFIG_CONTENT: '{"plugin":["file:///opt/a%20b/plugin.js"]}' });
  });
});

describe('a resume', () => {
  test.each([
    ['claude', `claude --resume ${ID} --settings FILE`],
    ['claude "fix it"', `claude --resume ${ID} --settings FILE`],
    ['claude --model opus "fix it"', `claude --resume ${ID} --settings FILE --model opus`],
    ['claude fix --model opus', `claude --resume ${ID} --settings FILE --model opus`],
    ['claude -- --fix', `claude --resume ${ID} --settings FILE`],
    ['claude "$PROMPT"', `claude --resume ${ID} --settings FILE`],
    ['claude "$(cat prompt.md)"', `claude --resume ${ID} --settings FILE`],
    [
      `claude --append-system-prompt '- be "nice"' --add-dir ../a "$B/c" -d`,
      `claude --resume ${ID} --settings FILE --append-system-prompt '- be "nice"' --add-dir ../a "$B/c" -d`,
    ],
    [
      'claude --dangerously-skip-permissions --allowedTools "Bash(git *)" Edit',
      `claude --resume ${ID} --settings FILE --dangerously-skip-permissions --allowedTools "Bash(git *)" Edit`,
    ],
    [`claude --session-id ${OTHER_ID} go`, `claude --resume ${ID} --settings FILE`],
    [`claude -r ${OTHER_ID} --fork-session`, `claude --resume ${ID} --settings FILE`],
    ['claude --continue --verbose', `claude --resume ${ID} --settings FILE --verbose`],
    ['claude -w feature -nx go', `claude --resume ${ID} --settings FILE -nx`],
    ['exec env A=1 claude --ide go', `exec env A=1 claude --resume ${ID} --settings FILE --ide`],
    ['codex', `codex resume --no-daemon ${ID}`],
    ['codex --no-daemon', `codex resume --no-daemon ${ID}`],
    ['codex -m x "do it"', `codex resume --no-daemon ${ID} -m x`],
    ['codex -c \'a="b"\' -s read-only --search', `codex resume --no-daemon ${ID} -c 'a="b"' -s read-only --search`],
    ['codex -i a.png b.png -- look', `codex resume --no-daemon ${ID}`],
    [`codex -mx resume ${OTHER_ID} go`, `codex resume --no-daemon ${ID} -mx`],
    ['codex resume --last --all go', `codex resume --no-daemon ${ID}`],
    ['codex fork', `codex resume --no-daemon ${ID}`],
    ['codex --worktree go', `codex resume --no-daemon ${ID}`],
    ['gemini -m x -i go', `gemini --resume ${ID} -m x`],
    ['gemini fix this', `gemini --resume ${ID}`],
    ['gemini --allowed-tools a fix', `gemini --resume ${ID} --allowed-tools a`],
    ['gemini --approvalMode=plan --yolo false', `gemini --resume ${ID} --approvalMode=plan --yolo false`],
    [`gemini --session-id ${OTHER_ID}`, `gemini --resume ${ID}`],
    ['qwen -i go -y', `qwen --resume ${ID} -y`],
    ['copilot -i go --yolo', `copilot --session-id=${ID} --yolo`],
    ['claude --new-flag', `claude --resume ${ID} --settings FILE --new-flag`],
    ['claude --new-flag=x --verbose', `claude --resume ${ID} --settings FILE --new-flag=x --verbose`],
  ])('of `%s` keeps what the user added and sends no prompt', (command, expected) => {
    expect(resume(command, ID)).toBe(expected);
  });

  test.each([
    ['opencode', `opencode -s ${SES}`],
    ['opencode ~/src --prompt "do it" -m a/b', `opencode -s ${SES} ~/src -m a/b`],
    ['opencode --continue --fork', `opencode -s ${SES}`],
    ['opencode --new-flag x', `opencode -s ${SES} --new-flag x`],
  ])('of `%s` keeps the directory that it names', (command, expected) => {
    expect(resume(command, SES)).toBe(expected);
  });

  test.each([
    ['claude --model opus go', `claude --session-id ${ID} --settings FILE --model opus`],
    ['claude -w feature', `claude --session-id ${ID} --settings FILE -w feature`],
    ['gemini -i go -y', `gemini --session-id ${ID} -y`],
    ['qwen', `qwen --session-id ${ID}`],
  ])('of `%s` whose conversation never began begins it, without its prompt', (command, expected) => {
    const plan = planResume({ agent: agent(command), command, agent_session: ID, isBegun: false, context: CONTEXT });
    expect(shown(plan.command)).toBe(expected);
    expect(plan.agent_session).toBe(ID);
  });

  test('of an agent that names its conversations itself begins another one where that never began', () => {
    const plan = planResume({
      agent: agent('codex -m x go'),
      command: 'codex -m x go',
      agent_session: ID,
      isBegun: false,
      context: CONTEXT,
    });
    expect(plan).toMatchObject({ command: 'codex --no-daemon -m x' });
    expect(plan.agent_session).toBeUndefined();
  });

  test.each([
    ['claude --model opus go', 'claude --settings FILE --model opus'],
    ['claude --continue', 'claude --settings FILE --continue'],
    ['codex go', 'codex --no-daemon'],
    ['codex resume thread-name go', 'codex resume --no-daemon thread-name'],
    ['codex resume --last go', 'codex resume --no-daemon --last'],
    ['gemini --resume latest -i go', 'gemini --resume latest'],
    ['opencode --prompt go .', 'opencode .'],
  ])('of `%s` without a known conversation runs it again, without its prompt', (command, expected) => {
    expect(resume(command)).toBe(expected);
    expect(resume(command, 'not an id; reboot')).toBe(expected);
  });

  test('leaves an option that it does not know out with the word behind it, and says so', () => {
    const command = 'claude --verbose --new-flag word --ide';
    const plan = planResume({ agent: agent(command), command, agent_session: ID, isBegun: true, context: CONTEXT });
    expect(shown(plan.command)).toBe(`claude --resume ${ID} --settings FILE --verbose --ide`);
    expect(plan.warnings).toEqual(['left out --new-flag: Maestro does not know the option, and the word behind it could be a prompt']);
  });

  test('of what is not understood runs the resume command of its preset, and without one the command', () => {
    const command = 'cd src && claude --model opus';
    const plan = planResume({ agent: agent(command, 'claude'), command, agent_session: ID, isBegun: true, context: CONTEXT });
    expect(shown(plan.command)).toBe(`claude --settings FILE --resume ${ID}`);
    expect(plan.agent_session).toBe(ID);
    expect(resume('claude -xyz hi', ID)).toBe('claude -xyz hi');
    const aider = { agent: agent('aider -m x'), command: 'aider -m x', agent_session: ID, isBegun: true, context: CONTEXT };
    expect(planResume(aider).command).toBe('aider -m x');
  });

  test.each([
    ['amp', `amp threads continue ${ID}`],
    ['cursor-agent', `cursor-agent --resume ${ID}`],
    ['crush', `crush --session ${ID}`],
    ['goose session', 'goose session'],
    ['aider', 'aider'],
  ])('of %s, known from its documentation, is what that says', (command, expected) => {
    expect(resume(command, ID)).toBe(expected);
    expect(resume(command)).toBe(command);
  });
});

describe("the config's own resume command", () => {
  const own = presetsOf([
    { id: 'claude', resume_command: 'claude --model haiku --resume {agent_session}' },
    { id: 'codex', resume_command: '' },
    { id: 'gemini', command: 'gemini -m x' },
    { id: 'wrapped', command: 'box claude', resume_command: 'box claude -r {agent_session}' },
    { id: 'again', command: 'claude --brief', resume_command: 'claude --continue' },
    { id: 'fast', command: 'claude --model haiku' },
  ]);
  const run = (preset: string, isBegun = true, conversation: string | undefined = ID) => {
    const command = own.find(({ id }) => id === preset)?.command ?? '';
    const plan = planResume({ agent: agent(command, preset, own), command, agent_session: conversation, isBegun, context: CONTEXT });
    return [shown(plan.command), plan.agent_session];
  };

  test('R3: is run as it stands, with the hooks where it is a plain call of the agent', () => {
    expect(run('claude')).toEqual([`claude --settings FILE --model haiku --resume ${ID}`, ID]);
    expect(run('again')).toEqual(['claude --settings FILE --continue', undefined]);
    const command = 'box claude';
    const wrapped = agentOfWrapped(own);
    const plan = planResume({ agent: wrapped, command, agent_session: ID, isBegun: true, context: CONTEXT });
    expect(plan.command).toBe(`box claude -r ${ID}`);
  });

  test('cannot begin a conversation that never began, so the session begins it', () => {
    expect(run('claude', false)).toEqual([`claude --session-id ${ID} --settings FILE`, ID]);
  });

  test('runs the command again when it was taken away', () => {
    expect(run('codex')).toEqual(['codex --no-daemon', undefined]);
  });

  test('is not needed where only the command was changed, or in a preset that has none', () => {
    expect(run('gemini')).toEqual([`gemini --resume ${ID} -m x`, ID]);
    expect(run('fast')).toEqual([`claude --resume ${ID} --settings FILE --model haiku`, ID]);
  });
});

/** What Maestro knows of the program inside a wrapper comes from the preset's id alone, so the session has to be given one. */
function agentOfWrapped(presets: typeof PRESETS) {
  const preset = presets.find(({ id }) => id === 'wrapped');
  return { ...agent('claude'), ...(preset === undefined ? {} : { preset }) };
}
