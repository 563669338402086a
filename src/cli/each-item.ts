import type { CommandContext } from './command-context.js';
import { EXIT, type ExitCode } from './exit-code.js';
import { type Failure, failureOf } from './failure.js';
import type { Nameable } from './find-one.js';
import { printableLines } from './printable.js';

/** One thing that is to be done to something that may yet have to be found. */
export interface Job<Item extends Nameable> {
  /** What names the item where it cannot be found. */
  readonly target: string;
  find(): Item;
}

export interface ItemWork<Item extends Nameable, Result> {
  readonly jobs: readonly Job<Item>[];
  perform(item: Item): Promise<Result>;
  /** A line for people. */
  describe(item: Item, result: Result): string;
}

/** How it went with one of them, for programs. */
export type Outcome =
  | { readonly id: string; readonly ok: true; readonly result: unknown }
  | ({ readonly target: string; readonly ok: false } & Failure['body']);

/** Does one thing to each item, one after the other, and says of each how it went. A failure does not keep the others from it. */
export async function eachItem<Item extends Nameable, Result>(
  { output }: CommandContext,
  { jobs, perform, describe }: ItemWork<Item, Result>,
): Promise<{ exitCode: ExitCode; outcomes: Outcome[] }> {
  const exitCodes: ExitCode[] = [];
  const outcomes: Outcome[] = [];
  const done = new Set<string>();
  for (const { target, find } of jobs) {
    try {
      const item = find();
      if (done.has(item.id)) continue;
      done.add(item.id);
      const result = await perform(item);
      output.line(describe(item, result));
      outcomes.push({ id: item.id, ok: true, result });
    } catch (error) {
      const failure = failureOf(error);
      exitCodes.push(failure.exitCode);
      outcomes.push({ target, ok: false, ...failure.body });
      output.note(`maestro: ${printableLines(failure.message)}`);
    }
  }
  const exitCode = jobs.length === 1 ? (exitCodes[0] ?? EXIT.done) : exitCodes.length === 0 ? EXIT.done : EXIT.failed;
  return { exitCode, outcomes };
}
