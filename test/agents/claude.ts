import type { RealAgent } from './real-agent.js';

const KEY = 'sk-ant-of-the-test-suite-0123456789';
/** It asks nobody but the model. */
const QUIET = ['DISABLE_TELEMETRY', 'DISABLE_ERROR_REPORTING', 'DISABLE_AUTOUPDATER', 'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC'];

export const CLAUDE: RealAgent = {
  id: 'claude',
  // By default it lets its model judge what a tool may do, and asks the user nothing.
  command: 'claude --permission-mode manual',
  home: ({ trusted }) => {
    const onboarding = {
      hasCompletedOnboarding: true,
      customApiKeyResponses: { approved: [KEY.slice(-20)] },
      projects: Object.fromEntries(trusted.map((path) => [path, { hasTrustDialogAccepted: true }])),
    };
    const stop = [{ hooks: [{ type: 'command', command: 'touch "$HOME/own-hook-ran"' }] }];
    return {
      files: {
        '.claude.json': JSON.stringify(onboarding),
        '.claude/settings.json': `${JSON.stringify({ spinnerTipsEnabled: false, hooks: { Stop: stop } }, null, 2)}\n`,
      },
      settings: ['.claude/settings.json'],
      hookMark: 'own-hook-ran',
    };
  },
  env: ({ home, model }) => ({
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: KEY,
    // It does not heed TMPDIR.
    CLAUDE_CODE_TMPDIR: home,
    ...Object.fromEntries(QUIET.map((name) => [name, '1'])),
  }),
  knowsConversation: 'at the start',
  keepsUnusedConversation: true,
  readyText: 'manual mode on',
  permissionText: 'Do you want to proceed?',
  newConversation: '/clear',
  tellsNewConversation: true,
  keys: { interrupt: ['Escape'], decline: ['Escape'], allow: ['Enter'], choose: ['Enter'] },
  trustDialog: { text: 'Is this a project you created or one you trust?', accept: ['Down', 'Enter'] },
  failedTurn: 'idle failed',
  hasSubAgents: true,
  tells: { command: true, question: 'Which colour?' },
  asksByConversation: true,
};
