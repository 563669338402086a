import { type AgentSignal, type SignalContext, signalOf, type Told } from './agent-signal.js';
import { Payload } from './payload.js';

/**
 * The fields of OSC 7501 with `title` and `msg` decoded. `done` and `error` end the work; so does `idle`, which alone comes on Esc. The
 * prompt is free after an `error`, so that is idle and failed.
 */
export function programStatusSignals(status: unknown, context: SignalContext): readonly AgentSignal[] {
  const fields = Payload.of(status);
  const state = fields?.text('state');
  const told = fields && state ? toldBy(state, fields) : undefined;
  if (fields === undefined || told === undefined) return [];
  const message = fields.message('msg') ?? fields.message('title');
  return [signalOf('program_status', context, { scope: 'root', message, event: `OSC 7501 ${state}`, ...told })];
}

function toldBy(state: string, fields: Payload): Told | undefined {
  switch (state) {
    case 'working':
    case 'idle':
      return { state };
    case 'done':
      return { state: 'idle' };
    case 'error':
      return { state: 'idle', failed: true };
    case 'clear':
      return { state: 'ended' };
    case 'blocked':
      return { state: 'waiting', ...blocked(fields.label('kind')) };
    default:
      return undefined;
  }
}

function blocked(kind: string | undefined): Told {
  if (kind === 'permission' || kind === 'question') return { waiting: kind, event: `OSC 7501 blocked ${kind}` };
  return kind === 'auth' ? { waiting: 'dialog', event: 'OSC 7501 blocked auth' } : {};
}
