import { z } from 'zod';

/** The metadata key that holds a session's display name. */
export const NAME_KEY = 'name';

/** The longest display name, in Unicode code points. */
export const NAME_LIMIT = 200;

const INVISIBLE = /^[\p{C}\p{Z}\p{M}]*$/u;
/** Controls, lone surrogates, line and paragraph separators, and the marks that reverse the direction of the text around them. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** A display name: trimmed, in Unicode form NFC, visible, on one line. It is shown to people and never reaches tmux, git or a path. */
export const NameSchema = z
  .string()
  .transform((name) => name.normalize('NFC').trim())
  .pipe(
    z
      .string()
      .refine((name) => [...name].length <= NAME_LIMIT, `must have at most ${NAME_LIMIT} characters`)
      .refine((name) => !FORBIDDEN.test(name), 'must not contain control or text-direction characters')
      .refine((name) => !INVISIBLE.test(name), 'must contain a visible character'),
  );
