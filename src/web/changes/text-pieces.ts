import { visibleText } from '../parts/visible-text.js';

/** A part of a text: what can be read, or one character that would not be seen, or would change how the text around it reads. */
export interface TextPiece {
  readonly text: string;
  /** The character's code point, such as `U+202E`. */
  readonly hidden?: string;
}

/** Cuts a text where something in it does not show by itself. */
export function visiblePieces(text: string): readonly TextPiece[] {
  if (visibleText(text) === text) return text === '' ? [] : [{ text }];
  const pieces: TextPiece[] = [];
  let readable = '';
  for (const character of text) {
    const shown = visibleText(character);
    if (shown === character) readable += character;
    else {
      if (readable !== '') pieces.push({ text: readable });
      pieces.push({ text: shown, hidden: codePointName(character) });
      readable = '';
    }
  }
  return readable === '' ? pieces : [...pieces, { text: readable }];
}

function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
