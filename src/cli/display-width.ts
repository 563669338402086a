/** Wide by the Unicode East Asian Width table, emoji left to {@link EMOJI}. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}\u115f-\u11ff]+$/u;
/** Latin, and the signs that Maestro itself draws: one column per character, which saves loading the tables of a segmenter. */
const PLAIN = /^[ -~\u00a1-\u00ac\u00ae-\u02ff…●◐○◌✕]*$/;

let segmenter: Intl.Segmenter | undefined;

function graphemesOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** How many columns `text` takes in a terminal. Characters of ambiguous width count as narrow. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return graphemesOf(text).reduce((width, grapheme) => width + graphemeWidth(grapheme), 0);
}

function graphemeWidth(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0;
  return EMOJI.test(grapheme) || WIDE.test(grapheme) ? 2 : 1;
}

/** `text` in at most `width` columns; what is left out at its end, or at its start, shows as `…`. */
export function fitWidth(text: string, width: number, leaveOut: 'end' | 'start' = 'end'): string {
  if (displayWidth(text) <= width) return text;
  if (width < 1) return '';
  const pieces = PLAIN.test(text) ? [...text] : graphemesOf(text);
  if (leaveOut === 'start') pieces.reverse();
  const kept: string[] = [];
  let left = width - 1;
  for (const piece of pieces) {
    left -= graphemeWidth(piece);
    if (left < 0) break;
    kept.push(piece);
  }
  return leaveOut === 'end' ? `${kept.join('')}…` : `…${kept.reverse().join('')}`;
}

/** `text` followed by spaces up to `width` columns. */
export function padWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}
