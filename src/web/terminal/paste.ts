/**
 * Pasted text as it may be typed: an ESC in it could end the bracket that tells a program "this is pasted", and what follows would count
 * as typed. It is shown as a picture of itself instead.
 */
export function pasteable(text: string): string {
  return text.replaceAll('\u001b', '\u241b');
}

/** Its lines, without the end of the last one. */
export function linesOf(text: string): string[] {
  return text.replace(/\r?\n$|\r$/, '').split(/\r\n|\r|\n/);
}

/** A program that does not know of pasting would take each line for a command of its own, and run it. */
export function runsAtOnce(text: string, isBracketed: boolean): boolean {
  return !isBracketed && linesOf(text).length > 1;
}

/** The same words on one line, which waits for Enter. */
export function onOneLine(text: string): string {
  return linesOf(text)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}
