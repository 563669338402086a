import type { WorktreeRequest } from '../protocol/index.js';
import { CliError } from './cli-error.js';
import type { Place } from './create-request.js';
import { givenDirectory } from './working-directory.js';

export interface PlaceOptions {
  readonly cwd?: string;
  /** The branch of a worktree of its own. */
  readonly worktree?: string;
  readonly base?: string;
  /** The branch is there already. */
  readonly existing?: boolean;
  readonly repo?: string;
  readonly skipSetup?: boolean;
  /** Let the repository run its set-up. */
  readonly trust?: boolean;
}

/** Where `maestro new` starts a session. `pwd` is what the shell calls the directory it is in. */
export function sessionPlace(options: PlaceOptions, pwd: string | undefined): Place {
  const { worktree: branch } = options;
  if (branch !== undefined) return { worktree: worktreeRequest(branch, options, pwd) };
  const stray = optionsOfWorktrees(options)[0];
  if (stray !== undefined) throw new CliError('usage', `${stray} is for a session with a worktree of its own; give --worktree BRANCH too`);
  return { cwd: givenDirectory(options.cwd, pwd) };
}

function optionsOfWorktrees({ base, existing, repo, skipSetup, trust }: PlaceOptions): string[] {
  const given = { '--base': base, '--existing': existing, '--repo': repo, '--skip-setup': skipSetup, '--trust': trust };
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

function worktreeRequest(branch: string, options: PlaceOptions, pwd: string | undefined): WorktreeRequest {
  const { cwd, base, existing = false, repo, skipSetup = false, trust = false } = options;
  if (cwd !== undefined) {
    throw new CliError('usage', 'a session with a worktree runs in it: leave --cwd out, or name the repository with --repo');
  }
  if (existing && base !== undefined) {
    throw new CliError('usage', 'an existing branch has its own commits: give --base or --existing, not both');
  }
  if (skipSetup && trust) throw new CliError('usage', 'give --skip-setup or --trust, not both');
  return {
    base_repo: givenDirectory(repo, pwd),
    branch,
    ...(existing ? { create_branch: false } : {}),
    ...(base === undefined ? {} : { base }),
    ...(skipSetup ? { setup: 'skip' } : {}),
  };
}
