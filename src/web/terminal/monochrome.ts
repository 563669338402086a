/** The colour of the 256 that stands for every background in {@link monochrome}. */
export const HIGHLIGHT_COLOR = 16;

const SGR = /\u001b\[([0-9;:]*)m/g;
const BRIGHT_BLACK = 90;
/** Faint text is half as bright, which is too little on one ink: it becomes the paler grey. */
const FAINT = 2;
const NEITHER_BOLD_NOR_FAINT = 22;

/**
 * Output of a program that sleeps, in one ink: no hue, and still what was bold, faint, reversed or set off from the rest. Colours that are
 * named by number or by value keep no more than that they are there.
 */
export function monochrome(output: Uint8Array): Uint8Array {
  const text = latin1(output);
  return bytesOf(text.replace(SGR, (_, parameters: string) => `\u001b[${inOneInk(parameters.split(';'))}m`));
}

function inOneInk(parameters: readonly string[]): string {
  const kept: string[] = [];
  for (let at = 0; at < parameters.length; at += 1) {
    const parameter = parameters[at] ?? '';
    const [code = ''] = parameter.split(':');
    kept.push(...inkOf(Number(code), parameter));
    if (isExtended(code) && parameter === code) at += parameters[at + 1] === '2' ? 4 : 2; // 38;2;R;G;B or 38;5;N
  }
  return kept.join(';');
}

function isExtended(code: string): boolean {
  return code === '38' || code === '48' || code === '58';
}

function inkOf(code: number, parameter: string): string[] {
  if (code === BRIGHT_BLACK) return [parameter];
  if (code === FAINT) return [String(BRIGHT_BLACK)];
  if (code === NEITHER_BOLD_NOR_FAINT) return [parameter, '39'];
  if ((code >= 30 && code <= 38) || (code > 90 && code <= 97)) return ['39'];
  if ((code >= 40 && code <= 48) || (code >= 100 && code <= 107)) return ['48', '5', String(HIGHLIGHT_COLOR)];
  return code === 58 ? ['59'] : [parameter];
}

function latin1(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  return parts.join('');
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
