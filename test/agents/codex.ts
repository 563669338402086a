import type { RealAgent } from './real-agent.js';

export const CODEX: RealAgent = {
  id: 'codex',
  home: ({ model, trusted }) => ({
    files: { '.codex/config.toml': config(model, trusted) },
    settings: ['.codex/config.toml'],
  }),
  env: () => ({ TEST_MODEL_KEY: 'none' }),
  knowsConversation: 'after a prompt',
  keepsUnusedConversation: false,
  readyText: 'Ask Codex to do anything',
  permissionText: 'Would you like to run the following command?',
  newConversation: '/new',
  tellsNewConversation: false,
  keys: { interrupt: ['Escape'], decline: ['Escape'], allow: ['y'], choose: ['Enter'], askingMode: ['BTab'] },
  trustDialog: { text: 'Trust this folder?', accept: ['Enter'] },
  failedTurn: 'idle failed',
  hasSubAgents: false,
  asksByConversation: true,
};

/** The last two tables keep it from writing the same there by itself. */
function config(model: string, trusted: readonly string[]): string {
  return [
    'model = "test-model"',
    'model_provider = "test"',
    'check_for_update_on_startup = false',
    '[model_providers.test]',
    'name = "test"',
    `base_url = "${model}/v1"`,
    'wire_api = "responses"',
    'env_key = "TEST_MODEL_KEY"',
    '[analytics]',
    'enabled = false',
    ...trusted.flatMap((path) => [`[projects.${JSON.stringify(path)}]`, 'trust_level = "trusted"']),
    '[tui]',
    'screen_reader_detection_done = true',
    '[tui.model_availability_nux]',
    '"gpt-6.1-sol" = 4',
    '',
  ].join('\n');
}
