import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActivityRequest, CreateSessionRequest, InputRequest, KillQuery, Metadata, Session, Size } from '../../src/protocol/index.js';
import type { Answer, HostEvent, Operation } from './operation.js';
import { decide, typed } from './program.js';

/** The daemon's functions, whichever way they are called. Each rejects with an error that has a `code`. */
export interface Calls {
  create(request: CreateSessionRequest): Promise<Session>;
  get(id: string): Promise<Session>;
  list(): Promise<readonly Session[]>;
  resume(id: string): Promise<unknown>;
  stop(id: string): Promise<unknown>;
  restart(id: string): Promise<unknown>;
  kill(id: string, query: KillQuery): Promise<unknown>;
  patch(id: string, metadata: Metadata): Promise<unknown>;
  report(id: string, request: ActivityRequest): Promise<unknown>;
  resize(id: string, size: Size): Promise<unknown>;
  input(id: string, request: InputRequest): Promise<unknown>;
  scrollback(id: string): Promise<string>;
}

/** One host with a daemon on it, that things can be done with and that things happen to. */
export interface Driver extends AsyncDisposable {
  readonly calls: Calls;
  /** A directory for what belongs to programs. */
  readonly place: string;
  readonly state: string;
  /** A repository that sessions can have worktrees of. */
  repository(): Promise<string>;
  /** The daemon notes every few seconds that it lives. */
  readonly remembers: boolean;
  happen(event: HostEvent): Promise<void>;
  /** Ends the daemon without waiting for anything, and starts another. */
  crash(): Promise<void>;
  /** Every pane with its session and its size, such as `<id> 120x40`. */
  panes(): Promise<readonly string[]>;
}

/** Carries out an operation and tells what was answered. */
export async function operate(calls: Calls, id: string, operation: Operation): Promise<Answer> {
  try {
    await carryOut(calls, id, operation);
    return 'ok';
  } catch (error) {
    const { code } = error as { code?: Answer };
    if (code === undefined || code === ('internal' as Answer)) throw error;
    return code;
  }
}

async function carryOut(calls: Calls, id: string, operation: Operation): Promise<unknown> {
  switch (operation.kind) {
    case 'say':
    case 'exit':
    case 'signal':
      return calls.input(id, typed(operation));
    case 'stop':
      return calls.stop(id);
    case 'kill':
      return calls.kill(id, operation.force ? { force: true } : {});
    case 'resume':
    case 'restart':
      await decide((await calls.get(id)).env.FATE ?? '', operation.fate);
      return calls[operation.kind](id);
    case 'resize':
      return calls.resize(id, operation.size);
    case 'rename':
      return calls.patch(id, { name: operation.name });
    case 'dirty': {
      const { worktree } = await calls.get(id);
      return worktree && writeFile(join(worktree.path, 'work.txt'), 'not saved anywhere else');
    }
    case 'report': {
      const { state, conversation, run } = operation;
      return calls.report(id, {
        state,
        ...(run === undefined ? {} : { run }),
        ...(conversation === undefined ? {} : { agent_session: conversation }),
      });
    }
  }
}
