import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../../src/protocol/index.js';
import type { MaestroPage } from '../../support/browser.js';
import { AgentTerminal, activityOf, hostWithAgents, storeCodexConversation } from '../../support/fake-agents.js';
import { PageBench } from '../../support/page-bench.js';
import { until } from '../../support/until.js';

const CONVERSATION = '33333333-3333-4333-8333-333333333333';

let bench: PageBench;
beforeAll(async () => {
  bench = await PageBench.start({ host: await hostWithAgents() });
});
afterAll(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.clear());

async function runningClaude(name: string): Promise<{ session: Session; terminal: AgentTerminal }> {
  const session = await bench.host.create({ preset: 'claude', metadata: { name } });
  const terminal = new AgentTerminal(bench.host, session.id);
  await terminal.ready();
  await terminal.hook(hook('SessionStart', session, { prompt_id: undefined, source: 'startup' }));
  return { session, terminal };
}

/** What the row's glyph says to who does not see it. */
const glyph = (page: MaestroPage, id: string, name: string) => page.row(id).getByRole('img', { name, exact: true }).waitFor();

const hook = (event: string, { agent_session = '' }: Session, more: object = {}) => ({
  hook_event_name: event,
  session_id: agent_session,
  prompt_id: 'p1',
  ...more,
});

test('what an agent waits for is in the list; what it has done is marked until somebody looks at it, in every browser', async () => {
  const other = await bench.host.create({ command: 'cat', metadata: { name: 'other' } });
  const { session, terminal } = await runningClaude('agent');
  const page = await bench.logIn();
  await page.goTo(other.id);
  await terminal.hook(hook('UserPromptSubmit', session, { prompt: 'go' }));
  await glyph(page, session.id, 'Working');
  await terminal.hook(hook('PermissionRequest', session, { tool_name: 'Bash', tool_input: { command: 'rm -rf build' } }));
  await glyph(page, session.id, 'Waiting for permission');
  await page.row(session.id).getByText('Permission: Bash: rm -rf build').waitFor();
  await terminal.hook(hook('PostToolUse', session, { tool_name: 'Bash', tool_input: {}, tool_response: {} }));
  await terminal.hook(hook('Stop', session, { last_assistant_message: 'all done', background_tasks: [] }));
  await glyph(page, session.id, 'Done, not seen');
  expect((await activityOf(bench.host, session.id, { state: 'idle' })).activity?.done).toBe(true);
  await page.goTo(session.id);
  await until('the daemon to know that it was seen', async () => (await bench.host.session(session.id)).activity?.done === undefined);
  await glyph(page, session.id, 'Idle');
});

test('work that ended by an error is marked as failed', async () => {
  const other = await bench.host.create({ command: 'cat' });
  const { session, terminal } = await runningClaude('agent');
  const page = await bench.logIn();
  await page.goTo(other.id);
  await terminal.hook(hook('UserPromptSubmit', session, { prompt: 'go' }));
  await terminal.hook(hook('StopFailure', session, { error: 'overloaded' }));
  await glyph(page, session.id, 'Failed, not seen');
});

test('a session that knows no conversation goes on with the one of its agent’s that is chosen', async () => {
  const session = await bench.host.create({ preset: 'codex', metadata: { name: 'sleeper' } });
  await new AgentTerminal(bench.host, session.id).ready();
  await storeCodexConversation(bench.host, { id: CONVERSATION, cwd: session.cwd, prompt: 'mend the login' });
  await bench.host.call('POST', `/api/sessions/${session.id}/stop`);
  await bench.host.reaches(session.id, 'dead');
  const page = await bench.logIn();
  await page.row(session.id).click();
  await page.page.getByText('Its agent has an earlier conversation here.').waitFor();
  await page.button('Choose a conversation (1)').click();
  const dialog = page.page.getByRole('dialog', { name: 'Which conversation shall sleeper go on with?' });
  await dialog.getByRole('button', { name: /mend the login.*33333333/ }).click();
  await bench.host.reaches(session.id, 'running');
  expect((await bench.host.session(session.id)).agent_session).toBe(CONVERSATION);
  expect(await new AgentTerminal(bench.host, session.id).ready()).toEqual(expect.arrayContaining(['resume', CONVERSATION]));
});

test('all that sleep are resumed by the daemon, and each is told as it comes', async () => {
  const names = ['one', 'two', 'three'];
  const sessions = await Promise.all(names.map((name) => bench.host.create({ command: 'cat', metadata: { name } })));
  const gone = join(bench.host.dir, 'gone');
  await mkdir(gone);
  const refused = await bench.host.create({ command: 'cat', cwd: gone, metadata: { name: 'without a place' } });
  await bench.host.killTmux();
  for (const { id } of [...sessions, refused]) await bench.host.reaches(id, 'dormant');
  await rm(gone, { recursive: true });
  const page = await bench.logIn();
  await page.button('Resume all (4)').click();
  const dialog = page.page.getByRole('dialog', { name: 'Resuming 4 sessions' });
  await dialog.getByText('4 of 4').waitFor();
  expect(await dialog.getByText('Resumed', { exact: true }).count()).toBe(3);
  await dialog.getByRole('listitem').filter({ hasText: 'without a place' }).getByText(gone).waitFor();
  for (const { id } of sessions) expect((await bench.host.session(id)).status).toBe('running');
});
