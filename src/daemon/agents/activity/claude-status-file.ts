import { type AgentSignal, type SignalContext, signalOf, type Told } from './agent-signal.js';
import { Payload } from './payload.js';

/**
 * Claude Code's `~/.claude/sessions/<pid>.json`, as parsed JSON. It is undocumented, and the only sign of an Esc; so a file of another
 * form gives nothing, and the hooks go on alone. The caller has checked that the process lives and is the session's.
 *
 * `at` is when the status changed, so that a file that is read late never takes back what a hook said since.
 */
export function claudeStatusFileSignals(file: unknown, context: SignalContext): readonly AgentSignal[] {
  const fields = Payload.of(file);
  const told = fields && toldBy(fields);
  if (fields === undefined || told === undefined) return [];
  const agent_session = fields.conversation('sessionId');
  return [signalOf('status_file', { ...context, at: changedAt(fields, context.at) }, { agent_session, scope: 'root', ...told })];
}

function toldBy(fields: Payload): Told | undefined {
  switch (fields.text('status')) {
    case 'busy':
      return { state: 'working', event: 'status busy' };
    case 'idle':
      return { state: 'idle', event: 'status idle' };
    case 'waiting':
      return { state: 'waiting', ...waitingFor(fields.label('waitingFor')) };
    default:
      return undefined;
  }
}

function waitingFor(what: string | undefined): Told {
  const event = what === undefined ? 'status waiting' : `status waiting for ${what}`;
  if (what === 'permission prompt' || what === undefined) return { waiting: 'permission', event };
  return { waiting: what === 'input needed' ? 'question' : 'dialog', event };
}

function changedAt(fields: Payload, readAt: number): number {
  const told = fields.number('statusUpdatedAt') ?? Date.parse(fields.text('statusUpdatedAt') ?? '');
  return told > 0 && told < readAt ? told : readAt;
}
