import { EXIT, type ExitCode } from './exit-code.js';

/** What the command itself refuses, beside the codes of the API. */
export type CliErrorCode = 'usage' | 'daemon_not_running' | 'not_found' | 'ambiguous' | 'failed';

const EXIT_OF: Readonly<Record<CliErrorCode, ExitCode>> = {
  usage: EXIT.usage,
  daemon_not_running: EXIT.notRunning,
  not_found: EXIT.noSession,
  ambiguous: EXIT.noSession,
  failed: EXIT.failed,
};

/** An expected failure with a message for the user. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: CliErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: CliErrorCode, message: string, options: { details?: Readonly<Record<string, unknown>>; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
  }

  get exitCode(): ExitCode {
    return EXIT_OF[this.code];
  }
}
