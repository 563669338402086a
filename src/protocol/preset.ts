import { z } from 'zod';
import { CommandSchema } from './requests.js';

/** What a resume command writes where the agent's conversation id goes. */
export const AGENT_SESSION_PLACEHOLDER = '{agent_session}';

/** How to start and resume one kind of agent: data only, from Maestro or from the config's `[[presets]]`. */
export const SpawnPresetSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must match [a-z0-9][a-z0-9_-]{0,63}'),
  label: z.string().min(1).max(100),
  command: CommandSchema,
  /** Run on resume when the session knows its agent's conversation id; `{agent_session}` stands for that id. */
  resume_command: CommandSchema.optional(),
  /** The program that must be found before a session is made; absent when the command needs nothing but `/bin/sh`. */
  executable: z.string().min(1).max(255).optional(),
  /** How to get the executable, shown when it is missing. */
  install: z.string().min(1).max(500).optional(),
});
export type SpawnPreset = z.infer<typeof SpawnPresetSchema>;

/** A preset as this host sees it. */
export const HostPresetSchema = SpawnPresetSchema.extend({
  installed: z.boolean(),
  /** Where its executable was found. */
  path: z.string().optional(),
  /** A session of it can be made with a first prompt. */
  takes_prompt: z.boolean(),
});
export type HostPreset = z.infer<typeof HostPresetSchema>;
