import { event, field, list, type Question, type Reply, text, type Wire } from './question.js';

const USAGE = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
/** What Gemini CLI's own questions beside a turn are content with: which model to take, who speaks next. */
const ASIDE = { reasoning: 'none', next_speaker: 'user', model_choice: 'flash', complexity_score: 1, complexity_reasoning: 'none' };

const PATH = /\/models\/(?<model>[^/:]+):(?<method>generateContent|streamGenerateContent)$/;

/** Gemini's generateContent, streamed and not. */
export const GEMINI_GENERATE: Wire = { name: 'gemini-generate', read, reply };

function read(path: string, body: unknown): Question | undefined {
  const { model, method } = PATH.exec(path)?.groups ?? {};
  if (model === undefined) return undefined;
  const contents = list(body, 'contents').filter((content) => text(content, 'role') === 'user');
  const prompts = contents.map(ownTexts).filter((parts) => parts.length > 0);
  return {
    model,
    isStreamed: method === 'streamGenerateContent',
    prompt: prompts.at(-1)?.join('\n') ?? '',
    isToolResult: list(contents.at(-1), 'parts').some((part) => field(part, 'functionResponse') !== undefined),
    tools: wantsJson(body) ? [] : list(body, 'tools').flatMap((tool) => list(tool, 'functionDeclarations').map((one) => text(one, 'name'))),
  };
}

function ownTexts(content: unknown): readonly string[] {
  return list(content, 'parts')
    .map((part) => text(part, 'text'))
    .filter((part) => part !== '');
}

function wantsJson(body: unknown): boolean {
  return text(field(body, 'generationConfig'), 'responseMimeType') === 'application/json';
}

function reply({ model, tools }: Question): Reply {
  const answer = (parts: readonly object[], end: object = {}) => ({
    candidates: [{ index: 0, content: { role: 'model', parts }, ...end }],
    usageMetadata: USAGE,
    modelVersion: model,
    responseId: 'test',
  });
  const end = { finishReason: 'STOP' };
  return {
    whole: (said) => answer([{ text: tools.length === 0 ? JSON.stringify(ASIDE) : said }], end),
    // It has no event for the beginning alone.
    opening: () => '',
    piece: (said) => event(answer([{ text: said }])),
    ending: () => event(answer([{ text: '' }], end)),
    call: ({ name, input }) => event(answer([{ functionCall: { name, args: input } }], end)),
    failure: (status) => ({ error: { code: status, status: 'INTERNAL', message: 'the test asked for it' } }),
  };
}
