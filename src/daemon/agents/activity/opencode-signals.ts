import { type AgentSignal, type SignalContext, signalOf, type Told } from './agent-signal.js';
import { Payload, questionMessage, toolMessage } from './payload.js';

/** From this attempt on the user has to look: OpenCode retries without end, also what cannot succeed, and never goes idle by itself. */
const HOPELESS_ATTEMPT = 4;

/**
 * OpenCode's events, and those of its plugin's hooks that are reported in the same form `{ type, properties }`: `init` when the plugin is
 * loaded, `chat.message` for a prompt. Measured with 1.18.33.
 *
 * Sub-agents are sessions of their own, told by their `parentID` once, when they are created; the engine keeps them in mind.
 */
export function opencodeSignals(payload: unknown, context: SignalContext): readonly AgentSignal[] {
  const event = Payload.of(payload);
  const type = event?.text('type');
  if (type === 'init') return [signalOf('hook', context, { scope: 'root', event: type })];
  const properties = event?.object('properties');
  const told = type && properties ? toldBy(type, properties) : undefined;
  if (properties === undefined || told === undefined) return [];
  return [signalOf('hook', context, { agent_session: properties.conversation('sessionID'), scope: 'root', event: type, ...told })];
}

function toldBy(type: string, properties: Payload): Told | undefined {
  switch (type) {
    case 'session.created':
      return created(properties.object('info'));
    case 'chat.message':
      return { state: 'working', opens: true, begins: 'switch' };
    case 'session.status':
      return status(properties.object('status'));
    case 'session.idle':
      return { state: 'idle' };
    case 'session.error':
      return failure(properties.object('error'));
    default:
      return toldByRequest(type, properties);
  }
}

function toldByRequest(type: string, properties: Payload): Told | undefined {
  switch (type) {
    case 'permission.asked':
      return {
        state: 'waiting',
        waiting: 'permission',
        message: toolMessage(properties.label('permission'), properties.object('metadata')),
        subject: properties.label('id'),
      };
    case 'question.asked':
      return { state: 'waiting', waiting: 'question', message: questionMessage(properties), subject: properties.label('id') };
    case 'permission.replied':
    case 'question.replied':
    case 'question.rejected':
      return { state: 'working', subject: properties.label('requestID') };
    default:
      return undefined;
  }
}

function created(info: Payload | undefined): Told | undefined {
  const agent_session = info?.conversation('id');
  if (info === undefined || agent_session === undefined) return undefined;
  return info.text('parentID') === undefined ? { agent_session, begins: 'startup' } : { agent_session, scope: 'sub_agent' };
}

function status(now: Payload | undefined): Told | undefined {
  const type = now?.text('type');
  if (type === 'busy' || type === 'idle') return { state: type === 'busy' ? 'working' : 'idle', event: `session.status ${type}` };
  if (type !== 'retry') return undefined;
  const attempt = now?.number('attempt') ?? 1;
  const told = { message: now?.message('message'), event: `session.status retry ${attempt}` };
  return attempt < HOPELESS_ATTEMPT ? { state: 'working', ...told } : { state: 'waiting', waiting: 'error', ...told };
}

/** An Esc is no failure. */
function failure(error: Payload | undefined): Told {
  const name = error?.label('name');
  if (name === 'MessageAbortedError') return { state: 'idle', event: 'session.error MessageAbortedError' };
  const message = error?.object('data')?.message('message') ?? name;
  return { state: 'idle', failed: true, message, event: `session.error ${name ?? ''}`.trim() };
}
