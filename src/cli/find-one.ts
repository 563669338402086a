import { CliError } from './cli-error.js';
import { printable } from './printable.js';

/** A shorter prefix of an id is more likely a slip than a choice. */
const LEAST_PREFIX = 4;

/** What can be named by its id or by the name of its session. */
export interface Nameable {
  readonly id: string;
}

export interface Naming<Item extends Nameable> {
  /** Such as `session`. */
  readonly kind: string;
  /** The command that shows all of them. */
  readonly listedBy: string;
  nameOf(item: Item): string | undefined;
  /** What tells one of them from the others, beside its id. Safe for a terminal. */
  describe(item: Item): string;
}

/** The one item that `target` names: by its id, else its whole name, else the beginning of its id. */
export function findOne<Item extends Nameable>(items: readonly Item[], target: string, naming: Naming<Item>): Item {
  const name = target.normalize('NFC').trim();
  const prefix = target.toLowerCase();
  const byId = items.filter(({ id }) => id === prefix);
  const byName = items.filter((item) => naming.nameOf(item) === name);
  const byPrefix = prefix.length < LEAST_PREFIX ? [] : items.filter(({ id }) => id.startsWith(prefix));
  const found = [byId, byName, byPrefix].find((candidates) => candidates.length > 0) ?? [];
  const [item, ...others] = found;
  if (item === undefined) {
    throw new CliError('not_found', `no ${naming.kind} is called ${printable(target)}; ${naming.listedBy} shows all`);
  }
  if (others.length > 0) throw ambiguous(target, found, naming);
  return item;
}

function ambiguous<Item extends Nameable>(target: string, candidates: readonly Item[], { kind, describe }: Naming<Item>): CliError {
  const lines = candidates.map((item) => `  ${item.id}  ${describe(item)}`);
  const message = `${candidates.length} ${kind}s fit ${printable(target)}; name one by its id:\n${lines.join('\n')}`;
  return new CliError('ambiguous', message, { details: { candidates: candidates.map(({ id }) => id) } });
}
