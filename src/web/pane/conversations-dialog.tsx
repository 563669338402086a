import type { Conversation } from '../../protocol/index.js';
import { PlainText } from '../changes/plain-text.js';
import { Age } from '../parts/age.js';
import { Dialog } from '../parts/dialog.js';
import { text } from '../text/text.js';

interface ConversationsDialogProps {
  readonly name: string;
  readonly conversations: readonly Conversation[];
  readonly onChoose: (agentSession: string) => void;
  readonly onClose: () => void;
}

/** The conversations that a session could go on with: one of them is chosen, never the newest by itself. */
export function ConversationsDialog({ name, conversations, onChoose, onClose }: ConversationsDialogProps) {
  return (
    <Dialog title={text.conversations.title(name)} lead={text.conversations.lead} onClose={onClose}>
      <ul className="dialog__body dialog__body--list">
        {conversations.map((conversation, at) => (
          <li key={conversation.agent_session}>
            <Choice conversation={conversation} isFirst={at === 0} onChoose={onChoose} />
          </li>
        ))}
      </ul>
      <div className="dialog__foot">
        <span className="grow" />
        <button type="button" className="btn btn--lg" onClick={onClose}>
          {text.create.cancel}
        </button>
      </div>
    </Dialog>
  );
}

interface ChoiceProps {
  readonly conversation: Conversation;
  readonly isFirst: boolean;
  readonly onChoose: (agentSession: string) => void;
}

function Choice({ conversation, isFirst, onChoose }: ChoiceProps) {
  const { agent_session, first_prompt, updated_at } = conversation;
  const prompt = first_prompt?.trim() ?? '';
  return (
    <button
      type="button"
      className="talk"
      title={agent_session}
      data-autofocus={isFirst || undefined}
      onClick={() => onChoose(agent_session)}
    >
      <span className={`talk__prompt${prompt === '' ? ' fg3' : ''}`}>
        {prompt === '' ? text.conversations.noPrompt : <PlainText text={prompt} />}
      </span>
      <span className="talk__facts num">{text.conversations.facts(agent_session.slice(0, 8), <Age since={Date.parse(updated_at)} />)}</span>
    </button>
  );
}
