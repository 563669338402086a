import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { parse, TomlError } from 'smol-toml';
import type { z } from 'zod';
import { MaestroError, type ProjectSetup } from '../../../protocol/index.js';
import type { Git } from '../../git.js';
import { type Repository, refsPlace } from '../repository.js';
import { readFileAt } from './file-at-commit.js';
import { type ProjectConfig, ProjectConfigSchema } from './project-config-schema.js';
import { readIncludes } from './worktree-include.js';

/** Where a repository says what is to be done for each worktree. */
const CONFIG_PATH = '.maestro/config.toml';

/** The most that is read, in bytes. */
const SIZE_LIMIT = 64 * 1024;

/**
 * What the repository wants to be done for a worktree that is made at `commit`. It is read from that very commit, so that what is trusted
 * is what will be checked out. Rejects with `invalid_request` when the file is not as it has to be.
 */
export async function readProjectConfig(git: Git, repository: Repository, commit: string): Promise<Omit<ProjectSetup, 'repo' | 'trusted'>> {
  const file = await readFileAt(git, refsPlace(repository), { commit, path: CONFIG_PATH, limit: SIZE_LIMIT });
  if (file !== undefined && 'problem' in file) throw invalid(commit, file.problem);
  const config = checkConfig(commit, file === undefined ? {} : parseToml(commit, file));
  const { setup, teardown, env, ports } = config;
  const hash = hashOf(config);
  return {
    ...(hash === undefined ? {} : { hash }),
    ...(setup === undefined ? {} : { setup }),
    ...(teardown === undefined ? {} : { teardown }),
    env,
    copy: [...config.copy, ...(await readIncludes(git, repository, commit))],
    ports,
  };
}

/** Of what runs, and of the environment it runs in. What is copied and how many ports there are runs nothing. */
function hashOf({ setup, teardown, env }: ProjectConfig): string | undefined {
  const variables = Object.entries(env).sort(([one], [other]) => (one < other ? -1 : 1));
  if (setup === undefined && teardown === undefined && variables.length === 0) return undefined;
  const canonical = JSON.stringify([setup ?? null, teardown ?? null, variables]);
  return `sha256:${createHash('sha256').update(canonical).digest('hex')}`;
}

function parseToml(commit: string, bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalid(commit, 'expected UTF-8 text');
  try {
    return parse(bytes.toString().replace(/^\uFEFF/, ''));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split('\n', 1)[0]?.replace(/^Invalid TOML document: /, '');
    throw invalid(commit, `line ${error.line}: not valid TOML: ${reason}`, error);
  }
}

function checkConfig(commit: string, values: unknown): ProjectConfig {
  const checked = ProjectConfigSchema.safeParse(values);
  if (checked.success) return checked.data;
  throw invalid(commit, checked.error.issues.flatMap(describe).join('; '));
}

function describe(issue: z.core.$ZodIssue): string[] {
  const place = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(ProjectConfigSchema.shape).join(', ');
    return issue.keys.map((key) => `${[...issue.path, key].join('.')}: unknown key; the keys are ${known}`);
  }
  if (issue.code === 'invalid_key') return [`${place}: ${issue.issues[0]?.message ?? issue.message}`];
  return [`${place}: ${rule(issue)}`];
}

/** The schema's own words, where it has some. */
function rule(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type' || !issue.message.startsWith('Invalid input')) return issue.message;
  return `expected ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text in quotes',
  record: 'a table of texts',
  object: 'a table',
};

function invalid(commit: string, problem: string, cause?: unknown): MaestroError {
  const text = `worktree.setup: ${CONFIG_PATH} at commit ${commit.slice(0, 12)}: ${problem}; repair it and commit, or skip the set-up`;
  return new MaestroError('invalid_request', text, { details: { field: 'worktree.setup', file: CONFIG_PATH, commit }, cause });
}
