import { type AgentSignal, type SignalContext, signalOf, type Told } from './agent-signal.js';
import { Payload, subjectOf, toolMessage } from './payload.js';

/**
 * Codex's hooks and its `notify` program's argument, measured with 0.171.0. There is none for an Esc, an error or the exit, so OSC 7501
 * decides where it comes.
 *
 * `SessionStart` comes with the first prompt, so it says nothing about activity.
 */
export function codexSignals(payload: unknown, context: SignalContext): readonly AgentSignal[] {
  const fields = Payload.of(payload);
  if (fields === undefined) return [];
  if (fields.text('type') !== undefined) return notifySignals(fields, context);
  const event = fields.text('hook_event_name');
  const told = event === undefined ? undefined : toldBy(event, fields);
  if (told === undefined) return [];
  const agent_session = fields.conversation('session_id');
  return [signalOf('hook', context, { agent_session, turn: fields.label('turn_id'), scope: scopeOf(fields), event, ...told })];
}

function scopeOf(fields: Payload): 'root' | 'sub_agent' {
  return fields.text('agent_id') === undefined ? 'root' : 'sub_agent';
}

function toldBy(event: string, fields: Payload): Told | undefined {
  const tool = fields.label('tool_name');
  switch (event) {
    case 'SessionStart':
      return { begins: beginning(fields.text('source')), event: `${event} ${fields.label('source') ?? 'startup'}` };
    case 'UserPromptSubmit':
      return { state: 'working', opens: true };
    case 'PreToolUse':
      return { state: 'working', event: `${event} ${tool ?? ''}`.trim() };
    case 'PostToolUse':
      return { state: 'working', subject: subject(fields), event: `${event} ${tool ?? ''}`.trim() };
    case 'PermissionRequest':
      return { state: 'waiting', waiting: 'permission', message: toolMessage(tool, fields.object('tool_input')), subject: subject(fields) };
    case 'Stop':
      return { state: 'idle', message: fields.message('last_assistant_message') };
    case 'SubagentStart':
    case 'SubagentStop':
      return { scope: 'sub_agent', state: event === 'SubagentStart' ? 'working' : 'idle' };
    default:
      return undefined;
  }
}

function beginning(source: string | undefined): 'startup' | 'resume' | 'clear' | 'compact' {
  return source === 'resume' || source === 'clear' || source === 'compact' ? source : 'startup';
}

function subject(fields: Payload): string | undefined {
  return subjectOf(fields.text('tool_name'), fields.object('tool_input'), fields.value('tool_input'));
}

/** It is called for a hidden thread that makes up titles as well; so only what is of the session's own conversation counts. */
function notifySignals(fields: Payload, context: SignalContext): readonly AgentSignal[] {
  const thread = fields.conversation('thread-id');
  if (fields.text('type') !== 'agent-turn-complete' || thread === undefined || thread !== context.agent_session) return [];
  const message = fields.message('last-assistant-message');
  const told: Told = { state: 'idle', message, turn: fields.label('turn-id'), scope: 'root', event: 'notify agent-turn-complete' };
  return [signalOf('hook', context, { agent_session: thread, ...told })];
}
