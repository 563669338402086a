/** Controls, text-direction marks, characters without width or ink, and tags; but not tabs and joiners, which scripts and emoji need. */
const UNSEEN = /(?![\t\u200c\u200d])(?:[\p{Cc}\p{Cs}\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5)/gu;

/**
 * Text that a program or a repository wrote, on one line and with nothing hidden in it: controls as the pictures that Unicode has of them
 * (`␊`), other unseen characters by their number (`[U+202E]`).
 */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const point = character.codePointAt(0) ?? 0;
    if (point < 0x20) return String.fromCodePoint(0x2400 + point);
    return point === 0x7f ? '\u2421' : `[U+${point.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}
