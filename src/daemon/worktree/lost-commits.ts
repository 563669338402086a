import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git, GitPlace } from '../git.js';

/** Files of a worktree's own git directory that name commits, beside its HEAD, the heads of an operation and refs of its own. */
const POINTERS = [
  ...['rebase-merge/orig-head', 'rebase-merge/autostash', 'rebase-merge/onto', 'rebase-merge/stopped-sha', 'rebase-merge/squash-onto'],
  ...['rebase-apply/orig-head', 'rebase-apply/autostash', 'rebase-apply/onto', 'rebase-apply/original-commit', 'rebase-apply/abort-safety'],
  ...['sequencer/head', 'sequencer/abort-safety'],
];

/** Refs that a worktree has to itself. */
const OWN_REFS = ['refs/bisect', 'refs/worktree', 'refs/rewritten'];

/** A salvage is dropped some day, so it holds nothing for another one. */
const HOLDERS = [...OWN_REFS.map((ref) => `--exclude=${ref}/*`), '--exclude=refs/maestro/*', '--glob=refs/*'];

interface Whereabouts {
  /** The worktree's own git directory. */
  readonly adminDir: string;
  /** The repository's common one. */
  readonly gitDir: string;
  /** Branches whose reflogs are looked at: they end with the branch. */
  readonly branches: readonly string[];
  /** A commit that keeps all that it reaches, such as a former salvage of this worktree. */
  readonly former: string | undefined;
}

/**
 * The newest of the commits that only this worktree knows: of a detached HEAD, and what was amended, reset or rebased away, or is part of an
 * operation. All the others are their ancestors, or held by a ref.
 */
export async function lostCommits(git: Git, place: GitPlace, whereabouts: Whereabouts): Promise<string[]> {
  const candidates = await existing(git, place, await candidatesIn(git, place, whereabouts));
  if (candidates.length === 0) return [];
  const held = whereabouts.former === undefined ? [] : [whereabouts.former];
  const input = `${candidates.join('\n')}\n`;
  const output = await git.text(place, ['rev-list', '--parents', '--stdin', '--not', ...HOLDERS, ...held], { input });
  const unheld = output === '' ? [] : output.split('\n').map((line) => line.split(' '));
  const parents = new Set(unheld.flatMap((ids) => ids.slice(1)));
  return unheld.flatMap(([id]) => (id === undefined || parents.has(id) ? [] : [id]));
}

async function candidatesIn(git: Git, place: GitPlace, { adminDir, gitDir, branches }: Whereabouts): Promise<string[]> {
  const heads = (await readdir(adminDir).catch(() => [])).filter((name) =>
    /^[A-Z_]*HEAD$|^MERGE_AUTOSTASH$|^BISECT_EXPECTED_REV$/.test(name),
  );
  const names = [...heads.filter((name) => name !== 'FETCH_HEAD'), ...POINTERS];
  const files = names.map((name) => join(adminDir, name));
  const logs = [
    { ref: 'HEAD', file: join(adminDir, 'logs', 'HEAD') },
    ...branches.map((branch) => ({ ref: `refs/heads/${branch}`, file: join(gitDir, 'logs', 'refs', 'heads', branch) })),
  ];
  const texts = await Promise.all([
    ...files.map((file) => readFile(file, 'latin1').catch(() => '')),
    ...logs.map(({ ref, file }) => readFile(file, 'latin1').catch(() => reflog(git, place, ref))),
    git.attempt(place, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']).then(({ stdout }) => stdout.toString().trim()),
    git.text(place, ['for-each-ref', '--format=%(objectname)', ...OWN_REFS]),
  ]);
  const ids = texts.flatMap((text) =>
    [...text.matchAll(/^(?:[0-9a-f]{40,64}(?: |$)){1,2}/gm)].flatMap(([found]) => found.trim().split(' ')),
  );
  return [...new Set(ids)].filter((id) => /[1-9a-f]/.test(id));
}

/** Where reflogs are no files (reftable), only git can read them. */
async function reflog(git: Git, place: GitPlace, ref: string): Promise<string> {
  return (await git.attempt(place, ['rev-list', '--walk-reflogs', ref, '--'])).stdout.toString('latin1');
}

/** Those that are there and are commits, or tags of some. */
async function existing(git: Git, place: GitPlace, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const input = `${ids.map((id) => `${id}^{commit}`).join('\n')}\n`;
  const output = await git.text(place, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input });
  const commits = output.split('\n').map((line) => /^([0-9a-f]+) commit$/.exec(line)?.[1]);
  return [...new Set(commits.filter((id) => id !== undefined))];
}
