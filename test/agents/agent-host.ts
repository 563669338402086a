import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { TestHost } from '../support/daemon-process.js';
import { until } from '../support/until.js';
import { AgentSession } from './agent-session.js';
import { ModelServer } from './model/model-server.js';
import type { AgentHome, RealAgent, Surroundings } from './real-agent.js';

const LOG_LINES = 40;

export interface Beginning {
  /** The directory, below the host's. */
  readonly directory?: 'work' | 'shared' | 'strange';
}

/**
 * A host of Maestro with one kind of agent, in a home that is set up for it. `work` and `shared` are directories that the agent trusts,
 * `strange` is a repository that it does not know.
 */
export class AgentHost implements AsyncDisposable {
  readonly agent: RealAgent;
  readonly host: TestHost;
  readonly model: ModelServer;
  /** How long things took, told at the end. */
  readonly times: string[] = [];
  readonly #around: Surroundings;
  readonly #home: AgentHome;
  #sessions: AgentSession[] = [];
  #resting: AgentSession | undefined;
  #before: Readonly<Record<string, string>> = {};

  private constructor(agent: RealAgent, host: TestHost, model: ModelServer) {
    this.agent = agent;
    this.host = host;
    this.model = model;
    this.#around = { home: host.home, model: model.url, trusted: [this.directory('work'), this.directory('shared')] };
    this.#home = agent.home(this.#around);
  }

  static async start(agent: RealAgent): Promise<AgentHost> {
    // Settings that others may write are ignored by some agents.
    process.umask(0o077);
    const path = `${process.env.MAESTRO_AGENTS_PATH}:${process.env.PATH}`;
    const agents = new AgentHost(agent, await TestHost.create({ env: { PATH: path } }), await ModelServer.start());
    try {
      await agents.#prepare();
      await agents.host.start();
    } catch (error) {
      await agents[Symbol.asyncDispose]();
      throw error;
    }
    return agents;
  }

  async #prepare(): Promise<void> {
    for (const name of ['work', 'shared', 'strange', 'tmp'] as const) await mkdir(this.directory(name));
    await promisify(execFile)('git', ['init', '--quiet', this.directory('strange')], { env: this.host.env });
    for (const [name, content] of Object.entries(this.#home.files)) {
      const path = join(this.host.home, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    }
    this.#before = await this.settings();
  }

  directory(name: NonNullable<Beginning['directory']> | 'tmp'): string {
    return join(this.host.dir, name);
  }

  /** The user's settings files by path, as hashes. */
  async settings(): Promise<Readonly<Record<string, string>>> {
    const hashes = this.#home.settings.map(async (name) => [name, hash(await readFile(join(this.host.home, name)))] as const);
    return Object.fromEntries(await Promise.all(hashes));
  }

  /** The same as they were before the first agent started. */
  get settingsBefore(): Readonly<Record<string, string>> {
    return this.#before;
  }

  /** True once the user's own hook has run, undefined where the agent has none. */
  async ownHookRan(): Promise<boolean | undefined> {
    const { hookMark } = this.#home;
    if (hookMark === undefined) return undefined;
    return until('the own hook of the user to run', () => access(join(this.host.home, hookMark)).then(() => true));
  }

  /** From here on {@link ownHookRan} waits for the hook to run again. */
  async forgetOwnHook(): Promise<void> {
    const { hookMark } = this.#home;
    if (hookMark !== undefined) await rm(join(this.host.home, hookMark), { force: true });
  }

  /** Starts the agent in a new session. */
  async begin({ directory = 'work' }: Beginning = {}): Promise<AgentSession> {
    const { id, command, trustDialog } = this.agent;
    const env = { ...this.agent.env(this.#around), PATH: this.host.env.PATH ?? '', TMPDIR: this.directory('tmp') };
    if (directory === 'strange' && trustDialog?.without !== undefined) delete (env as Record<string, string>)[trustDialog.without];
    const request = {
      preset: id,
      cwd: this.directory(directory),
      env,
      ...(command === undefined ? {} : { command }),
    };
    const made = await this.host.create(request);
    const session = new AgentSession(this.host, { id: made.id, readyText: this.agent.readyText });
    this.#sessions.push(session);
    return session;
  }

  /** A session that is idle: the one that the test before left so, or a new one. */
  async idle(): Promise<AgentSession> {
    const former = this.#resting;
    const { status, activity } = (await former?.now().catch(() => undefined)) ?? {};
    if (former !== undefined && status === 'running' && activity?.state === 'idle') return former;
    this.#resting = await this.begin();
    await this.#resting.isReady();
    return this.#resting;
  }

  /** Ends all sessions, so that the next test begins with none. */
  async clear(): Promise<void> {
    const twice = this.#sessions.reduce((sum, session) => sum + session.enteredTwice, 0);
    if (twice > 0) this.times.push(`${twice} prompts needed a second Enter`);
    for (const { id } of this.#sessions) await this.host.kill(id, '?force=true');
    this.#sessions = [];
    this.#resting = undefined;
  }

  /** Resolves to what `work` does, and keeps how long it took under `name`. */
  async timed<T>(name: string, work: Promise<T>): Promise<T> {
    const began = performance.now();
    const result = await work;
    this.times.push(`${name} ${((performance.now() - began) / 1000).toFixed(2)} s`);
    return result;
  }

  /** All that tells why a test failed. */
  async report(): Promise<string> {
    const sessions = await Promise.all(this.#sessions.map(describeSession));
    const asked = this.model.asked
      .slice(-10)
      .map(({ body, ...question }) => JSON.stringify({ ...question, prompt: question.prompt.slice(-200) }));
    const log = this.host.log.trimEnd().split('\n').slice(-LOG_LINES);
    return ['', ...sessions, '--- the model was asked', ...asked, ...this.model.unknown, '--- the daemon logged', ...log, ''].join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.host[Symbol.asyncDispose]();
    await this.model[Symbol.asyncDispose]();
  }
}

async function describeSession(session: AgentSession): Promise<string> {
  const tell = (what: Promise<unknown>) =>
    what.then(
      (value) => (typeof value === 'string' ? value.replace(/[ \t]+$/gm, '').replace(/\n{3,}/g, '\n\n') : JSON.stringify(value, null, 1)),
      String,
    );
  const parts = [await tell(session.now()), await tell(session.explanation()), await tell(session.screen())];
  return [`=== session ${session.id}`, ...parts].join('\n');
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
