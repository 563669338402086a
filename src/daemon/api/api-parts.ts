import type { Host, HostPreset } from '../../protocol/index.js';
import type { Log } from '../log.js';
import type { SessionManager } from '../session/session-manager.js';

/** What the routes answer from. */
export interface ApiParts {
  readonly manager: SessionManager;
  readonly host: () => Host;
  readonly presets: () => Promise<HostPreset[]>;
  readonly log: Log;
  /** Begins a graceful stop of the daemon; offered over the unix socket only. */
  readonly shutdown: () => void;
}
