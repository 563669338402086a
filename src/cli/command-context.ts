import type { Output } from './output.js';

/** What every command is handed. */
export interface CommandContext {
  readonly stateDir: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly output: Output;
}
