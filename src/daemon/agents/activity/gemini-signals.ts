import { type AgentSignal, type SignalContext, signalOf, type Told } from './agent-signal.js';
import { Payload } from './payload.js';

/** A timestamp that is off by more than this is not believed. */
const MOST_DELAY_MS = 60_000;

/**
 * Gemini CLI's hooks, measured with 0.61.0. It runs them one after the other and dates them, so their order is known whenever they come.
 * Esc at a permission dialog has no hook; so the title decides where it comes. `SessionEnd` comes up to three times.
 */
export function geminiSignals(payload: unknown, context: SignalContext): readonly AgentSignal[] {
  const fields = Payload.of(payload);
  const event = fields?.text('hook_event_name');
  const told = fields && event ? toldBy(event, fields) : undefined;
  if (fields === undefined || told === undefined) return [];
  const agent_session = fields.conversation('session_id');
  return [signalOf('hook', { ...context, at: datedAt(fields, context.at) }, { agent_session, scope: 'root', event, ...told })];
}

function toldBy(event: string, fields: Payload): Told | undefined {
  switch (event) {
    case 'SessionStart':
      return sessionStart(fields.text('source'));
    case 'SessionEnd':
      return fields.text('reason') === 'clear' ? { event: 'SessionEnd clear' } : { state: 'ended' };
    case 'BeforeAgent':
      return { state: 'working', opens: true };
    case 'BeforeTool':
    case 'AfterTool':
      return { state: 'working', event: `${event} ${fields.label('tool_name') ?? ''}`.trim() };
    case 'AfterAgent':
      return { state: 'idle', message: fields.message('prompt_response') };
    case 'Notification':
      return fields.text('notification_type') === 'ToolPermission' ? permission(fields) : undefined;
    default:
      return undefined;
  }
}

function sessionStart(source: string | undefined): Told {
  const begins = source === 'resume' || source === 'clear' ? source : 'startup';
  return { state: 'idle', begins, event: `SessionStart ${begins}` };
}

function permission(fields: Payload): Told {
  const details = fields.object('details');
  const isQuestion = /ask|question/i.test(details?.text('type') ?? '');
  const what = details?.message('command') ?? details?.message('title');
  return {
    state: 'waiting',
    waiting: isQuestion ? 'question' : 'permission',
    message: what ?? fields.message('message'),
    event: 'Notification ToolPermission',
  };
}

function datedAt(fields: Payload, reportedAt: number): number {
  const dated = Date.parse(fields.text('timestamp') ?? '');
  return dated <= reportedAt && reportedAt - dated < MOST_DELAY_MS ? dated : reportedAt;
}
