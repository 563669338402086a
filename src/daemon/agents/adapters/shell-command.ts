/** One word of shell text. */
export interface ShellWord {
  /** As it stands in the source, with its quotes. */
  readonly text: string;
  /** What the program gets, with NUL in place of each expansion and a leading `~` left as it is. */
  readonly value: string;
  /** True when `value` is exactly what the program gets. */
  readonly isLiteral: boolean;
  /** Where the word ends in the source. */
  readonly end: number;
}

/** One program with its arguments, and nothing that could start another one. */
export interface SimpleCommand {
  readonly source: string;
  /** `NAME=value` in front of the program. */
  readonly assignments: readonly ShellWord[];
  readonly program: ShellWord;
  readonly arguments: readonly ShellWord[];
}

interface Piece {
  readonly length: number;
  readonly value: string;
  readonly isLiteral?: boolean;
}

const EXPANSION = '\0';
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=/;
/** Between double quotes. A substitution counts only if it is so plain that its end is certain. */
const QUOTED_EXPANSION = /\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]|\{[A-Za-z_][A-Za-z0-9_]*\}|\([^()'"\\`$#]*\))/y;
const PLAIN_DOLLAR = /\$(?=[\s%,./:;=+)\]|<>~^&-]|$)/y;
const UNQUOTED = /[A-Za-z0-9_@%+=:,./^~!\]#\u0080-\u{10ffff}-]+/uy;

/**
 * Reads POSIX shell text that is a single program with its arguments, behind assignments and `exec` or `env` where there are any.
 *
 * Undefined for all else: operators, redirections, and unquoted expansions, globs and braces, which may become several words or none.
 * It is right to be undefined too often: such a command is run as the user wrote it, with nothing added.
 */
export function readSimpleCommand(source: string): SimpleCommand | undefined {
  const words = readWords(source);
  if (words === undefined) return undefined;
  let at = words.findIndex((word) => !ASSIGNMENT.test(word.text));
  const assignments = words.slice(0, Math.max(at, 0));
  if (isWord(words[at], 'exec')) at += 1;
  if (isWord(words[at], 'env')) {
    at += 1;
    for (let word = words[at]; word && ASSIGNMENT.test(word.text); word = words[at]) {
      assignments.push(word);
      at += 1;
    }
  }
  const program = words[at];
  if (program === undefined || program.value.startsWith('-') || ASSIGNMENT.test(program.text)) return undefined;
  return { source, assignments, program, arguments: words.slice(at + 1) };
}

/** The last component of the program's path; undefined when an expansion decides it. */
export function programName({ program }: SimpleCommand): string | undefined {
  const name = program.value.slice(program.value.lastIndexOf('/') + 1);
  return name.includes(EXPANSION) ? undefined : name;
}

/** The literal variables that the command sets for its program. */
export function assignedVariables({ assignments }: SimpleCommand): Record<string, string | undefined> {
  const entries = assignments.map(({ value, isLiteral }) => {
    const split = value.indexOf('=');
    return [value.slice(0, split), isLiteral ? value.slice(split + 1) : undefined] as const;
  });
  return Object.fromEntries(entries);
}

function isWord(word: ShellWord | undefined, text: string): boolean {
  return word?.value === text && word.isLiteral;
}

function readWords(source: string): ShellWord[] | undefined {
  const words: ShellWord[] = [];
  let isPrefix = true;
  let at = skipSpace(source, /^[ \t\n]*/.exec(source)?.[0].length ?? 0);
  while (at < source.length) {
    // Behind the end of a line another command could follow.
    if (source[at] === '\n') return /^[ \t\n]*$/.test(source.slice(at)) && words.length > 0 ? words : undefined;
    const word = readWord(source, at, isPrefix);
    if (word === undefined) return undefined;
    words.push(word);
    isPrefix &&= ASSIGNMENT.test(word.text);
    at = skipSpace(source, word.end);
  }
  return words.length === 0 ? undefined : words;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (true) {
    if (text[at] === ' ' || text[at] === '\t') at += 1;
    else if (text.startsWith('\\\n', at)) at += 2;
    else return at;
  }
}

function readWord(text: string, start: number, isPrefix: boolean): ShellWord | undefined {
  if (text[start] === '#') return undefined;
  let value = '';
  let isLiteral = text[start] !== '~';
  let at = start;
  while (at < text.length && !' \t\n'.includes(text[at] ?? '')) {
    const isValue = isPrefix && text[at] === '$' && ASSIGNMENT.test(text.slice(start, at));
    const piece = isValue ? expansion(text, at) : readPiece(text, at);
    if (piece === undefined) return undefined;
    value += piece.value;
    isLiteral &&= piece.isLiteral ?? true;
    at += piece.length;
  }
  // An assignment's value may begin with a home directory anywhere between colons.
  if (ASSIGNMENT.test(value) && /[=:]~/.test(value)) isLiteral = false;
  return { text: text.slice(start, at), value, isLiteral, end: at };
}

function readPiece(text: string, at: number): Piece | undefined {
  const character = text[at];
  if (text.startsWith('\\\n', at)) return { length: 2, value: '' };
  if (character === '\\') return escaped(text, at);
  if (character === "'") return singleQuoted(text, at);
  if (character === '"') return doubleQuoted(text, at);
  const plain = match(UNQUOTED, text, at);
  return plain === undefined ? undefined : { length: plain.length, value: plain };
}

function escaped(text: string, at: number): Piece | undefined {
  const point = text.codePointAt(at + 1);
  if (point === undefined) return undefined;
  const value = String.fromCodePoint(point);
  return { length: 1 + value.length, value };
}

function singleQuoted(text: string, at: number): Piece | undefined {
  const end = text.indexOf("'", at + 1);
  return end < 0 ? undefined : { length: end + 1 - at, value: text.slice(at + 1, end) };
}

function doubleQuoted(text: string, start: number): Piece | undefined {
  let value = '';
  let isLiteral = true;
  let at = start + 1;
  while (at < text.length && text[at] !== '"') {
    const piece = readQuotedPiece(text, at);
    if (piece === undefined) return undefined;
    value += piece.value;
    isLiteral &&= piece.isLiteral ?? true;
    at += piece.length;
  }
  return at < text.length ? { length: at + 1 - start, value, isLiteral } : undefined;
}

function readQuotedPiece(text: string, at: number): Piece | undefined {
  const [character, next] = [text[at] ?? '', text[at + 1] ?? ''];
  if (character === '\\') {
    if (next === '\n') return { length: 2, value: '' };
    return '$`"\\'.includes(next) && next !== '' ? { length: 2, value: next } : { length: 1, value: character };
  }
  if (character === '`') return undefined;
  if (character !== '$') return { length: 1, value: character };
  return next === '"' || match(PLAIN_DOLLAR, text, at) !== undefined ? { length: 1, value: '$' } : expansion(text, at);
}

function expansion(text: string, at: number): Piece | undefined {
  const whole = match(QUOTED_EXPANSION, text, at);
  return whole === undefined ? undefined : { length: whole.length, value: EXPANSION, isLiteral: false };
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
