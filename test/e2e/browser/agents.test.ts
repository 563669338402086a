import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../../src/protocol/index.js';
import { leave, type MaestroPage, TestBrowser } from '../../support/browser.js';
import type { TestHost } from '../../support/daemon-process.js';
import { AgentTerminal, activityOf, hostWithAgents } from '../../support/fake-agents.js';
import { until } from '../../support/until.js';

const CONVERSATION = '33333333-3333-4333-8333-333333333333';

let host: TestHost;
let browser: TestBrowser;
/** The page of the test that runs. */
let page: MaestroPage | undefined;

beforeAll(async () => {
  host = await hostWithAgents();
  browser = await TestBrowser.launch();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});
afterEach(async () => {
  const faults = await leave(host, page);
  page = undefined;
  expect(faults).toEqual([]);
});

async function logIn(): Promise<MaestroPage> {
  page = await browser.logIn(host);
  return page;
}

/** What the row's glyph says to who does not see it. */
const glyph = (id: string, name: string) => page?.row(id).getByRole('img', { name, exact: true }).waitFor();

async function runningClaude(name: string): Promise<{ session: Session; terminal: AgentTerminal }> {
  const session = await host.create({ preset: 'claude', metadata: { name } });
  const terminal = new AgentTerminal(host, session.id);
  await terminal.ready();
  await terminal.hook(hook('SessionStart', session, { prompt_id: undefined, source: 'startup' }));
  return { session, terminal };
}

const hook = (event: string, { agent_session = '' }: Session, more: object = {}) => ({
  hook_event_name: event,
  session_id: agent_session,
  prompt_id: 'p1',
  ...more,
});

test('what an agent waits for is in the list; what it has done is marked until somebody looks at it, in every browser', async () => {
  const other = await host.create({ command: 'cat', metadata: { name: 'other' } });
  const { session, terminal } = await runningClaude('agent');
  const shown = await logIn();
  await shown.goTo(other.id);
  await terminal.hook(hook('UserPromptSubmit', session, { prompt: 'go' }));
  await glyph(session.id, 'Working');
  await terminal.hook(hook('PermissionRequest', session, { tool_name: 'Bash', tool_input: { command: 'rm -rf build' } }));
  await glyph(session.id, 'Waiting for permission');
  await shown.row(session.id).getByText('Permission: Bash: rm -rf build').waitFor();
  await terminal.hook(hook('PostToolUse', session, { tool_name: 'Bash', tool_input: {}, tool_response: {} }));
  await terminal.hook(hook('Stop', session, { last_assistant_message: 'all done', background_tasks: [] }));
  await glyph(session.id, 'Done, not seen');
  expect((await activityOf(host, session.id, { state: 'idle' })).activity?.done).toBe(true);
  await shown.goTo(session.id);
  await until('the daemon to know that it was seen', async () => (await host.session(session.id)).activity?.done === undefined);
  await glyph(session.id, 'Idle');
});

test('work that ended by an error is marked as failed', async () => {
  const other = await host.create({ command: 'cat' });
  const { session, terminal } = await runningClaude('agent');
  const shown = await logIn();
  await shown.goTo(other.id);
  await terminal.hook(hook('UserPromptSubmit', session, { prompt: 'go' }));
  await terminal.hook(hook('StopFailure', session, { error: 'overloaded' }));
  await glyph(session.id, 'Failed, not seen');
});

test('a session that knows no conversation goes on with the one of its agent’s that is chosen', async () => {
  const session = await host.create({ preset: 'codex', metadata: { name: 'sleeper' } });
  await new AgentTerminal(host, session.id).ready();
  await storeCodexConversation(session.cwd);
  await host.call('POST', `/api/sessions/${session.id}/stop`);
  await host.reaches(session.id, 'dead');
  const shown = await logIn();
  await shown.row(session.id).click();
  await shown.page.getByText('Its agent has an earlier conversation here.').waitFor();
  await shown.button('Choose a conversation (1)').click();
  const dialog = shown.page.getByRole('dialog', { name: 'Which conversation shall sleeper go on with?' });
  await dialog.getByRole('button', { name: /mend the login.*33333333/ }).click();
  await host.reaches(session.id, 'running');
  expect((await host.session(session.id)).agent_session).toBe(CONVERSATION);
  expect(await new AgentTerminal(host, session.id).ready()).toEqual(expect.arrayContaining(['resume', CONVERSATION]));
});

test('all that sleep are resumed by the daemon, and each is told as it comes', async () => {
  const names = ['one', 'two', 'three'];
  const sessions = await Promise.all(names.map((name) => host.create({ command: 'cat', metadata: { name } })));
  const gone = join(host.dir, 'gone');
  await mkdir(gone);
  const refused = await host.create({ command: 'cat', cwd: gone, metadata: { name: 'without a place' } });
  await host.killTmux();
  for (const { id } of [...sessions, refused]) await host.reaches(id, 'dormant');
  await rm(gone, { recursive: true });
  const shown = await logIn();
  await shown.button('Resume all (4)').click();
  const dialog = shown.page.getByRole('dialog', { name: 'Resuming 4 sessions' });
  await dialog.getByText('4 of 4').waitFor();
  expect(await dialog.getByText('Resumed', { exact: true }).count()).toBe(3);
  await dialog.getByRole('listitem').filter({ hasText: 'without a place' }).getByText(gone).waitFor();
  for (const { id } of sessions) expect((await host.session(id)).status).toBe('running');
});

/** As Codex stores it. */
async function storeCodexConversation(cwd: string): Promise<void> {
  const directory = join(host.home, '.codex/sessions/2026/01/02');
  const prompt = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'mend the login' }] };
  const lines = [
    { type: 'session_meta', payload: { cwd, source: 'cli', thread_source: 'user' } },
    { type: 'response_item', payload: prompt },
  ];
  await mkdir(directory, { recursive: true });
  const file = join(directory, `rollout-2026-01-01T00-00-00-${CONVERSATION}.jsonl`);
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
