import type { CommandContext } from '../command-context.js';

/** Runs a command and answers its exit code. Commands are loaded when they run: each brings libraries that others do not need. */
export type Run = (perform: (context: CommandContext) => Promise<number>) => Promise<void>;
