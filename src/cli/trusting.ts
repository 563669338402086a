import { ProjectSetupAnswer } from '../client/answers.js';
import type { MaestroClient } from '../client/maestro-client.js';
import { MaestroError, type ProjectSetup, type TrustedProject } from '../protocol/index.js';
import { CliError } from './cli-error.js';
import { printable } from './printable.js';
import { confirmed } from './question.js';
import { setupLines } from './setup-text.js';
import { shellQuote } from './shell-quote.js';

/** The set-up that a daemon refused to run because nobody has trusted it, where that is what `error` says. */
export function untrustedSetup(error: unknown): ProjectSetup | undefined {
  if (!(error instanceof MaestroError) || error.code !== 'forbidden') return undefined;
  const setup = ProjectSetupAnswer.safeParse(error.details?.setup);
  return setup.success && setup.data.hash !== undefined ? setup.data : undefined;
}

/** The refusal of a set-up with what to do in its message, for who cannot be asked. */
export function refusedSetup(error: unknown, { repo }: ProjectSetup, base?: string): MaestroError {
  const refusal = error as MaestroError;
  const words = ['maestro', 'trust', ...(base === undefined ? [] : ['--base', base]), repo];
  const command = words.map((word) => shellQuote(printable(word))).join(' ');
  const message = `${refusal.message}\n\`${command}\` shows what would run and lets it, --skip-setup leaves it out`;
  return new MaestroError(refusal.code, message, { details: refusal.details, cause: error });
}

/** What is to be read before a repository is trusted. Safe for a terminal. */
export function trustLines(setup: ProjectSetup): string[] {
  return [`${printable(setup.repo)} wants for each worktree:`, ...setupLines(setup)];
}

export interface TrustQuestion {
  /** Shows a line before the question. */
  show(line: string): void;
  /** Yes is given already. */
  readonly yes: boolean;
  /** Said when the answer is no. */
  readonly refusal: string;
}

/** Shows what a repository would run and trusts exactly that, unless the answer is no. */
export async function trustShown(
  client: MaestroClient,
  setup: ProjectSetup,
  { show, yes, refusal }: TrustQuestion,
): Promise<TrustedProject> {
  const { repo, hash } = setup;
  if (hash === undefined) throw new CliError('failed', `nothing of ${printable(repo)} would run`);
  for (const line of trustLines(setup)) show(line);
  if (!yes && !(await confirmed('Trust this repository to run it?'))) throw new CliError('failed', refusal);
  return client.trust({ repo, hash });
}
