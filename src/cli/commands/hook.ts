import { becomeReporter } from '../hook/hook-process.js';

/** The same as `node dist/cli/hook.cjs`, for hooks that are written by hand. The process ends when that is done. */
export function hook(words: readonly string[]): Promise<never> {
  becomeReporter(words);
  return new Promise<never>(() => undefined);
}
