import type { AgentInfo, Host, HostPreset } from '../../protocol/index.js';
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import type { SessionActivities } from '../session/activity/session-activities.js';
import type { AgentReports } from '../session/agents/agent-reports.js';
import type { ResumeQueue } from '../session/agents/resume-queue.js';
import type { ProjectBranches } from '../session/project-branches.js';
import type { ProjectList } from '../session/project-list.js';
import type { ProjectSetups } from '../session/project-setups.js';
import type { SalvageKeeper } from '../session/salvage-keeper.js';
import type { SessionChanges } from '../session/session-changes.js';
import type { SessionManager } from '../session/session-manager.js';
import type { SessionUploads } from '../session/session-uploads.js';
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
  readonly activities: SessionActivities;
  readonly reports: AgentReports;
  readonly resumes: ResumeQueue;
  /** The agents that this host has. */
  readonly agents: { list(): Promise<AgentInfo[]> };
  readonly changes: SessionChanges;
  readonly uploads: Pick<SessionUploads, 'add'>;
  readonly worktrees: WorktreeList;
  readonly salvages: SalvageKeeper;
  readonly projectSetups: ProjectSetups;
  readonly branches: ProjectBranches;
  readonly projects: ProjectList;
  readonly host: () => Host;
  readonly presets: () => Promise<HostPreset[]>;
  readonly access: Access;
  readonly clock: Clock;
  readonly log: Log;
  /** Begins a graceful stop of the daemon; offered over the unix socket only. */
  readonly shutdown: () => void;
}
