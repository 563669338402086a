import { z } from 'zod';
import { EnvSchema, PlainTextSchema } from '../../../protocol/index.js';
import { portOffsets } from './port-placeholder.js';

/** How many ports a worktree gets when its repository does not say. */
const DEFAULT_PORTS = 10;

const ScriptSchema = z
  .union([PlainTextSchema, z.array(PlainTextSchema)], { error: 'expected text, or a list of texts' })
  .transform((script) => (typeof script === 'string' ? script : listed(script)))
  .transform((script) => (script.trim() === '' ? undefined : script));

/** The lines of a list stand for themselves: the first that fails is the last that runs. */
function listed(lines: readonly string[]): string {
  return lines.length === 0 ? '' : ['set -e', ...lines].join('\n');
}

const PatternSchema = PlainTextSchema.refine((pattern) => pattern.trim() !== '', 'must not be empty').refine(
  (pattern) => !/[\r\n]/.test(pattern),
  'must be one line',
);

/** `.maestro/config.toml` in a repository. */
export const ProjectConfigSchema = z
  .strictObject({
    setup: ScriptSchema.optional(),
    teardown: ScriptSchema.optional(),
    copy: z.array(PatternSchema, { error: 'expected a list of patterns' }).max(1000).default([]),
    env: EnvSchema.default({}),
    ports: z.int({ error: 'expected a whole number' }).min(0, 'must be 0 to 100').max(100, 'must be 0 to 100').default(DEFAULT_PORTS),
  })
  .superRefine(({ env, ports }, context) => {
    for (const [name, value] of Object.entries(env)) {
      const beyond = portOffsets(value).find((offset) => offset >= ports);
      if (beyond === undefined) continue;
      const message = `uses {port${beyond === 0 ? '' : `+${beyond}`}}, but a worktree has ${ports} ports here; raise ports`;
      context.addIssue({ code: 'custom', path: ['env', name], message });
    }
  });
export type ProjectConfig = z.output<typeof ProjectConfigSchema>;
