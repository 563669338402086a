/** The longest path of a unix socket, in bytes: `sun_path` without its closing NUL. */
const LIMIT = process.platform === 'darwin' ? 103 : 107;

/** What is wrong with `path` as the path of a unix socket, for the user; undefined when nothing is. */
export function socketPathProblem(path: string): string | undefined {
  const bytes = Buffer.byteLength(path);
  if (bytes <= LIMIT) return undefined;
  return `The socket path ${path} has ${bytes} bytes, but the system allows ${LIMIT}; set MAESTRO_STATE_DIR to a shorter path`;
}
