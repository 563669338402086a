import { APC, DCS, OSC, type VtParser } from './vt-parser.js';

const SEMICOLON = 0x3b;
const EQUALS = 0x3d;
const QUESTION = 0x3f;

/**
 * A query and the `end_mark`, which Maestro's own wrapper puts behind the program's last byte, are removed. What follows the head of a
 * `passthrough` is data for tmux.
 */
export type Decision = 'plain' | 'query' | 'end_mark' | 'passthrough';

export interface StringJudge {
  /** Takes one payload byte, and decides or leaves it `open`. Never called again once it has decided. */
  put(byte: number): Decision | 'open';
  /** The string has ended. */
  end(): Decision;
}

/** Judges by the head alone, or gives the judge for the payload. `endMark` is the payload of the mark to find. */
export function judgeString(parser: VtParser, endMark: string | undefined): Decision | StringJudge {
  if (parser.kind === OSC) return new OscJudge(endMark);
  if (parser.kind === APC) return new TextJudge(KITTY_GRAPHICS);
  if (parser.kind !== DCS || parser.prefix !== 0) return 'plain';
  const asked = String.fromCharCode(parser.intermediates, parser.final);
  if (asked === '$q' || asked === '+q' || asked === '+Q') return 'query'; // DECRQSS, XTGETTCAP, XTGETXRES
  return asked === '\0t' && parser.count === 0 ? new TextJudge(TMUX_PASSTHROUGH) : 'plain';
}

/** Decides once: at the end, at `decideAt`, past `limit` characters, or at a first character that is not `first`. */
interface TextRule {
  readonly query: RegExp;
  readonly first?: string;
  readonly decideAt?: string;
  readonly limit: number;
  readonly decision?: Decision;
}

const KITTY_GRAPHICS: TextRule = { query: /^G(?:[^;]*,)?a=q(?:[,;]|$)/, first: 'G', decideAt: ';', limit: 1024 };
const TMUX_PASSTHROUGH: TextRule = { query: /^mux;$/, first: 'm', decideAt: ';', limit: 4, decision: 'passthrough' };
const FEATURES: TextRule = { query: /^/, limit: 64 };
const OSC_RULES: ReadonlyMap<number, TextRule> = new Map([
  [22, { query: /^\?/, first: '?', limit: 256 }], // kitty pointer shape
  [60, FEATURES], // XTQALLOWED, XTQDISALLOWED
  [61, FEATURES],
  [99, { query: /^(?:[^;]*:)?p=\?/, decideAt: ';', limit: 256 }], // kitty notifications
  [1337, { query: /^Report(?:CellSize|Variable)/, first: 'R', limit: 256 }], // iTerm2
  [5522, { query: /^(?:[^;]*:)?type=read/, decideAt: ';', limit: 256 }], // kitty clipboard
]);
/** Numbers under which a field of `?` asks for the value: colours, font, context. */
const OSC_WITH_FIELDS: ReadonlySet<number> = new Set([4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 50, 7501]);
const OSC_CLIPBOARD = 52;
const OSC_END_MARK = 7750;

/** Bytes that terminals skip inside a string, and that must not hide a query. */
function isSkipped(byte: number): boolean {
  return byte < 0x20 || byte > 0x7e;
}

class TextJudge implements StringJudge {
  readonly #rule: TextRule;
  #text = '';

  constructor(rule: TextRule) {
    this.#rule = rule;
  }

  put(byte: number): Decision | 'open' {
    if (isSkipped(byte)) return 'open';
    const { first, decideAt, limit } = this.#rule;
    const character = String.fromCharCode(byte);
    if (this.#text === '' && first !== undefined && character !== first) return 'plain';
    this.#text += character;
    return character === decideAt || this.#text.length > limit ? this.end() : 'open';
  }

  end(): Decision {
    return this.#rule.query.test(this.#text) ? (this.#rule.decision ?? 'query') : 'plain';
  }
}

/** A field that is `?`, or ends in `=?`, asks. */
class FieldsJudge implements StringJudge {
  #asks = false;
  #length = 0;
  #last = 0;
  #lastButOne = 0;

  put(byte: number): 'open' {
    if (isSkipped(byte)) return 'open';
    if (byte === SEMICOLON) this.#endField();
    else {
      this.#length += 1;
      this.#lastButOne = this.#last;
      this.#last = byte;
    }
    return 'open';
  }

  end(): Decision {
    this.#endField();
    return this.#asks ? 'query' : 'plain';
  }

  #endField(): void {
    if (this.#last === QUESTION && (this.#length === 1 || this.#lastButOne === EQUALS)) this.#asks = true;
    this.#length = this.#last = this.#lastButOne = 0;
  }
}

/** A clipboard is read by `selection;?`. A write is let go at its first byte, as it can be long. */
class ClipboardJudge implements StringJudge {
  #state: 'selection' | 'data' | 'asked' = 'selection';

  put(byte: number): 'plain' | 'open' {
    if (isSkipped(byte)) return 'open';
    if (this.#state === 'selection') {
      if (byte === SEMICOLON) this.#state = 'data';
    } else if (this.#state === 'data' && byte === QUESTION) this.#state = 'asked';
    else return 'plain';
    return 'open';
  }

  end(): Decision {
    return this.#state === 'asked' ? 'query' : 'plain';
  }
}

/** Reads the number of an operating system command and hands the rest to the judge for it. */
class OscJudge implements StringJudge {
  readonly #endMark: string | undefined;
  #number = 0;
  #digits = 0;
  #rest: StringJudge | undefined;

  constructor(endMark: string | undefined) {
    this.#endMark = endMark;
  }

  put(byte: number): Decision | 'open' {
    if (this.#rest !== undefined) return this.#rest.put(byte);
    if (isSkipped(byte)) return 'open';
    if (byte >= 0x30 && byte <= 0x39) {
      this.#digits += 1;
      this.#number = this.#number * 10 + byte - 0x30;
      return this.#number > 99_999 ? 'plain' : 'open';
    }
    this.#rest = byte === SEMICOLON && this.#digits > 0 ? this.#judge() : undefined;
    return this.#rest === undefined ? 'plain' : 'open';
  }

  end(): Decision {
    return (this.#rest ?? this.#judge())?.end() ?? 'plain';
  }

  #judge(): StringJudge | undefined {
    if (OSC_WITH_FIELDS.has(this.#number)) return new FieldsJudge();
    if (this.#number === OSC_CLIPBOARD) return new ClipboardJudge();
    if (this.#number === OSC_END_MARK && this.#endMark !== undefined) return new TextJudge(markRule(this.#endMark));
    const rule = OSC_RULES.get(this.#number);
    return rule === undefined ? undefined : new TextJudge(rule);
  }
}

/** `mark` holds letters, digits, `-` and `;` only. */
function markRule(mark: string): TextRule {
  return { query: new RegExp(`^${mark}$`), first: mark.charAt(0), limit: mark.length, decision: 'end_mark' };
}
