/**
 * Controls, halves of surrogate pairs, line separators, and what has no ink or turns the direction of the text around it. Joiners are none
 * of them, as scripts and emoji need those.
 */
const UNSAFE = /(?![\u200c\u200d])[\p{Cc}\p{Cs}\p{Cf}\u2028\u2029]/gu;

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Text from elsewhere on one line, its unsafe characters shown as escapes, so that a terminal acts on none of them and none hides. */
export function printable(text: string): string {
  return text.replace(UNSAFE, escaped);
}

function escaped(character: string): string {
  const named = NAMED[character];
  if (named !== undefined) return named;
  const point = character.codePointAt(0) ?? 0;
  return point < 0x100 ? `\\x${point.toString(16).padStart(2, '0')}` : `\\u{${point.toString(16)}}`;
}

/** As {@link printable}, but line breaks and tabs stay. */
export function printableLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.split('\t').map(printable).join('\t'))
    .join('\n');
}

/** A template whose values are made {@link printable}. */
export function safe(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return parts.map((part, at) => part + printable(String(values[at] ?? ''))).join('');
}
