import { z } from 'zod';
import { SpawnPresetSchema } from '../../protocol/index.js';
import { expandHome } from './home-path.js';

/** An override writes an empty text to take an optional field away, such as the executable that a built-in preset looks for. */
const absent = z.literal('');

/**
 * One entry of the config's `[[presets]]`. With the id of a built-in preset it changes the fields that it gives and no others; any
 * other id makes a new preset and needs a command.
 */
export function presetOverrideSchema(home: string) {
  const { id, resume_command, executable, install } = SpawnPresetSchema.shape;
  const place = executable.unwrap().transform((name) => expandHome(name, home) ?? name);
  return SpawnPresetSchema.partial().extend({
    id,
    resume_command: absent.or(resume_command.unwrap()).optional(),
    executable: absent.or(place).optional(),
    install: absent.or(install.unwrap()).optional(),
  });
}

export type PresetOverride = Readonly<z.infer<ReturnType<typeof presetOverrideSchema>>>;
