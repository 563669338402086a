/** The paths of the API. Session routes take the session's uuid. */
export const ROUTES = {
  health: '/api/health',
  host: '/api/host',
  openapi: '/api/openapi.json',
  sessions: '/api/sessions',
  events: '/api/events',
  presets: '/api/presets',
  agents: '/api/agents',
  /** Resumes several sessions; answers how far that has come. */
  resumes: '/api/resumes',
  projects: '/api/projects',
  /** The branches of a repository. */
  branches: '/api/projects/branches',
  /** What a repository wants to be done for each worktree. */
  projectSetup: '/api/projects/setup',
  /** The repositories that may run their set-up. */
  trust: '/api/projects/trust',
  /** The directories that complete a path. */
  paths: '/api/paths',
  /** The worktrees that Maestro made. */
  worktrees: '/api/worktrees',
  /** What was saved of worktrees that were removed by force. */
  salvage: '/api/salvage',
  shutdown: '/api/shutdown',
  login: '/api/auth/login',
  logout: '/api/auth/logout',
  /** Makes a login URL: for who has the token or the unix socket. */
  loginLink: '/api/auth/link',
  /** Replaces the token and ends every browser session: for who has the unix socket. */
  rotateToken: '/api/auth/rotate',
} as const;

export type SessionAction =
  | 'resume'
  | 'stop'
  | 'restart'
  | 'activity'
  | 'report'
  | 'seen'
  | 'explanation'
  | 'conversations'
  | 'input'
  | 'size'
  | 'screen'
  | 'scrollback'
  | 'pty'
  | 'diff'
  | 'files';

export function sessionPath(id: string, action?: SessionAction): string {
  const path = `${ROUTES.sessions}/${encodeURIComponent(id)}`;
  return action === undefined ? path : `${path}/${action}`;
}

export function worktreePath(id: string): string {
  return `${ROUTES.worktrees}/${encodeURIComponent(id)}`;
}

export function salvagePath(id: string, action?: 'restore' | 'diff'): string {
  const path = `${ROUTES.salvage}/${encodeURIComponent(id)}`;
  return action === undefined ? path : `${path}/${action}`;
}
