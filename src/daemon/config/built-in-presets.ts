import type { SpawnPreset } from '../../protocol/index.js';

/**
 * The agents that Maestro knows how to start and how to bring back; the adapters say what of it was measured with the real program.
 *
 * A resume names the agent's own conversation id. Where an agent has none, as Aider, or while nothing has told it, as with those that report
 * nothing, the command simply runs again: what they offer instead is the latest conversation, which may be another session's.
 */
export const BUILT_IN_PRESETS: readonly SpawnPreset[] = [
  {
    id: 'claude',
    label: 'Claude Code',
    command: 'claude',
    resume_command: 'claude --resume {agent_session}',
    executable: 'claude',
    install: 'npm install -g @anthropic-ai/claude-code',
  },
  {
    id: 'codex',
    label: 'Codex',
    // Otherwise turns run in a daemon that all sessions share: it carries another session's environment and outlives this one.
    command: 'codex --no-daemon',
    resume_command: 'codex resume --no-daemon {agent_session}',
    executable: 'codex',
    install: 'npm install -g @openai/codex',
  },
  {
    id: 'gemini',
    label: 'Gemini CLI',
    command: 'gemini',
    resume_command: 'gemini --resume {agent_session}',
    executable: 'gemini',
    install: 'npm install -g @google/gemini-cli',
  },
  {
    id: 'opencode',
    label: 'OpenCode',
    command: 'opencode',
    resume_command: 'opencode -s {agent_session}',
    executable: 'opencode',
    install: 'npm install -g opencode-ai',
  },
  { id: 'aider', label: 'Aider', command: 'aider', executable: 'aider', install: 'pipx install aider-chat' },
  {
    id: 'copilot',
    label: 'GitHub Copilot CLI',
    command: 'copilot',
    // The same option begins a conversation and resumes it.
    resume_command: 'copilot --session-id={agent_session}',
    executable: 'copilot',
    install: 'npm install -g @github/copilot',
  },
  {
    id: 'qwen',
    label: 'Qwen Code',
    command: 'qwen',
    resume_command: 'qwen --resume {agent_session}',
    executable: 'qwen',
    install: 'npm install -g @qwen-code/qwen-code',
  },
  {
    id: 'cursor',
    label: 'Cursor CLI',
    command: 'cursor-agent',
    resume_command: 'cursor-agent --resume {agent_session}',
    executable: 'cursor-agent',
    install: 'curl https://cursor.com/install -fsS | bash',
  },
  {
    id: 'amp',
    label: 'Amp',
    command: 'amp',
    resume_command: 'amp threads continue {agent_session}',
    executable: 'amp',
    install: 'npm install -g @sourcegraph/amp',
  },
  {
    id: 'goose',
    label: 'goose',
    command: 'goose session',
    executable: 'goose',
    install: 'brew install block-goose-cli',
  },
  {
    id: 'crush',
    label: 'Crush',
    command: 'crush',
    resume_command: 'crush --session {agent_session}',
    executable: 'crush',
    install: 'npm install -g @charmland/crush',
  },
  { id: 'shell', label: 'Shell', command: `exec "\${SHELL:-/bin/sh}" -l` },
];
