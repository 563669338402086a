import {
  type ActivityRequest,
  type AgentInfo,
  type Conversation,
  type CreateSessionRequest,
  type Explanation,
  type Host,
  type HostPreset,
  type InputRequest,
  type InputResult,
  type KillQuery,
  type KillResult,
  type LoginAnswer,
  LoginAnswerSchema,
  type LoginLink,
  LoginLinkSchema,
  type PatchSessionRequest,
  type ResumeManyRequest,
  type ResumeProgress,
  type ResumeRequest,
  ROUTES,
  type Session,
  type SessionAction,
  type SessionEvent,
  type Size,
  sessionPath,
  type Upload,
} from '../protocol/index.js';
import {
  AgentsAnswer,
  ConversationsAnswer,
  ExplanationAnswer,
  HostAnswer,
  HostPresetsAnswer,
  InputAnswer,
  KillResultAnswer,
  ResumeProgressAnswer,
  readEvent,
  SessionAnswer,
  SessionsAnswer,
  UploadAnswer,
} from './answers.js';
import { ApiCalls, type Call, type CallOptions, queryOf } from './api-calls.js';
import { PtyStream, type PtyStreamEvents, type PtyStreamOptions, ptyQuery } from './pty-stream.js';
import { RepositoryClient } from './repository-client.js';
import { serverSentEvents } from './server-sent-events.js';
import type { Transport } from './transport.js';

export interface ScreenOptions extends CallOptions {
  /** Plain text, or with colours and attributes as SGR sequences. Default text. */
  readonly format?: 'text' | 'ansi';
  /** Lines of history above the screen. Default 0. */
  readonly history?: number | undefined;
}

export interface ScrollbackOptions extends CallOptions {
  /** Only the newest bytes, at most so many, from a place on from which a terminal can draw them. */
  readonly tail?: number | undefined;
}

export interface UploadOptions extends CallOptions {
  /** Hears how many bytes have left; in a browser only. */
  readonly onSent?: (bytes: number) => void;
}

/** A file for a session. */
export interface FileToSend {
  /** Stored under a name that is made of it. */
  readonly name: string;
  readonly content: Uint8Array | Blob;
}

/**
 * One daemon's API, typed.
 *
 * Every method rejects with the daemon's `MaestroError`, or with `UnreachableError` when none answers. Nothing is retried.
 */
export class MaestroClient extends RepositoryClient {
  readonly #transport: Transport;
  readonly #calls: ApiCalls;

  constructor(transport: Transport) {
    const calls = new ApiCalls(transport);
    super(calls);
    this.#transport = transport;
    this.#calls = calls;
  }

  async health(options?: CallOptions): Promise<void> {
    await this.#calls.bytes('GET', ROUTES.health, { ...options });
  }

  host(options?: CallOptions): Promise<Host> {
    return this.#calls.json(HostAnswer, 'GET', ROUTES.host, { ...options });
  }

  presets(options?: CallOptions): Promise<HostPreset[]> {
    return this.#calls.json(HostPresetsAnswer, 'GET', ROUTES.presets, { ...options });
  }

  /** The agents that Maestro knows, as this host has them. */
  agents(options?: CallOptions): Promise<AgentInfo[]> {
    return this.#calls.json(AgentsAnswer, 'GET', ROUTES.agents, { ...options });
  }

