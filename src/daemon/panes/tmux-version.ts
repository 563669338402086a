import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MaestroError } from '../../protocol/index.js';

const run = promisify(execFile);

/** tmux 3.2 brought `new-session -e`, `-N` and client flags. */
const OLDEST = { major: 3, minor: 2 };
const TIMEOUT_MS = 10_000;
const INSTALL = 'install tmux 3.2 or newer (Debian, Ubuntu: apt install tmux; Fedora: dnf install tmux; macOS: brew install tmux)';

/** The version that `tmux -V` tells, such as `3.3a`. Fails with `tmux_unavailable` when tmux is missing or too old. */
export async function tmuxVersion(tmuxPath: string, env: Readonly<Record<string, string>>): Promise<string> {
  const version = parseVersion(await printedVersion(tmuxPath, env));
  if (isTooOld(version)) throw new MaestroError('tmux_unavailable', `tmux ${version} at ${tmuxPath} is too old for Maestro; ${INSTALL}`);
  return version;
}

/** The version in `tmux 3.3a`, `tmux next-3.6` or `tmux openbsd-7.5`, as printed behind the name. */
export function parseVersion(printed: string): string {
  return printed.trim().replace(/^tmux\s+/, '');
}

/** Development builds and OpenBSD's own, whose number is the system's, are taken to be new enough. */
export function isTooOld(version: string): boolean {
  const match = /^(?:next-)?(\d+)\.(\d+)/.exec(version);
  if (match === null) return false;
  const [major, minor] = [Number(match[1]), Number(match[2])];
  return major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor);
}

async function printedVersion(tmuxPath: string, env: Readonly<Record<string, string>>): Promise<string> {
  try {
    return (await run(tmuxPath, ['-V'], { env, timeout: TIMEOUT_MS })).stdout;
  } catch (error) {
    const { code } = error as { code?: unknown };
    const place = tmuxPath.includes('/') ? `at ${tmuxPath}` : `in PATH (${env.PATH})`;
    const problem = code === 'ENOENT' ? `tmux was not found ${place}` : `${tmuxPath} -V failed (${String(code ?? 'no answer')})`;
    throw new MaestroError('tmux_unavailable', `${problem}; ${INSTALL}`, { cause: error });
  }
}
