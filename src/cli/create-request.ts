import { type CreateSessionRequest, NAME_KEY, SIZE_LIMITS, type Size } from '../protocol/index.js';
import { CliError } from './cli-error.js';
import { commandText } from './shell-quote.js';

/** Where a session runs: in a directory, or in a worktree that is made for it. */
export type Place = Pick<CreateSessionRequest, 'cwd' | 'worktree'>;

export interface NewOptions {
  readonly name?: string;
  readonly preset?: string;
  readonly prompt?: string;
  readonly env?: readonly string[];
  readonly size?: string;
}

/** The request that `maestro new` sends. `ownEnv` gives the values of `--env NAME`. */
export function createRequest(
  place: Place,
  words: readonly string[],
  { options, ownEnv }: { options: NewOptions; ownEnv: Readonly<Record<string, string | undefined>> },
): CreateSessionRequest {
  const command = commandText(words);
  const { name, preset, prompt, env = [], size } = options;
  if (command === undefined && preset === undefined) {
    throw new CliError(
      'usage',
      'nothing to run: give a command behind --, such as `maestro new -- bash`, or a --preset (see `maestro presets`)',
    );
  }
  return {
    ...place,
    ...(command === undefined ? {} : { command }),
    ...(preset === undefined ? {} : { preset }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(name === undefined ? {} : { metadata: { [NAME_KEY]: name } }),
    ...(env.length === 0 ? {} : { env: parseEnv(env, ownEnv) }),
    ...(size === undefined ? {} : { size: parseSize(size) }),
  };
}

/** `NAME=value` as given, `NAME` with the value it has here. */
export function parseEnv(given: readonly string[], ownEnv: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = given.map((text): [string, string] => {
    const equals = text.indexOf('=');
    if (equals >= 0) return [text.slice(0, equals), text.slice(equals + 1)];
    const value = ownEnv[text];
    if (value === undefined) throw new CliError('usage', `--env ${text}: ${text} is not set here; give ${text}=value`);
    return [text, value];
  });
  return Object.fromEntries(entries);
}

/** `COLSxROWS`, such as `120x40`. */
export function parseSize(text: string): Size {
  const match = /^(\d{1,4})x(\d{1,4})$/i.exec(text.trim());
  const size = { cols: Number(match?.[1]), rows: Number(match?.[2]) };
  const { minCols, maxCols, minRows, maxRows } = SIZE_LIMITS;
  const fits = size.cols >= minCols && size.cols <= maxCols && size.rows >= minRows && size.rows <= maxRows;
  if (fits) return size;
  throw new CliError('usage', `--size ${text}: give COLSxROWS from ${minCols}x${minRows} to ${maxCols}x${maxRows}, such as 120x40`);
}

/** The nearest size that a session may have. */
export function clampSize({ cols, rows }: Size): Size {
  const { minCols, maxCols, minRows, maxRows } = SIZE_LIMITS;
  return { cols: Math.min(maxCols, Math.max(minCols, cols)), rows: Math.min(maxRows, Math.max(minRows, rows)) };
}
