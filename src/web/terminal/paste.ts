/**
 * Pasted text as it may be typed: an ESC in it could end the bracket that tells a program "this is pasted", and what follows would count
 * as typed. It is shown as a picture of itself instead.
 */
export function pasteable(text: string): string {
  return text.replaceAll('\u001b', '\u241b');
}