  async openapi(options?: CallOptions): Promise<unknown> {
    return JSON.parse(new TextDecoder().decode(await this.#calls.bytes('GET', ROUTES.openapi, { ...options })));
  }

  /** Trades the one-time code of a login URL for a browser's login. */
  login(code: string, options?: CallOptions): Promise<LoginAnswer> {
    return this.#calls.json(LoginAnswerSchema, 'POST', ROUTES.login, { ...options, body: { code } });
  }

  async logout(options?: CallOptions): Promise<void> {
    await this.#calls.bytes('POST', ROUTES.logout, { ...options });
  }

  /** A login URL for one browser, good once. For who has the token or the unix socket. */
  loginLink(options?: CallOptions): Promise<LoginLink> {
    return this.#calls.json(LoginLinkSchema, 'POST', ROUTES.loginLink, { ...options });
  }

  /** Replaces the token and logs every browser out. Only over the unix socket. */
  async rotateToken(options?: CallOptions): Promise<void> {
    await this.#calls.bytes('POST', ROUTES.rotateToken, { ...options });
  }

  /** Ends the daemon and leaves the sessions alive. The answer comes before the end. Only over the unix socket. */
  async shutdown(options?: CallOptions): Promise<void> {
    await this.#calls.bytes('POST', ROUTES.shutdown, { ...options });
  }

  sessions(options?: CallOptions): Promise<Session[]> {
    return this.#calls.json(SessionsAnswer, 'GET', ROUTES.sessions, { ...options });
  }

  session(id: string, options?: CallOptions): Promise<Session> {
    return this.#calls.json(SessionAnswer, 'GET', sessionPath(id), { ...options });
  }

  create(body: CreateSessionRequest, options?: CallOptions): Promise<Session> {
    return this.#calls.json(SessionAnswer, 'POST', ROUTES.sessions, { ...options, body });
  }

  /** Merges into the metadata; null removes a key. */
  patchMetadata(id: string, metadata: PatchSessionRequest['metadata'], options?: CallOptions): Promise<Session> {
    return this.#calls.json(SessionAnswer, 'PATCH', sessionPath(id), { ...options, body: { metadata } });
  }

  kill(id: string, { force, keep_worktree, signal }: KillQuery & CallOptions = {}): Promise<KillResult> {
    const query = queryOf({ force: force || undefined, keep_worktree: keep_worktree || undefined });
    return this.#calls.json(KillResultAnswer, 'DELETE', sessionPath(id), { query, signal });
  }

  /** Goes on with the session's own conversation, or with one of those that {@link conversations} tells. */
  resume(id: string, request: ResumeRequest = {}, options?: CallOptions): Promise<Session> {
    return this.#act(id, 'resume', { ...options, ...(request.agent_session === undefined ? {} : { body: request }) });
  }

  /** Begins to resume several sessions, a few at a time. How far that has come is told by {@link events}. */
  resumeMany(body: ResumeManyRequest = {}, options?: CallOptions): Promise<ResumeProgress> {
    return this.#calls.json(ResumeProgressAnswer, 'POST', ROUTES.resumes, { ...options, body });
  }

  /** How far the resume of several sessions has come. */
  resumes(options?: CallOptions): Promise<ResumeProgress> {
    return this.#calls.json(ResumeProgressAnswer, 'GET', ROUTES.resumes, { ...options });
  }

  stop(id: string, options?: CallOptions): Promise<Session> {
    return this.#act(id, 'stop', { ...options });
  }

  restart(id: string, options?: CallOptions): Promise<Session> {
    return this.#act(id, 'restart', { ...options });
  }

  reportActivity(id: string, body: ActivityRequest, options?: CallOptions): Promise<Session> {
    return this.#act(id, 'activity', { ...options, body });
  }

  /** The user has seen what the session shows: work that is done is no news any more. */
  async seen(id: string, options?: CallOptions): Promise<void> {
    await this.#calls.bytes('POST', sessionPath(id, 'seen'), { ...options });
  }

  /** Why the session is shown as it is, and its last transitions. */
  explanation(id: string, options?: CallOptions): Promise<Explanation> {
    return this.#calls.json(ExplanationAnswer, 'GET', sessionPath(id, 'explanation'), { ...options });
  }

  /** What the session's agent has in its own store for the session's directory. */
  conversations(id: string, options?: CallOptions): Promise<Conversation[]> {
    return this.#calls.json(ConversationsAnswer, 'GET', sessionPath(id, 'conversations'), { ...options });
  }

  resize(id: string, body: Size, options?: CallOptions): Promise<Session> {
    return this.#act(id, 'size', { ...options, body });
  }

  /** Resolves once the input is delivered, and for an agent's prompt once it is known whether it was begun with; a refusal names its reason. */
  input(id: string, body: InputRequest, options?: CallOptions): Promise<InputResult> {
    return this.#calls.json(InputAnswer, 'POST', sessionPath(id, 'input'), { ...options, body });
  }

  /** Stores a file of at most {@link UPLOAD_LIMIT} bytes for the session, on the daemon's host, and tells where. */
  upload(id: string, file: FileToSend, options?: UploadOptions): Promise<Upload> {
    const call = { ...options, query: { name: file.name }, content: file.content };
    return this.#calls.json(UploadAnswer, 'POST', sessionPath(id, 'files'), call);
  }

  /** What a running session shows. */
  async screen(id: string, { format, history, signal }: ScreenOptions = {}): Promise<string> {
    const call = { query: queryOf({ format, history }), accept: 'text/plain', signal };
    return new TextDecoder().decode(await this.#calls.bytes('GET', sessionPath(id, 'screen'), call));
  }

  /** The last output on disk, raw: terminal control sequences and all. */
  scrollback(id: string, { tail, signal }: ScrollbackOptions = {}): Promise<Uint8Array> {
    const call = { query: queryOf({ tail }), accept: 'application/octet-stream', signal };
    return this.#calls.bytes('GET', sessionPath(id, 'scrollback'), call);
  }

  /** A snapshot, then every change. Ends when the daemon goes away; leaving the iteration closes the connection. */
  async *events({ signal }: CallOptions = {}): AsyncGenerator<SessionEvent> {
    const response = await this.#calls.send('GET', ROUTES.events, { accept: 'text/event-stream', signal });
    for await (const { data } of serverSentEvents(response.body)) {
      const event = readEvent(data);
      if (event !== undefined) yield event;
    }
  }

  /** Opens a session's terminal. That it cannot be served arrives as an `error` frame and a close. */
  openPty(id: string, events: PtyStreamEvents, options: PtyStreamOptions = {}): PtyStream {
    return new PtyStream((socket) => this.#transport.openSocket(sessionPath(id, 'pty'), socket, ptyQuery(options)), events);
  }

  #act(id: string, action: SessionAction, call: Call): Promise<Session> {
    return this.#calls.json(SessionAnswer, 'POST', sessionPath(id, action), call);
  }
}
