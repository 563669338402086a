import { type AgentSignal, type SignalContext, signalOf, type Told } from './agent-signal.js';
import { plainMessage } from './plain-message.js';

type Reading = (title: string) => Told | undefined;

/** What an agent's title tells. Those of Claude Code under tmux and of OpenCode are the same at all times, so they tell nothing. */
const READINGS: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  ['gemini', geminiTitle],
  ['codex', codexTitle],
]);

/** The answer to a graphics probe, which tmux takes for a title. */
const POLLUTION = /^\s*G?i=\d+/;

export function titleSignals(agent: string, title: unknown, context: SignalContext): readonly AgentSignal[] {
  const text = plainMessage(title, 256);
  if (text === undefined || POLLUTION.test(text)) return [];
  const told = READINGS.get(agent)?.(text);
  return told === undefined ? [] : [signalOf('title', context, { scope: 'root', event: `title ${text}`, ...told })];
}

function geminiTitle(title: string): Told | undefined {
  if (title.startsWith('✋')) return { state: 'waiting' };
  if (title.startsWith('✦') || title.startsWith('⏲')) return { state: 'working' };
  return title.startsWith('◇') ? { state: 'idle' } : undefined;
}

/** Nothing in it tells the end of work. */
function codexTitle(title: string): Told | undefined {
  if (/^\[ ?. ?\] Action Required/.test(title)) return { state: 'waiting' };
  return /^[\u2801-\u28ff]/.test(title) ? { state: 'working' } : undefined;
}
