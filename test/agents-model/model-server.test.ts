import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ModelServer } from '../agents/model/model-server.js';
import { until } from '../support/until.js';
import { DIALECTS, type Dialect, told } from './dialects.js';

let model: ModelServer;

beforeEach(async () => {
  model = await ModelServer.start();
});

afterEach(async () => {
  await model[Symbol.asyncDispose]();
});

interface More {
  readonly tool?: string | undefined;
  readonly result?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

function post(dialect: Dialect, prompt: string, { headers = {}, signal, ...more }: More): Promise<Response> {
  const body = JSON.stringify(dialect.body(prompt, more));
  return fetch(model.url + dialect.path, { method: 'POST', headers, body, ...(signal === undefined ? {} : { signal }) });
}

/** What the model says to a prompt. */
async function answer(dialect: Dialect, prompt: string, more: More = { tool: dialect.shell }) {
  const response = await post(dialect, prompt, more);
  const data = (await response.text()).matchAll(/^data: (\{.*)$/gm);
  return told(
    [...data].map(([, json = '']): unknown => JSON.parse(json)),
    dialect,
  );
}

describe.each(DIALECTS)('$name', (dialect) => {
  const tool = dialect.shell;

  test('says what the newest prompt orders', async () => {
    expect(await answer(dialect, 'say first\nWhat it adds itself.\nsay hello to everyone')).toEqual({ text: 'hello to everyone' });
    expect(await answer(dialect, 'slow 0.1 and in time')).toEqual({ text: 'and in time' });
    expect(await answer(dialect, 'good morning')).toEqual({ text: 'That is no order.' });
  });

  test('calls the tool that the prompt orders, and says so behind its result', async () => {
    const called = await answer(dialect, 'bash ls -l');
    expect(called).toMatchObject({ tool, input: expect.objectContaining({ [tool === 'exec_command' ? 'cmd' : 'command']: 'ls -l' }) });
    expect(await answer(dialect, 'bash ls -l', { tool, result: 'a.txt' })).toEqual({ text: 'finished bash ls -l' });
    expect(await answer(dialect, 'ask')).toEqual({ text: 'There is no tool to ask.' });
  });

  test('has a title for whoever brings no tools, whatever the prompt orders', async () => {
    expect(await answer(dialect, 'bash ls -l', {})).toEqual({ text: 'A title' });
    expect(model.turns('bash')).toEqual([]);
  });

  test('fails with the status that the prompt orders', async () => {
    const response = await post(dialect, 'fail 529', { tool });
    expect(response.status).toBe(529);
    expect(await response.json()).toMatchObject({ error: { message: 'the test asked for it' } });
  });

  test('begins to answer and then says nothing until the agent hangs up', async () => {
    const agent = new AbortController();
    const response = await post(dialect, 'hang', { tool, signal: agent.signal });
    expect(response.status).toBe(200);
    expect(model.turns('hang')).toMatchObject([{ wire: dialect.name, state: 'open' }]);
    agent.abort();
    await until('the agent to be gone', () => model.turns('hang')[0]?.state === 'left');
  });

  test('stops an answer that is held until it is released', async () => {
    const held = model.hold('later');
    const said = answer(dialect, 'say later');
    await held.reached;
    expect(model.turns('say later')).toMatchObject([{ state: 'open' }]);
    expect(await answer(dialect, 'say now')).toEqual({ text: 'now' });
    held.release();
    expect(await said).toEqual({ text: 'later' });
    await until('the answer to have left', () => model.turns('say later')[0]?.state === 'answered');
  });
});

test.each(['x-claude-code-session-id', 'session-id', 'x-session-id'])('a question is of the conversation that %s names', async (name) => {
  for (const dialect of DIALECTS) await answer(dialect, 'say yes', { tool: dialect.shell, headers: { [name]: 'abc' } });
  expect(model.asked.map(({ conversation }) => conversation)).toEqual(DIALECTS.map(() => 'abc'));
});

test('an answer that is not streamed has all of its text', async () => {
  const ask = async (path: string, body: object) => {
    const response = await fetch(model.url + path, { method: 'POST', body: JSON.stringify(body) });
    return response.json() as Promise<unknown>;
  };
  const messages = [{ role: 'user', content: 'say yes' }];
  const tools = [{ name: 'Bash', function: { name: 'bash' } }];
  expect(await ask('/v1/messages', { messages, tools })).toMatchObject({ content: [{ type: 'text', text: 'yes' }] });
  expect(await ask('/v1/chat/completions', { messages, tools })).toMatchObject({ choices: [{ message: { content: 'yes' } }] });
  const contents = [{ role: 'user', parts: [{ text: 'say yes' }] }];
  const routed = await ask('/v1beta/models/lite:generateContent', { contents, generationConfig: { responseMimeType: 'application/json' } });
  expect(routed).toMatchObject({ candidates: [{ content: { parts: [{ text: expect.stringContaining('"model_choice":"flash"') }] } }] });
});

test('what no wire knows is not found, and remembered', async () => {
  expect((await fetch(`${model.url}/elsewhere`)).status).toBe(404);
  expect(await (await fetch(`${model.url}/v1/messages/count_tokens`, { method: 'POST', body: '{}' })).json()).toMatchObject({
    input_tokens: 10,
  });
  expect(model.unknown).toEqual(['GET /elsewhere', 'POST /v1/messages/count_tokens']);
});
