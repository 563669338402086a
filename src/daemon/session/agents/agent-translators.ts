import type { Translator } from '../../agents/activity/agent-signal.js';
import { claudeSignals } from '../../agents/activity/claude-signals.js';
import { codexSignals } from '../../agents/activity/codex-signals.js';
import { geminiSignals } from '../../agents/activity/gemini-signals.js';
import { opencodeSignals } from '../../agents/activity/opencode-signals.js';

/** Who understands what the reporter of an agent sends. */
const TRANSLATORS: ReadonlyMap<string, Translator> = new Map([
  ['claude', claudeSignals],
  ['codex', codexSignals],
  ['gemini', geminiSignals],
  ['opencode', opencodeSignals],
  // Qwen Code has the events of Claude Code.
  ['qwen', claudeSignals],
]);

export function translatorOf(agent: string): Translator | undefined {
  return TRANSLATORS.get(agent);
}
