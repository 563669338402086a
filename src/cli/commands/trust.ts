import type { MaestroClient } from '../../client/maestro-client.js';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { durationText } from '../duration.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { homeShort } from '../home-path.js';
import { safe } from '../printable.js';
import { canAsk } from '../question.js';
import { setupLines } from '../setup-text.js';
import { type Cell, type Column, tableLines } from '../table.js';
import { trustLines, trustShown } from '../trusting.js';
import { givenDirectory } from '../working-directory.js';

export interface TrustOptions {
  readonly yes?: boolean;
  readonly base?: string;
  readonly list?: boolean;
  readonly revoke?: boolean;
}

/** Lets a repository run what it wants to for each worktree, takes that back, or lists those that may. */
export async function trust(context: CommandContext, dir: string | undefined, options: TrustOptions): Promise<ExitCode> {
  const { yes, base, list, revoke } = options;
  if (list && (revoke || dir !== undefined)) throw new CliError('usage', '--list shows all; give it alone');
  if (revoke && base !== undefined) throw new CliError('usage', '--revoke takes back all trust in a repository; leave --base out');
  const client = connectTo(context.stateDir);
  if (list) return listTrusted(context, client);
  const repo = givenDirectory(dir, context.env.PWD);
  return revoke ? revokeTrust(context, client, repo) : trustSetup(context, client, { repo, base, yes: yes ?? false });
}

async function trustSetup(
  { output }: CommandContext,
  client: MaestroClient,
  { repo, base, yes }: { repo: string; base: string | undefined; yes: boolean },
): Promise<ExitCode> {
  const setup = await client.projectSetup({ repo, base });
  if (setup.hash === undefined || setup.trusted) {
    const lines = setupLines(setup);
    output.line(
      setup.hash === undefined
        ? safe`nothing of ${setup.repo} would run; there is nothing to trust`
        : safe`${setup.repo} is trusted to do this for each worktree:`,
    );
    for (const line of lines) output.line(line);
    output.document(setup);
    return EXIT.done;
  }
  if (!yes && !canAsk(output)) {
    for (const line of trustLines(setup)) output.note(line);
    throw new CliError('failed', 'nothing was trusted: there is nobody to ask; --yes says that you have read it', { details: { setup } });
  }
  const trusted = await trustShown(client, setup, { show: (line) => output.note(line), yes, refusal: 'nothing was trusted' });
  output.line(safe`${setup.repo} is trusted to run this; what it changes later has to be trusted again`);
  output.document(trusted);
  return EXIT.done;
}

async function revokeTrust({ output }: CommandContext, client: MaestroClient, repo: string): Promise<ExitCode> {
  if (!(await client.revokeTrust(repo))) throw new CliError('failed', safe`${repo} was not trusted; maestro trust --list shows what is`);
  output.line(safe`${repo} is not trusted any more`);
  output.document({ revoked: true });
  return EXIT.done;
}

const COLUMNS: readonly Column[] = [{ title: 'REPOSITORY', least: 12, leaveOut: 'start' }, { title: 'SET-UPS' }, { title: 'SINCE' }];

async function listTrusted({ home, output }: CommandContext, client: MaestroClient): Promise<ExitCode> {
  const all = await client.trusted();
  output.document(all);
  if (all.length === 0 && output.isTerminal) output.note('no repository is trusted to run a set-up');
  if (all.length === 0) return EXIT.done;
  const now = Date.now();
  const rows = all.map(({ repo, hashes, at }): Cell[] => [
    { text: homeShort(repo, home) },
    { text: String(hashes.length) },
    { text: durationText((now - Date.parse(at)) / 1000) },
  ]);
  for (const line of tableLines(COLUMNS, rows, output)) output.line(line);
  return EXIT.done;
}
