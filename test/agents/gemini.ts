import type { RealAgent } from './real-agent.js';

export const GEMINI: RealAgent = {
  id: 'gemini',
  home: () => {
    const ended = [{ hooks: [{ type: 'command', name: 'own', command: 'touch "$HOME/own-hook-ran"; echo "{}"' }] }];
    const settings = { security: { auth: { selectedType: 'gemini-api-key' } }, hooks: { AfterAgent: ended } };
    return {
      files: { '.gemini/settings.json': `${JSON.stringify(settings, null, 2)}\n` },
      settings: ['.gemini/settings.json'],
      hookMark: 'own-hook-ran',
    };
  },
  env: ({ model }) => ({ GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: 'none', GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
  knowsConversation: 'at the start',
  // Killed before the first prompt, it leaves a file that blocks the id.
  keepsUnusedConversation: false,
  readyText: 'Type your message',
  permissionText: 'Allow execution of',
  newConversation: '/clear',
  tellsNewConversation: true,
  keys: { interrupt: ['Escape'], decline: ['Escape'], allow: ['Enter'], choose: ['Enter'] },
  trustDialog: { text: 'Do you trust the files in this folder?', accept: ['Enter'], without: 'GEMINI_CLI_TRUST_WORKSPACE' },
  failedTurn: 'idle',
  hasSubAgents: false,
  tells: { command: true, question: 'Ask User' },
  asksByConversation: false,
};
