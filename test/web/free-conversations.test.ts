import { expect, test } from 'vitest';
import { freeConversations } from '../../src/web/session/free-conversations.js';
import { fakeConversation } from '../support/agent-answers.js';
import { at } from './sessions.js';

test('conversations that are no session’s are offered, the newest first', () => {
  const offered = freeConversations([
    fakeConversation({ agent_session: 'old', updated_at: at(1) }),
    fakeConversation({ agent_session: 'taken', updated_at: at(9), owner: '11111111-2222-4333-8444-555555555555' }),
    fakeConversation({ agent_session: 'new', updated_at: at(2) }),
  ]);
  expect(offered.map(({ agent_session }) => agent_session)).toEqual(['new', 'old']);
});
