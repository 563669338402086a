/** The paths of the API. Session routes take the session's uuid. */
export const ROUTES = {
  health: '/api/health',
  host: '/api/host',
  openapi: '/api/openapi.json',
  sessions: '/api/sessions',
  events: '/api/events',
  presets: '/api/presets',
  shutdown: '/api/shutdown',
  login: '/api/auth/login',
  logout: '/api/auth/logout',
  /** Makes a login URL: for who has the token or the unix socket. */
  loginLink: '/api/auth/link',
  /** Replaces the token and ends every browser session: for who has the unix socket. */
  rotateToken: '/api/auth/rotate',
} as const;

export type SessionAction = 'resume' | 'stop' | 'restart' | 'activity' | 'input' | 'size' | 'screen' | 'scrollback' | 'pty';

export function sessionPath(id: string, action?: SessionAction): string {
  const path = `${ROUTES.sessions}/${encodeURIComponent(id)}`;
  return action === undefined ? path : `${path}/${action}`;
}
