import type { ITerminalAddon, IUnicodeVersionProvider, Terminal } from '@xterm/xterm';

const ZERO_WIDTH_JOINER = 0x200d;
/** xterm.js keeps width and joining in the low three bits of a character's properties; those above are the provider's own. */
const AFTER_JOINER = 1 << 3;
const JOINS = 1;
const WIDTH_BITS = 0b110;

const NARROW_CHARACTER = 0x41;
const WIDE_CHARACTER = 0x4e00;
/** What tmux draws in one column, first to last, and Unicode 11 otherwise. */
const NARROW = [
  [0x600, 0x605],
  [0x6dd, 0x6dd],
  [0x70f, 0x70f],
  [0x8e2, 0x8e2],
  [0x1734, 0x1734],
  [0x110bd, 0x110bd],
  [0x110cd, 0x110cd],
  [0x1f93b, 0x1f93b],
  [0x1f946, 0x1f946],
] as const;
/** The same for two columns: hexagrams, circled numbers, and what Unicode has added since. */
const WIDE = [
  [0x31bb, 0x31bf],
  [0x3248, 0x324f],
  [0x4dc0, 0x4dff],
  [0x16ff0, 0x16ff1],
  [0x18af3, 0x18cd5],
  [0x18d00, 0x18d08],
  [0x1aff0, 0x1affe],
  [0x1b11f, 0x1b122],
  [0x1f6d6, 0x1f6d8],
  [0x1f6dc, 0x1f6df],
  [0x1f6fb, 0x1f6fc],
  [0x1f7f0, 0x1f7f0],
  [0x1f90c, 0x1f90c],
  [0x1f972, 0x1f972],
  [0x1f977, 0x1f979],
  [0x1f9a3, 0x1f9a4],
  [0x1f9ab, 0x1f9ad],
  [0x1f9cb, 0x1f9cc],
  [0x1fa74, 0x1fa7c],
  [0x1fa83, 0x1fa8f],
  [0x1fa96, 0x1faff],
] as const;

/**
 * How many columns tmux gives a character: as Unicode 11 has it, with what came since, and a sequence of emoji joined by U+200D takes as
 * many as its first. Counted otherwise, all that a program draws further right on the line would be off.
 */
export class TmuxWidths implements IUnicodeVersionProvider {
  readonly version = 'tmux';
  readonly #base: IUnicodeVersionProvider;

  private constructor(base: IUnicodeVersionProvider) {
    this.#base = base;
  }

  /** Makes `terminal` count like tmux. `unicode11` is the addon of that name, whose table it takes. */
  static use(terminal: Pick<Terminal, 'unicode'>, unicode11: ITerminalAddon): void {
    const widths = TmuxWidths.from(unicode11);
    terminal.unicode.register(widths);
    terminal.unicode.activeVersion = widths.version;
  }

  /** The same for text that no terminal draws. */
  static from(unicode11: ITerminalAddon): TmuxWidths {
    return new TmuxWidths(providerOf(unicode11));
  }

  wcwidth(codepoint: number): 0 | 1 | 2 {
    return this.#base.wcwidth(standIn(codepoint));
  }

  charProperties(codepoint: number, preceding: number): number {
    // tmux joins no ASCII.
    if ((preceding & AFTER_JOINER) !== 0 && codepoint > 0x7f) {
      const joined = (preceding & WIDTH_BITS) | JOINS;
      return codepoint === ZERO_WIDTH_JOINER ? joined | AFTER_JOINER : joined;
    }
    const properties = this.#base.charProperties(standIn(codepoint), preceding);
    return codepoint === ZERO_WIDTH_JOINER && (properties & JOINS) !== 0 ? properties | AFTER_JOINER : properties;
  }
}

/** What the addon hands to the terminal that it is loaded into. */
function providerOf(addon: ITerminalAddon): IUnicodeVersionProvider {
  let found: IUnicodeVersionProvider | undefined;
  const register = (provider: IUnicodeVersionProvider) => {
    found = provider;
  };
  addon.activate({ unicode: { register } } as unknown as Terminal);
  if (found === undefined) throw new Error('The addon has no table of widths.');
  return found;
}

/** A character that has the width which `codepoint` has in tmux. */
function standIn(codepoint: number): number {
  if (codepoint < 0x600) return codepoint;
  if (isIn(WIDE, codepoint)) return WIDE_CHARACTER;
  return isIn(NARROW, codepoint) ? NARROW_CHARACTER : codepoint;
}

function isIn(ranges: readonly (readonly [number, number])[], codepoint: number): boolean {
  for (const [first, last] of ranges) if (codepoint <= last) return codepoint >= first;
  return false;
}
