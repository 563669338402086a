import { type AgentSignal, type SignalContext, signalOf, type Told } from './agent-signal.js';
import { Payload, questionMessage, subjectOf, toolMessage } from './payload.js';

const QUESTION_TOOL = 'AskUserQuestion';
/** Tools whose input changes between the request and the use, and of which there is only one at a time. */
const SINGLE_TOOLS: ReadonlySet<string> = new Set([QUESTION_TOOL, 'ExitPlanMode']);
const SHELL_TASKS = /shell|bash|monitor/i;
/** Reasons for the end of a conversation that is followed by another one. */
const GOES_ON: ReadonlySet<string> = new Set(['clear', 'resume']);

/**
 * Claude Code's hooks, measured with 2.1.332 and 2.1.197.
 *
 * An API error (`StopFailure`) is idle and failed: the prompt is free, and what the user has to do is to look and to prompt again. A
 * compaction says nothing about activity, as it comes in the middle of turns too.
 */
export function claudeSignals(payload: unknown, context: SignalContext): readonly AgentSignal[] {
  const fields = Payload.of(payload);
  const event = fields?.text('hook_event_name');
  const told = fields && event ? toldBy(event, fields) : undefined;
  if (fields === undefined || event === undefined || told === undefined) return [];
  return [
    signalOf('hook', context, {
      agent_session: fields.conversation('session_id'),
      turn: fields.label('prompt_id'),
      scope: fields.text('agent_id') === undefined ? 'root' : 'sub_agent',
      event,
      ...told,
    }),
  ];
}

function toldBy(event: string, fields: Payload): Told | undefined {
  switch (event) {
    case 'SessionStart':
      return sessionStart(fields);
    case 'SessionEnd':
      return { ...(GOES_ON.has(fields.text('reason') ?? '') ? {} : { state: 'ended' }), event: labelled(event, fields.label('reason')) };
    case 'UserPromptSubmit':
      return {
        state: 'working',
        opens: true,
        event: fields.text('prompt')?.startsWith('<task-notification>') ? `${event} of a task` : event,
      };
    case 'PreToolUse':
      return fields.text('tool_name') === QUESTION_TOOL ? request(event, fields) : toolUse(event, fields);
    case 'PostToolUse':
    case 'PostToolUseFailure':
    case 'PermissionDenied':
      return { ...toolUse(event, fields), subject: subject(fields) };
    case 'PermissionRequest':
      // A question was told by its use already, and may be answered by the time at which this comes.
      return fields.text('tool_name') === QUESTION_TOOL ? { event: labelled(event, QUESTION_TOOL) } : request(event, fields);
    case 'Elicitation':
      return { state: 'waiting', waiting: 'question', message: fields.message('message'), subject: 'elicitation' };
    case 'ElicitationResult':
      return { state: 'working', subject: 'elicitation' };
    default:
      return toldByNotice(event, fields);
  }
}

function toldByNotice(event: string, fields: Payload): Told | undefined {
  switch (event) {
    case 'Notification':
      return notification(fields);
    case 'Stop':
      return { state: 'idle', message: fields.message('last_assistant_message'), ...background(fields) };
    case 'StopFailure':
      return { state: 'idle', failed: true, message: fields.message('last_assistant_message') ?? fields.message('error') };
    case 'SubagentStart':
      return { scope: 'sub_agent', state: 'working', event: labelled(event, fields.label('agent_type')) };
    case 'SubagentStop':
      return { scope: 'sub_agent', state: 'idle', ...background(fields), event: labelled(event, fields.label('agent_type')) };
    default:
      return undefined;
  }
}

function sessionStart(fields: Payload): Told {
  const source = fields.text('source');
  const event = labelled('SessionStart', fields.label('source'));
  if (source === 'compact') return { begins: source, event };
  return { state: 'idle', begins: source === 'resume' || source === 'clear' ? source : 'startup', event };
}

function notification(fields: Payload): Told | undefined {
  const type = fields.text('notification_type');
  const event = labelled('Notification', fields.label('notification_type'));
  if (type === 'permission_prompt') return { state: 'waiting', waiting: 'permission', message: fields.message('message'), event };
  return type === 'idle_prompt' ? { state: 'idle', event } : undefined;
}

function toolUse(event: string, fields: Payload): Told {
  return { state: 'working', event: labelled(event, fields.label('tool_name')) };
}

function request(event: string, fields: Payload): Told {
  const isQuestion = fields.text('tool_name') === QUESTION_TOOL;
  const input = fields.object('tool_input');
  return {
    ...toolUse(event, fields),
    state: 'waiting',
    waiting: isQuestion ? 'question' : 'permission',
    message: isQuestion ? questionMessage(input) : toolMessage(fields.label('tool_name'), input),
    subject: subject(fields),
  };
}

function subject(fields: Payload): string | undefined {
  const tool = fields.text('tool_name');
  if (tool !== undefined && SINGLE_TOOLS.has(tool)) return tool;
  return subjectOf(tool, fields.object('tool_input'), fields.value('tool_input'));
}

/** What runs on. The sub-agent whose end is told is still listed as running. */
function background(fields: Payload): Told {
  const own = fields.text('agent_id');
  const running = fields
    .objects('background_tasks')
    .filter((task) => (own === undefined || task.text('id') !== own) && ['running', 'pending', undefined].includes(task.text('status')));
  const agents = running.filter((task) => task.text('command') === undefined && !SHELL_TASKS.test(task.text('type') ?? ''));
  return { background: running.length, background_agents: agents.length };
}

function labelled(event: string, label: string | undefined): string {
  return label === undefined ? event : `${event} ${label}`;
}
