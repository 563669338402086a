import type { Git, GitPlace } from '../git.js';
import type { WorktreeRecord } from '../worktree-record.js';
import { branchTip, branchUse } from './branch-use.js';
import { retryWhileLocked } from './lock-retry.js';
import { NO_HOOKS } from './salvage-commit.js';

/**
 * Removes the branch of a worktree that is gone, if the branch was made with it and holds nothing: no commits beyond where it began, all of
 * which another ref holds, and it is neither in use nor a default branch. Answers its name if there is such a branch afterwards.
 */
export async function removeBranch(git: Git, record: WorktreeRecord): Promise<string | undefined> {
  const { git_dir, branch } = record;
  const tip = await branchTip(git, git_dir, branch);
  if (tip === undefined) return undefined;
  const place: GitPlace = { cwd: git_dir, gitDir: git_dir };
  if (!record.created_branch || !(await isExpendable(git, place, { record, tip }))) return branch;
  await retryWhileLocked(() => git.run(place, [...NO_HOOKS, 'update-ref', '--no-deref', '-d', `refs/heads/${branch}`, tip]));
  await forgetSettings(git, place, branch);
  return undefined;
}

async function isExpendable(
  git: Git,
  place: GitPlace,
  { record, tip }: { readonly record: WorktreeRecord; readonly tip: string },
): Promise<boolean> {
  const { branch, base_commit, base_repo, git_dir } = record;
  const isAncestor = await git.attempt(place, ['merge-base', '--is-ancestor', tip, base_commit]);
  if (tip !== base_commit && isAncestor.code !== 0) return false;
  const others = [`--exclude=${branch}`, '--branches', '--tags', '--remotes'];
  const own = await git.attempt(place, ['rev-list', '--max-count=1', tip, '--not', ...others, '--']);
  if (own.code !== 0 || own.stdout.length > 0) return false;
  if ((await defaultBranches(git, place)).includes(`refs/heads/${branch}`)) return false;
  const mainWorktree = base_repo === git_dir ? undefined : base_repo;
  return (await branchUse(git, { gitDir: git_dir, mainWorktree }, branch)).length === 0;
}

/** What HEAD of the main worktree or the bare repository names, and what the remotes call theirs. */
async function defaultBranches(git: Git, place: GitPlace): Promise<string[]> {
  const head = await git.attempt(place, ['symbolic-ref', '--quiet', 'HEAD']);
  const remotes = await git.text(place, ['for-each-ref', '--format=%(symref:lstrip=3)', 'refs/remotes/*/HEAD']);
  return [head.stdout.toString('utf8').trim(), ...remotes.split('\n').map((name) => `refs/heads/${name}`)];
}

async function forgetSettings(git: Git, place: GitPlace, branch: string): Promise<void> {
  const args = ['config', '--local', '--remove-section', `branch.${branch}`];
  await retryWhileLocked(async () => {
    const answer = await git.attempt(place, args);
    if (answer.code !== 0 && /could not lock/.test(answer.stderr)) await git.run(place, args);
  });
}
