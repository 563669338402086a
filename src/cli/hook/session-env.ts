/** The session that a process runs in, as Maestro tells it in the environment. */
export interface SessionEnv {
  readonly id: string;
  readonly run: number;
  /** The path of the daemon's socket. */
  readonly socket: string;
  readonly token: string;
}

const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const RUN = /^[1-9]\d{0,14}$/;
const TOKEN = /^[0-9a-f]{64}$/;

/** Undefined outside of Maestro, and for what Maestro cannot have set: a file is named by the id, and the token goes into a header. */
export function sessionEnv(env: Readonly<Record<string, string | undefined>>): SessionEnv | undefined {
  const { MAESTRO_SESSION_ID: id = '', MAESTRO_RUN: run = '', MAESTRO_SOCKET: socket = '', MAESTRO_REPORT_TOKEN: token = '' } = env;
  const isWhole = SESSION_ID.test(id) && RUN.test(run) && socket.startsWith('/') && TOKEN.test(token);
  return isWhole ? { id, run: Number(run), socket, token } : undefined;
}
