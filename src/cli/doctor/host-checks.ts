import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { findGit, findTmux, installCommand, isAtLeast, isExecutable, LEAST_TMUX, type Program } from '../prerequisites.js';
import { type Finding, fail, ok, warn } from './finding.js';

type Env = Readonly<Record<string, string | undefined>>;

export const LEAST_NODE = '20.19';

/** What the host has to offer, whether or not a daemon runs. */
export async function hostFindings(env: Env): Promise<Finding[]> {
  const [tmux, git, terminfo] = await Promise.all([findTmux(), findGit(), hasTerminfo('tmux-256color', env)]);
  return [
    nodeFinding(process.versions.node),
    tmuxFinding(tmux, env),
    git.ok ? ok('git', `git ${git.version}`) : warn('git', 'git is missing; worktrees need it', installCommand(['git'], env.PATH)),
    localeFinding(env),
    terminfo
      ? ok('terminfo', 'tmux-256color is known')
      : warn(
          'terminfo',
          'tmux-256color is unknown here; programs in a session may lack colours or keys',
          installCommand(['ncurses-term'], env.PATH),
        ),
    shellFinding(env.SHELL ?? userInfo().shell ?? undefined),
  ];
}

export function nodeFinding(version: string): Finding {
  if (isAtLeast(version, LEAST_NODE)) return ok('node', `Node ${version}`);
  return fail('node', `Node ${version} is too old`, `install Node ${LEAST_NODE} or newer`);
}

export function tmuxFinding({ ok: fits, version }: Program, env: Env): Finding {
  if (fits) return ok('tmux', `tmux ${version}`);
  const fix = installCommand(['tmux'], env.PATH);
  return version === undefined ? fail('tmux', 'tmux is missing', fix) : fail('tmux', `tmux ${version} is older than ${LEAST_TMUX}`, fix);
}

/** The first of the three that is not empty decides, as POSIX has it. */
export function localeFinding({ LC_ALL, LC_CTYPE, LANG }: Env): Finding {
  const locale = LC_ALL || LC_CTYPE || LANG || 'C';
  if (/utf-?8/i.test(locale)) return ok('locale', locale);
  return warn('locale', `the locale is ${locale}, not UTF-8; some programs show ? for letters`, 'set LANG, for example to C.UTF-8');
}

export function shellFinding(shell: string | undefined): Finding {
  if (shell === undefined || shell === '') return warn('shell', 'no login shell is known; sessions use /bin/sh', 'set SHELL');
  if (isExecutable(shell)) return ok('shell', shell);
  return warn('shell', `the login shell ${shell} cannot be run`, 'set SHELL to one that can, or change it with chsh');
}

async function hasTerminfo(name: string, env: Env): Promise<boolean> {
  const said = await new Promise<boolean | undefined>((resolve) => {
    execFile('infocmp', [name], { timeout: 5000 }, (error) => resolve(error?.code === 'ENOENT' ? undefined : !error));
  });
  return said ?? hasTerminfoFile(name, env);
}

/** Where there is no infocmp: the files it would look at. macOS files them by the letter's code. */
async function hasTerminfoFile(name: string, env: Env): Promise<boolean> {
  const own = [env.TERMINFO, env.HOME === undefined ? undefined : join(env.HOME, '.terminfo'), ...(env.TERMINFO_DIRS ?? '').split(':')];
  const directories = [...own, '/etc/terminfo', '/lib/terminfo', '/usr/share/terminfo', '/usr/local/share/terminfo'].filter(
    Boolean,
  ) as string[];
  const letters = [name.charAt(0), name.charCodeAt(0).toString(16)];
  const paths = directories.flatMap((directory) => letters.map((letter) => join(directory, letter, name)));
  const found = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
