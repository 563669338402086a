import { randomUUID } from 'node:crypto';
import { MaestroError } from '../../protocol/index.js';
import type { Reply } from './control-request.js';
import { LIST_PANES, type ListedPane, parsePanes } from './pane-list.js';
import { PANE_OPTION } from './pane-options.js';
import { paneArgv, paneEnvironment } from './pane-wrapper.js';
import type { NewPane } from './panes.js';
import type { TmuxControl } from './tmux-control.js';
import { bodiesOf, failureError, isDuplicate } from './tmux-failure.js';
import type { TmuxLink } from './tmux-link.js';
import { type Command, command, pipeCommand } from './tmux-quote.js';

export type CreatedPane = Pick<ListedPane, 'sessionId' | 'paneId' | 'pid' | 'tmuxSession'>;

/** Makes sessions in tmux, and takes back those whose maker gave up on them. */
export class PaneCreator {
  readonly #link: TmuxLink;
  /** Attempts that nobody waits for any more and that tmux has not answered. */
  readonly #open = new Set<string>();

  constructor(link: TmuxLink) {
    this.#link = link;
  }

  async create(spec: NewPane): Promise<CreatedPane> {
    const reply = await this.#attempt(spec);
    if (reply.ok || !isDuplicate(reply.failure)) return this.#finish(spec, reply);
    await this.#freeName(spec.sessionId);
    return this.#finish(spec, await this.#attempt(spec));
  }

  /** Ends what attempts made whose answer was lost with an earlier connection to the same server. */
  async endForgotten(control: TmuxControl, timeoutMs: number): Promise<void> {
    if (this.#open.size === 0) return;
    const list = command('list-sessions', '-F', `#{session_id} #{${PANE_OPTION.attempt}}`);
    const lines =
      bodiesOf(await control.run([list], { timeoutMs }), 'any')[0]
        ?.toString()
        .split('\n') ?? [];
    const made = lines.map((line) => line.split(' ')).filter(([, attempt]) => attempt !== undefined && this.#open.has(attempt));
    await Promise.all(made.map(([session = '']) => control.run([command('kill-session', '-t', session)], { timeoutMs })));
    this.#open.clear();
  }

  /** The server that the attempts were for has ended. */
  clear(): void {
    this.#open.clear();
  }

  async #attempt(spec: NewPane): Promise<Reply> {
    const attempt = randomUUID();
    const late = (reply: Reply) => {
      this.#open.delete(attempt);
      this.#undo(reply);
    };
    const refused = this.#link.state !== 'up';
    try {
      return await this.#link.run(createCommands(spec, attempt), { late });
    } catch (error) {
      if (!refused) this.#open.add(attempt);
      throw error;
    }
  }

  #finish({ sessionId }: NewPane, reply: Reply): CreatedPane {
    const made = madeBy(reply);
    if (reply.ok && made !== undefined && made.pid > 0) return { sessionId, ...made };
    this.#undo(reply);
    if (!reply.ok && isDuplicate(reply.failure)) throw alreadyRunning(sessionId);
    throw failureError(reply.ok ? 'no program was started' : reply.failure, sessionId);
  }

  #undo(reply: Reply): void {
    const made = madeBy(reply);
    if (made !== undefined) this.#link.run([command('kill-session', '-t', made.tmuxSession)]).catch(() => {});
  }

  /** Moves a session that is not ours, but has the name that is needed, out of the way; it loses nothing but its name. */
  async #freeName(sessionId: string): Promise<void> {
    const listed = bodiesOf(await this.#link.run([LIST_PANES]), sessionId)[0] ?? Buffer.alloc(0);
    if (parsePanes(listed).some((pane) => pane.marked && pane.sessionId === sessionId)) throw alreadyRunning(sessionId);
    const target = `=${sessionId}:`;
    await this.#link.run([command('set-option', '-u', '-t', target, PANE_OPTION.id)]);
    for (let count = 1; count < 100; count += 1) {
      const name = `${sessionId}-unmanaged${count === 1 ? '' : `-${count}`}`;
      const reply = await this.#link.run([command('rename-session', '-t', target, name)]);
      // Without an error it is renamed; with any but this one it has gone by itself.
      if (reply.ok || !isDuplicate(reply.failure)) return;
    }
  }
}

/** One line, which the server carries out as one step: the pipe is armed before the program has written anything. */
function createCommands(spec: NewPane, attempt: string): Command[] {
  const { sessionId, size, run, record, fifo } = spec;
  const target = ['-t', `=${sessionId}:`];
  const { early, late } = paneEnvironment(spec.env);
  const option = (name: string, value: string) => command('set-option', ...target, '--', name, value);
  return [
    command(
      ...['new-session', '-d', '-P', '-F', '#{session_id} #{pane_id} #{pane_pid}', '-s', sessionId],
      // The wrapper enters the session's cwd itself: tmux would expand formats in it and start elsewhere when it is missing.
      ...['-x', String(size.cols), '-y', String(size.rows), '-c', '/'],
      ...early.flatMap((assignment) => ['-e', assignment]),
      ...['--', ...paneArgv({ ...spec, late })],
    ),
    command('set-option', '-w', ...target, 'window-size', 'manual'),
    // By itself as well: a program may well load its user's tmux.conf into the server that it finds itself in.
    command('set-option', '-w', ...target, 'remain-on-exit', 'on'),
    command('set-option', ...target, 'destroy-unattached', 'off'),
    option(PANE_OPTION.id, sessionId),
    option(PANE_OPTION.run, String(run)),
    option(PANE_OPTION.record, record),
    option(PANE_OPTION.attempt, attempt),
    command('set-option', '-F', ...target, PANE_OPTION.pane, '#{pane_id}'),
    command('pipe-pane', ...target, pipeCommand(fifo)),
  ];
}

function madeBy(reply: Reply): Omit<CreatedPane, 'sessionId'> | undefined {
  const match = /^(\$\d+) (%\d+) (\d+)$/.exec(reply.bodies[0]?.toString() ?? '');
  if (match === null) return undefined;
  const [, tmuxSession = '', paneId = '', pid = ''] = match;
  return { tmuxSession, paneId, pid: Number(pid) };
}

function alreadyRunning(sessionId: string): MaestroError {
  return new MaestroError('already_running', `Session ${sessionId} already has a pane in tmux; attach to it instead`);
}
