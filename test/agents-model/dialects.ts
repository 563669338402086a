import { field } from '../agents/model/question.js';

/** How a wire asks for an answer, and where its streamed answers have what they say. */
export interface Dialect {
  readonly name: string;
  readonly path: string;
  /** `result` is that of a tool, which came behind the prompt. No `tool` is there to be called for a title. */
  body(prompt: string, more: { readonly tool?: string | undefined; readonly result?: string | undefined }): object;
  /** Where an event has a piece of text, the name of a tool to call, and its input. */
  readonly places: { readonly text: string; readonly tool: string; readonly input: string };
  /** Its tool that runs a command. */
  readonly shell: string;
}

const when = <T>(value: unknown, made: T): readonly T[] => (value === undefined ? [] : [made]);

export const DIALECTS: readonly Dialect[] = [
  {
    name: 'anthropic-messages',
    path: '/v1/messages?beta=true',
    body: (prompt, { tool, result }) => ({
      stream: true,
      tools: when(tool, { name: tool }),
      messages: [
        { role: 'user', content: 'say what was said before' },
        { role: 'user', content: [`<system-reminder>\nsay nothing`, prompt].map((text) => ({ type: 'text', text })) },
        ...when(result, { role: 'user', content: [{ type: 'tool_result', content: result }] }),
        { role: 'system', content: 'say something else' },
      ],
    }),
    places: { text: 'delta.text', tool: 'content_block.name', input: 'delta.partial_json' },
    shell: 'Bash',
  },
  {
    name: 'openai-responses',
    path: '/v1/responses',
    body: (prompt, { tool, result }) => ({
      stream: true,
      tools: when(tool, { type: 'function', name: tool }),
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'say nothing' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] },
        ...when(result, { type: 'function_call_output', output: result }),
      ],
    }),
    places: { text: 'delta', tool: 'response.output.0.name', input: 'response.output.0.arguments' },
    shell: 'exec_command',
  },
  {
    name: 'openai-chat',
    path: '/v1/chat/completions',
    body: (prompt, { tool, result }) => ({
      stream: true,
      tools: when(tool, { type: 'function', function: { name: tool } }),
      messages: [
        { role: 'system', content: 'say nothing' },
        { role: 'user', content: prompt },
        ...when(result, { role: 'tool', content: result }),
      ],
    }),
    places: {
      text: 'choices.0.delta.content',
      tool: 'choices.0.delta.tool_calls.0.function.name',
      input: 'choices.0.delta.tool_calls.0.function.arguments',
    },
    shell: 'bash',
  },
  {
    name: 'gemini-generate',
    path: '/v1beta/models/pro:streamGenerateContent?alt=sse',
    body: (prompt, { tool, result }) => ({
      tools: [{ functionDeclarations: when(tool, { name: tool }) }],
      contents: [
        { role: 'user', parts: [{ text: 'say nothing' }] },
        { role: 'user', parts: [{ text: prompt }] },
        ...when(result, { role: 'user', parts: [{ functionResponse: { response: { output: result } } }] }),
      ],
    }),
    places: {
      text: 'candidates.0.content.parts.0.text',
      tool: 'candidates.0.content.parts.0.functionCall.name',
      input: 'candidates.0.content.parts.0.functionCall.args',
    },
    shell: 'run_shell_command',
  },
];

/** What stands at a place such as `a.0.b`. */
function at(value: unknown, place: string): unknown {
  return place.split('.').reduce(field, value);
}

/** What the events of a streamed answer say: its text, or the tool it calls with the input. */
export function told(
  events: readonly unknown[],
  { places }: Dialect,
): { readonly text: string; readonly tool?: unknown; readonly input?: unknown } {
  const found = (place: string) => events.map((event) => at(event, place)).filter((value) => value !== undefined);
  const [tool] = found(places.tool);
  const [input] = found(places.input);
  if (tool === undefined) return { text: found(places.text).join('') };
  return { text: '', tool, input: typeof input === 'string' ? JSON.parse(input) : input };
}
