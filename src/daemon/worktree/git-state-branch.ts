import type { Git, GitPlace } from '../git.js';

/** Where HEAD is. */
export interface Head {
  /** Absent in a repository without commits. */
  readonly commit?: string | undefined;
  /** Short; absent when HEAD is detached. */
  readonly branch?: string | undefined;
}

/** The ref that a branch's commits are counted from. */
export interface ComparedRef {
  /** As a user says it, such as `main` or `origin/main`. */
  readonly name: string;
  readonly ref: string;
}

export interface Distance {
  readonly ahead: number;
  readonly behind: number;
}

const BRANCHES = 'refs/heads/';
const REMOTES = 'refs/remotes/';

export async function readHead(git: Git, place: GitPlace): Promise<Head> {
  const [commit, ref] = await Promise.all([
    git.attempt(place, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']),
    git.attempt(place, ['symbolic-ref', '--quiet', 'HEAD']),
  ]);
  const id = commit.stdout.toString('utf8').trim();
  const name = ref.stdout.toString('utf8').trim();
  return {
    ...(commit.code === 0 && id !== '' ? { commit: id } : {}),
    ...(ref.code === 0 && name.startsWith(BRANCHES) ? { branch: name.slice(BRANCHES.length) } : {}),
  };
}

/** The branch or remote branch named `comparedWith` where it is there and is another than `branch`; else the upstream of `branch`. */
export async function comparedRef(git: Git, place: GitPlace, { branch, comparedWith }: ComparedOptions): Promise<ComparedRef | undefined> {
  const wanted = comparedWith === undefined || comparedWith === branch ? [] : [`${BRANCHES}${comparedWith}`, `${REMOTES}${comparedWith}`];
  const own = branch === undefined ? undefined : `${BRANCHES}${branch}`;
  const patterns = [...wanted, ...(own === undefined ? [] : [own])];
  if (patterns.length === 0) return undefined;
  const refs = await upstreams(git, place, patterns);
  const found = wanted.find((ref) => refs.has(ref));
  if (found !== undefined) return { name: shortName(found), ref: found };
  const upstream = own === undefined ? undefined : refs.get(own);
  if (upstream === undefined || upstream === '') return undefined;
  const there = await git.attempt(place, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${upstream}^{commit}`]);
  return there.code === 0 ? { name: shortName(upstream), ref: upstream } : undefined;
}

interface ComparedOptions {
  readonly branch?: string | undefined;
  readonly comparedWith?: string | undefined;
}

/** Upstreams by ref. A pattern also finds what is below it, which no caller asks for. */
async function upstreams(git: Git, place: GitPlace, patterns: readonly string[]): Promise<Map<string, string>> {
  const output = await git.text(place, ['for-each-ref', '--format=%(refname) %(upstream)', '--', ...patterns]);
  return new Map(output.split('\n').map((line) => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? '']));
}

/** Undefined where the two cannot be counted, as in a repository without commits. */
export async function distance(git: Git, place: GitPlace, ref: string): Promise<Distance | undefined> {
  const answer = await git.attempt(place, ['rev-list', '--left-right', '--count', '--end-of-options', `${ref}...HEAD`, '--']);
  const [behind, ahead] = answer.stdout.toString('utf8').trim().split('\t').map(Number);
  if (answer.code !== 0 || ahead === undefined || behind === undefined) return undefined;
  return { ahead, behind };
}

function shortName(ref: string): string {
  return ref.replace(/^refs\/(?:heads|remotes)\//, '');
}
