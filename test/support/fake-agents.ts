import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Explanation, Session } from '../../src/protocol/index.js';
import { TestHost } from './daemon-process.js';
import { until } from './until.js';

const FAKE = join(import.meta.dirname, 'fake-agent.mjs');

/** A host whose `claude`, `gemini`, `codex` and `opencode` do what the test tells them, and report it with the real reporter. */
export async function hostWithAgents(env: Readonly<Record<string, string>> = {}): Promise<TestHost> {
  const host = await TestHost.create();
  const bin = join(host.dir, 'bin');
  await mkdir(bin);
  for (const agent of ['claude', 'gemini', 'codex', 'opencode']) await symlink(FAKE, join(bin, agent));
  await host.start({ env: { PATH: `${bin}:${process.env.PATH ?? ''}`, ...env } });
  return host;
}

/** Types one line for the agent of a session, and waits until it is done with it. */
export class AgentTerminal {
  readonly #host: TestHost;
  readonly #id: string;
  #done = 0;

  constructor(host: TestHost, id: string) {
    this.#host = host;
    this.#id = id;
  }

  async ready(): Promise<readonly string[]> {
    const screen = await this.#host.shows(this.#id, 'READY ');
    const line = screen.replaceAll('\n', '').match(/READY (\[[^\]]*\])/)?.[1] ?? '[]';
    this.#done = 0;
    return JSON.parse(line) as string[];
  }

  /** Keys, as a text would be refused while the agent waits. */
  async does(order: object): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(order)}\n`);
    const keys = [...bytes.toString('latin1')].map((key) => (key === '\n' ? 'Enter' : key === ' ' ? 'Space' : key));
    for (let at = 0; at < keys.length; at += 256) {
      const { status, body } = await this.#host.call('POST', `/api/sessions/${this.#id}/input`, { keys: keys.slice(at, at + 256) });
      if (status !== 200) throw new Error(`input answered ${status}: ${JSON.stringify(body)}`);
    }
    this.#done += 1;
    await this.#host.shows(this.#id, `DONE ${this.#done}`);
  }

  hook(payload: object): Promise<void> {
    return this.does({ hook: payload });
  }
}

/** Waits until the session's activity has all of `wanted`. */
export function activityOf(host: TestHost, id: string, wanted: Partial<NonNullable<Session['activity']>>): Promise<Session> {
  return until(`session ${id} to be ${JSON.stringify(wanted)}`, async () => {
    const session = await host.session(id);
    const { activity } = session;
    const has = activity !== undefined && Object.entries(wanted).every(([key, value]) => activity[key as keyof typeof activity] === value);
    return has ? session : undefined;
  });
}

export async function explanationOf(host: TestHost, id: string): Promise<Explanation> {
  return (await host.call<Explanation>('GET', `/api/sessions/${id}/explanation`)).body;
}

/** A conversation that was begun in `cwd`, as Codex stores it. */
export async function storeCodexConversation(
  { home }: TestHost,
  { id, cwd, prompt }: { readonly id: string; readonly cwd: string; readonly prompt: string },
): Promise<void> {
  const directory = join(home, '.codex/sessions/2026/01/02');
  const said = { type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] };
  const lines = [
    { type: 'session_meta', payload: { cwd, source: 'cli', thread_source: 'user' } },
    { type: 'response_item', payload: said },
  ];
  await mkdir(directory, { recursive: true });
  const file = join(directory, `rollout-2026-01-01T00-00-00-${id}.jsonl`);
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
