import {
  type ActivityRequest,
  type CreateSessionRequest,
  type Host,
  type HostPreset,
  type InputRequest,
  type KillQuery,
  type KillResult,
  type LoginAnswer,
  LoginAnswerSchema,
  type LoginLink,
  LoginLinkSchema,
  type PatchSessionRequest,
  ROUTES,
  type Session,
  type SessionAction,
  type SessionEvent,
  type Size,
  sessionPath,
} from '../protocol/index.js';
import { HostAnswer, HostPresetsAnswer, KillResultAnswer, readEvent, SessionAnswer, SessionsAnswer } from './answers.js';
import { ApiCalls, type Call, type CallOptions, queryOf } from './api-calls.js';
import { PtyStream, type PtyStreamEvents, type PtyStreamOptions, ptyQuery } from './pty-stream.js';
import { RepositoryClient } from './repository-client.js';
import { serverSentEvents } from './server-sent-events.js';
import type { Transport } from './transport.js';

export interface ScreenOptions extends CallOptions {
  /** Plain text, or with colours and attributes as SGR sequences. Default text. */
  readonly format?: 'text' | 'ansi';
  /** Lines of history above the screen. Default 0. */
  readonly history?: number;
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

  resume(id: string, options?: CallOptions): Promise<Session> {
    return this.#act(id, 'resume', { ...options });
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

  resize(id: string, body: Size, options?: CallOptions): Promise<Session> {
    return this.#act(id, 'size', { ...options, body });
  }

  /** Resolves once the input is delivered; a refusal names its reason. */
  async input(id: string, body: InputRequest, options?: CallOptions): Promise<void> {
    await this.#calls.bytes('POST', sessionPath(id, 'input'), { ...options, body });
  }

  /** What a running session shows. */
  async screen(id: string, { format, history, signal }: ScreenOptions = {}): Promise<string> {
    const call = { query: queryOf({ format, history }), accept: 'text/plain', signal };
    return new TextDecoder().decode(await this.#calls.bytes('GET', sessionPath(id, 'screen'), call));
  }

  /** The last output on disk, raw: terminal control sequences and all. */
  scrollback(id: string, options?: CallOptions): Promise<Uint8Array> {
    return this.#calls.bytes('GET', sessionPath(id, 'scrollback'), { ...options, accept: 'application/octet-stream' });
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
