/** What one check of `maestro doctor` found. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly text: string;
  /** What to do about it. */
  readonly fix?: string;
}

export function ok(check: string, text: string): Finding {
  return { check, status: 'ok', text };
}

export function warn(check: string, text: string, fix?: string): Finding {
  return fix === undefined ? { check, status: 'warn', text } : { check, status: 'warn', text, fix };
}

export function fail(check: string, text: string, fix?: string): Finding {
  return fix === undefined ? { check, status: 'fail', text } : { check, status: 'fail', text, fix };
}
