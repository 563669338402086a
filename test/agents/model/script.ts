import type { Question, ToolCall } from './question.js';

/** What the model does next. `seconds` is how long the text takes to come. */
export type Answer =
  | { readonly kind: 'text'; readonly text: string; readonly seconds?: number }
  | { readonly kind: 'call'; readonly call: ToolCall }
  | { readonly kind: 'failure'; readonly status: number }
  | { readonly kind: 'silence' };

type Tool = (argument: string) => Readonly<Record<string, unknown>>;

const QUESTION = {
  id: 'colour',
  type: 'choice',
  header: 'Colour',
  question: 'Which colour?',
  multiSelect: false,
  multiple: false,
  options: [
    { label: 'Red', description: 'the warm one' },
    { label: 'Blue', description: 'the cold one' },
  ],
};
const shell: Tool = (command) => ({ command, description: 'What the test asked for' });
const ask: Tool = () => ({ questions: [QUESTION] });
const subAgent = (more: object): Tool => {
  return (prompt) => ({ description: 'Some work aside', prompt, ...more });
};
const awaited = subAgent({ subagent_type: 'general-purpose', run_in_background: false });

/** What each word stands for, by the names that the agents give to their tools. */
const TOOLS: Readonly<Record<string, Readonly<Record<string, Tool>>>> = {
  bash: {
    Bash: shell,
    bash: shell,
    run_shell_command: shell,
    // Codex asks the user only about what is to run outside its sandbox.
    exec_command: (cmd) => ({ cmd, sandbox_permissions: 'require_escalated', justification: 'May it run?' }),
  },
  ask: { AskUserQuestion: ask, question: ask, ask_user: ask, request_user_input: ask },
  agent: { Agent: awaited, Task: awaited, task: subAgent({ subagent_type: 'general' }) },
  background: { Agent: subAgent({ subagent_type: 'general-purpose', run_in_background: true }) },
  write: {
    Write: (path) => ({ file_path: path, content: 'written\n' }),
    write_file: (path) => ({ file_path: path, content: 'written\n' }),
    write: (path) => ({ filePath: path, content: 'written\n' }),
  },
};

/** A line of the prompt that is an order, its argument behind it. */
const ORDER = /^(say|slow|bash|ask|agent|background|write|fail|hang)\b ?(.*)$/;

/**
 * The answer that a prompt orders:
 *
 * - `say X`: the text X. `slow N X`: the same, over N seconds
 * - `bash COMMAND`, `write PATH`, `agent PROMPT`, `background PROMPT`, `ask`: a call of the tool that does it, and `finished` with the order behind its result
 * - `fail STATUS`: an HTTP error
 * - `hang`: the answer begins, and nothing comes
 *
 * Agents put words of their own around a prompt, so that the last line that is an order counts.
 */
export function answerTo(question: Question): Answer {
  if (question.tools.length === 0) return { kind: 'text', text: 'A title' };
  const lines = question.prompt.split('\n').map((line) => line.trim());
  const order = lines.findLast((line) => ORDER.test(line));
  if (question.isToolResult) return { kind: 'text', text: `finished ${order ?? ''}`.trimEnd() };
  const [, word = '', argument = ''] = ORDER.exec(order ?? '') ?? [];
  return ordered(word, argument, question.tools);
}

function ordered(word: string, argument: string, tools: readonly string[]): Answer {
  switch (word) {
    case 'say':
      return { kind: 'text', text: argument };
    case 'slow': {
      const [, seconds = '0', said = ''] = /^([\d.]+) ?(.*)$/.exec(argument) ?? [];
      return { kind: 'text', text: said, seconds: Number(seconds) };
    }
    case 'fail':
      return { kind: 'failure', status: Number(argument) };
    case 'hang':
      return { kind: 'silence' };
    default:
      return toolCall(word, argument, tools);
  }
}

function toolCall(word: string, argument: string, tools: readonly string[]): Answer {
  const known = TOOLS[word];
  if (known === undefined) return { kind: 'text', text: 'That is no order.' };
  const name = tools.find((tool) => Object.hasOwn(known, tool));
  const input = name === undefined ? undefined : known[name];
  if (name === undefined || input === undefined) return { kind: 'text', text: `There is no tool to ${word}.` };
  return { kind: 'call', call: { name, input: input(argument) } };
}
