import type { SpawnPreset } from '../../protocol/index.js';

/**
 * The agents that Maestro knows how to start and how to bring back, each measured with the real program.
 *
 * A resume names the agent's own conversation id. Where an agent has none, as Aider, the command simply runs again: what it offers
 * instead is the latest conversation of the directory, which may be another session's.
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
  { id: 'shell', label: 'Shell', command: `exec "\${SHELL:-/bin/sh}" -l` },
];
