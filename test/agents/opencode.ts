import type { RealAgent } from './real-agent.js';

const SCHEMA = 'https://opencode.ai/config.json';

export const OPENCODE: RealAgent = {
  id: 'opencode',
  home: ({ model }) => {
    const provider = {
      npm: '@ai-sdk/openai-compatible',
      name: 'Test',
      options: { baseURL: `${model}/v1`, apiKey: 'none' },
      models: { 'test-model': { name: 'Test' } },
    };
    // It would add the schema itself. By default it asks nobody before it runs a command.
    const config = { $schema: SCHEMA, provider: { test: provider }, model: 'test/test-model', permission: { bash: 'ask' } };
    return {
      files: { '.config/opencode/opencode.json': `${JSON.stringify(config, null, 2)}\n` },
      settings: ['.config/opencode/opencode.json'],
    };
  },
  env: ({ model }) => ({
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    // Each start installs types for plugins into the home, 60 MB from the registry, and does without when there is none.
    npm_config_registry: model,
  }),
  knowsConversation: 'after a prompt',
  keepsUnusedConversation: false,
  readyText: 'ctrl+p commands',
  permissionText: 'Permission required',
  newConversation: '/new',
  tellsNewConversation: false,
  keys: { interrupt: ['Escape'], interruptAgain: 'again to interrupt', decline: ['Escape'], allow: ['Enter'], choose: ['Enter'] },
  hasSubAgents: true,
  tells: { command: true, question: 'Which colour?' },
  asksByConversation: true,
};
