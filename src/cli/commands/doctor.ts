import type { CommandContext } from '../command-context.js';
import { daemonFindings } from '../doctor/daemon-checks.js';
import type { Finding } from '../doctor/finding.js';
import { hostFindings } from '../doctor/host-checks.js';
import { stateFindings } from '../doctor/state-checks.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { safe } from '../printable.js';

const MARKS = {
  ok: { word: 'ok  ', style: 'green' },
  warn: { word: 'warn', style: 'yellow' },
  fail: { word: 'FAIL', style: 'red' },
} as const;

/** Looks at all that Maestro needs. Exits with 1 when something keeps it from working. */
export async function doctor({ stateDir, env, output }: CommandContext): Promise<ExitCode> {
  const groups = await Promise.all([hostFindings(env), stateFindings(stateDir), daemonFindings(stateDir)]);
  const findings = groups.flat();
  for (const { check, status, text, fix } of findings) {
    const { word, style } = MARKS[status];
    output.line(`${output.style(style, word)}  ${check.padEnd(12)}  ${safe`${text}`}`);
    if (fix !== undefined) output.line(safe`      ${' '.repeat(12)}  -> ${fix}`);
  }
  output.document({ ok: !hasFailed(findings), findings });
  return hasFailed(findings) ? EXIT.failed : EXIT.done;
}

function hasFailed(findings: readonly Finding[]): boolean {
  return findings.some(({ status }) => status === 'fail');
}
