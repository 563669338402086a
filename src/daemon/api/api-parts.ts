import type { Host, HostPreset } from '../../protocol/index.js';
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import type { ProjectList } from '../session/project-list.js';
import type { ProjectSetups } from '../session/project-setups.js';
import type { SalvageKeeper } from '../session/salvage-keeper.js';
import type { SessionChanges } from '../session/session-changes.js';
import type { SessionManager } from '../session/session-manager.js';
import type { WorktreeList } from '../session/worktree-list.js';
import type { LoginCodes } from './login-codes.js';
import type { OpenStreams } from './open-streams.js';

/** The browsers that are logged in. `cookie` and `secret` are the two halves that each holds. */
export interface BrowserAccess {
  /** Logs a browser in; durable before it resolves. */
  open(now: number): Promise<{ readonly cookie: string; readonly secret: string; readonly expiresAt: number }>;
  accepts(given: { readonly cookie: string; readonly secret: string }, now: number): boolean;
  close(cookie: string): Promise<void>;
}

/** Who may use the API over TCP. */
export interface Access {
  /** Compares with the token in constant time. */
  acceptsToken(token: string): boolean;
  /** The name of the browsers' cookie. */
  readonly cookie: string;
  /** Browsers reach the daemon by https. */
  readonly isSecure: boolean;
  readonly browsers: BrowserAccess;
  readonly codes: LoginCodes;
  readonly streams: OpenStreams;
  /** Replaces the token and logs every browser out. */
  rotate(): Promise<void>;
}

/** What the routes answer from. */
export interface ApiParts {
  readonly manager: SessionManager;
  readonly changes: SessionChanges;
  readonly worktrees: WorktreeList;
  readonly salvages: SalvageKeeper;
  readonly projectSetups: ProjectSetups;
  readonly projects: ProjectList;
  readonly host: () => Host;
  readonly presets: () => Promise<HostPreset[]>;
  readonly access: Access;
  readonly clock: Clock;
  readonly log: Log;
  /** Begins a graceful stop of the daemon; offered over the unix socket only. */
  readonly shutdown: () => void;
}
