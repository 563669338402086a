import type { Sidecar } from '../store/sidecar.js';
import { withPorts } from '../worktree/setup/port-placeholder.js';
import type { WorktreeRecord } from '../worktree-record.js';

interface EnvironmentParts {
  /** What every session's program inherits. */
  readonly baseEnv: Readonly<Record<string, string>>;
  /** The daemon's unix socket. */
  readonly socket: string;
  /** What the agents of a session's run report with. */
  readonly reportTokenFor: (id: string, run: number) => string;
}

/**
 * The environment of a session's program. What the user gave wins over what the repository's trusted set-up says, and both over what
 * is inherited; a worktree session has its ports' first number as `MAESTRO_PORT`, and how many there are as `MAESTRO_PORT_COUNT`.
 */
export function sessionEnvironment(
  { baseEnv, socket, reportTokenFor }: EnvironmentParts,
  record: Pick<Sidecar, 'id' | 'env' | 'run'>,
  worktree: WorktreeRecord | undefined,
): Record<string, string> {
  return {
    ...baseEnv,
    ...(worktree === undefined ? {} : worktreeEnvironment(worktree)),
    ...record.env,
    COLORTERM: 'truecolor',
    MAESTRO_SESSION_ID: record.id,
    MAESTRO_RUN: String(record.run),
    MAESTRO_SOCKET: socket,
    MAESTRO_REPORT_TOKEN: reportTokenFor(record.id, record.run),
  };
}

function worktreeEnvironment({ port, ports, setup }: WorktreeRecord): Record<string, string> {
  const given = Object.entries(setup?.env ?? {}).map(([name, value]) => [name, port === undefined ? value : withPorts(value, port)]);
  return {
    ...(port === undefined ? {} : { MAESTRO_PORT: String(port), MAESTRO_PORT_COUNT: String(ports ?? 1) }),
    ...Object.fromEntries(given),
  };
}
