import { common, createLowlight } from 'lowlight';
import { type Token, tokenLines } from './token-lines.js';

const lowlight = createLowlight(common);

/** The coloured lines of a text; undefined where its language is not known. This module is large: import it when there is a text. */
export function colorText(text: string, language: string): readonly (readonly Token[])[] | undefined {
  return lowlight.registered(language) ? tokenLines(lowlight.highlight(language, text)) : undefined;
}
