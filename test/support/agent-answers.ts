import type { ServerResponse } from 'node:http';
import type { AgentInfo, Conversation, Explanation, ResumeProgress, SessionEvent, Transition } from '../../src/protocol/index.js';
import type { Answer } from './fake-daemon.js';

const AT = '2026-01-02T03:04:05.000Z';

/** An agent as a daemon tells it. */
export function fakeAgent(given: Partial<AgentInfo> = {}): AgentInfo {
  return {
    id: 'claude',
    label: 'Claude Code',
    installed: true,
    path: '/usr/bin/claude',
    version: '2.1.332',
    verified: { how: 'live', versions: ['2.1.332'] },
    conversation: 'chosen',
    activity: ['hooks', 'status file'],
    injects: ['Hooks, by --settings.'],
    warnings: [],
    ...given,
  };
}

export function fakeTransition(given: Partial<Transition> = {}): Transition {
  return { seq: 1, at: AT, run: 1, from: 'idle', to: 'working', source: 'hook', reason: 'UserPromptSubmit', ...given };
}

export function fakeExplanation(given: Partial<Explanation> & Pick<Explanation, 'id'>): Explanation {
  return { agent: 'claude', state: 'working', since: AT, heard: ['hook'], refused: [], transitions: [], ...given };
}

export function fakeConversation(given: Partial<Conversation> = {}): Conversation {
  return { agent_session: '11111111-2222-4333-8444-555555555555', updated_at: AT, first_prompt: 'mend the login', ...given };
}

export function fakeProgress(given: Partial<ResumeProgress> = {}): ResumeProgress {
  const { waiting = [], resuming = [], resumed = [], failed = [] } = given;
  return { total: waiting.length + resuming.length + resumed.length + failed.length, waiting, resuming, resumed, failed };
}

/** `/api/events` of a fake daemon: a snapshot for each that comes, then what the test sends. */
export class FakeEvents {
  readonly #readers = new Set<ServerResponse>();
  readonly #snapshot: () => SessionEvent;

  constructor(snapshot: () => SessionEvent) {
    this.#snapshot = snapshot;
  }

  get readers(): number {
    return this.#readers.size;
  }

  get answer(): Answer {
    return (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      this.#readers.add(response);
      response.once('close', () => this.#readers.delete(response));
      write(response, this.#snapshot());
    };
  }

  send(event: SessionEvent | { readonly type: 'later' }): void {
    for (const reader of this.#readers) write(reader, event);
  }

  /** Ends the connections, as a daemon does that takes a reader for too slow. */
  end(): void {
    for (const reader of this.#readers) reader.end();
  }
}

function write(response: ServerResponse, event: SessionEvent | { readonly type: 'later' }): void {
  response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}
