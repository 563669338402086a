/** As few characters as possible are quoted, as agents look for plain paths in what is pasted. */
const PLAIN = /^[\w@%+:,./-]+$/;

/** A path as one word of POSIX shell text. */
export function quotedPath(path: string): string {
  return PLAIN.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
