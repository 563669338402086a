import { modifierCode } from '../../protocol/index.js';

/** Modifiers that a key of the key bar is pressed with. */
export interface Modifiers {
  readonly ctrl: boolean;
  readonly alt: boolean;
}

export const NO_MODIFIERS: Modifiers = { ctrl: false, alt: false };

export type ArrowKey = 'up' | 'down' | 'right' | 'left';

const ARROWS: Readonly<Record<ArrowKey, string>> = { up: 'A', down: 'B', right: 'C', left: 'D' };

/** What an arrow key sends (xterm, "PC-style function keys"). */
export function arrowSequence(key: ArrowKey, { ctrl, alt }: Modifiers, applicationCursor: boolean): string {
  const modifier = modifierCode({ shift: false, alt, ctrl });
  if (modifier > 1) return `\u001b[1;${modifier}${ARROWS[key]}`;
  return `\u001b${applicationCursor ? 'O' : '['}${ARROWS[key]}`;
}

/** What `text`, typed on a keyboard without such keys, sends when Ctrl or Alt is held. Only a single character can be held with them. */
export function withModifiers(text: string, { ctrl, alt }: Modifiers): string {
  if ([...text].length !== 1) return text;
  const key = ctrl ? controlOf(text) : text;
  return alt ? `\u001b${key}` : key;
}

function controlOf(character: string): string {
  const upper = character.toUpperCase();
  if (upper >= '@' && upper <= '_') return String.fromCharCode(upper.charCodeAt(0) & 0x1f);
  if (character === ' ') return '\0';
  return character === '?' ? '\u007f' : character;
}
