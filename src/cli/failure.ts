import { CliError } from './cli-error.js';
import { EXIT, type ExitCode } from './exit-code.js';

/** What is told of a failure: as text, as JSON in the API's own form, and as an exit code. */
export interface Failure {
  readonly message: string;
  readonly body: { readonly error: { readonly code: string; readonly message: string; readonly details?: unknown } };
  readonly exitCode: ExitCode;
}

/**
 * Errors of the API are told by their name, not by their class: importing the class would load all schemas also for a wrong option.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof CliError) return failure(error.code, error, error.exitCode);
  if (!(error instanceof Error)) return failure('internal', { message: String(error) }, EXIT.failed);
  const { code, reason } = error as { code?: unknown; reason?: unknown };
  if (error.name === 'MaestroError') return failure(String(code), error, code === 'not_found' ? EXIT.noSession : EXIT.failed);
  if (error.name === 'UnreachableError') {
    return reason === 'refused' ? failure('daemon_not_running', error, EXIT.notRunning) : failure('unreachable', error, EXIT.failed);
  }
  const trace = process.env.MAESTRO_DEBUG ? (error.stack ?? error.message) : error.message;
  return failure('internal', { message: `${trace} (this is a bug of maestro; MAESTRO_DEBUG=1 shows where)` }, EXIT.failed);
}

function failure(code: string, error: { message: string; details?: unknown }, exitCode: ExitCode): Failure {
  const { message, details } = error;
  return { message, exitCode, body: { error: details === undefined ? { code, message } : { code, message, details } } };
}
