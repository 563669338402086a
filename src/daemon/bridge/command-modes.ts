import { MOST_TITLE_BYTES, type TerminalModes } from './terminal-modes.js';

const MOST_LINK_LENGTH = 1024;
const MOST_COLOR_LENGTH = 64;
const CONTROL_CHARACTERS = /\p{Cc}/gu;

/** What an operating system command (OSC) changes, by its payload. What is too long to be kept counts as not set. */
export function modesOfCommand(payload: string, modes: TerminalModes): Partial<TerminalModes> | undefined {
  const [, number, rest = ''] = /^(\d{1,4})(?:;(.*))?$/su.exec(payload) ?? [];
  if (number === undefined) return undefined;
  const text = rest.replace(CONTROL_CHARACTERS, '');
  switch (Number(number)) {
    case 0:
    case 2:
      return { title: cut(text) };
    case 8:
      return modesOfLink(text);
    case 10:
    case 11:
    case 12:
      return withColors(modes, Number(number) - 10, text.split(';'));
    case 110:
    case 111:
    case 112:
      return withColors(modes, Number(number) - 110, ['']);
    default:
      return undefined;
  }
}

/** `params;uri`, where an empty uri ends the link. Without the semicolon it is malformed, and terminals pass over it. */
function modesOfLink(text: string): Partial<TerminalModes> | undefined {
  const uriAt = text.indexOf(';') + 1;
  if (uriAt === 0) return undefined;
  return { link: uriAt === text.length || text.length > MOST_LINK_LENGTH ? '' : text };
}

/** Each further field is for the next colour. */
function withColors({ colors }: TerminalModes, first: number, fields: readonly string[]): Partial<TerminalModes> {
  const changed = colors.map((color, index) => {
    const field = fields[index - first];
    return field === undefined || field === '?' || field.length > MOST_COLOR_LENGTH ? color : field;
  });
  return { colors: [changed[0] ?? '', changed[1] ?? '', changed[2] ?? ''] };
}

/** The longest start of `title` that fits, in whole characters. */
function cut(title: string): string {
  const bytes = Buffer.from(title);
  if (bytes.length <= MOST_TITLE_BYTES) return title;
  let end = MOST_TITLE_BYTES;
  while (((bytes[end] as number) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString();
}
