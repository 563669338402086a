import { z } from 'zod';

export const HealthSchema = z.object({ ok: z.literal(true) });

export const HostSchema = z.object({
  /** Maestro's own version. */
  version: z.string(),
  host_name: z.string(),
  home: z.string(),
  state_dir: z.string(),
  leader: z.string(),
  /** Where the daemon listens besides its unix socket, as `host:port`. */
  listen: z.string(),
  /** How browsers reach it there. */
  scheme: z.enum(['http', 'https']).optional(),
  tmux_socket: z.string(),
  tmux_version: z.string(),
  pid: z.int(),
  uptime_seconds: z.number(),
  sessions: z.object({ running: z.int(), dead: z.int(), dormant: z.int() }),
});
export type Host = z.infer<typeof HostSchema>;
