import { parse } from 'smol-toml';

type Path = readonly PropertyKey[];

const nameOf = (path: Path) => JSON.stringify(path.map(String));

/**
 * Finds the lines of keys and values in a document that the TOML parser has accepted, as the parser itself keeps no positions.
 *
 * The answer to a path that the document does not hold, such as a key that is missing, is the line of the innermost table or list
 * around it.
 */
export function locateToml(text: string): (path: Path) => number {
  const lines = new TomlLines(text).read();
  return (path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const line = lines.get(nameOf(path.slice(0, length)));
      if (line !== undefined) return line;
    }
    return 1;
  };
}

/** Walks the document once. It only has to tell keys, values and what lies between them apart: what is not TOML never gets here. */
class TomlLines {
  readonly #text: string;
  #at = 0;
  #line = 1;
  readonly #lines = new Map<string, number>();
  /** How many tables each array of tables has so far. */
  readonly #counts = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  read(): ReadonlyMap<string, number> {
    let table: Path = [];
    for (this.#skip(); this.#at < this.#text.length; this.#skip()) {
      if (this.#peek() === '[') table = this.#header();
      else this.#pair(table);
    }
    return this.#lines;
  }

  #header(): Path {
    const line = this.#line;
    const isList = this.#take(/\[\[?/y) === '[[';
    const keys = this.#keys();
    this.#take(/\]\]?/y);
    let path: Path = [];
    for (const [index, key] of keys.entries()) path = this.#innermost([...path, key], isList && index === keys.length - 1);
    this.#note(path, line);
    return path;
  }

  /** A header that runs through an array of tables means its last one; the last key of `[[a]]` makes another. */
  #innermost(path: Path, adds: boolean): Path {
    const name = nameOf(path);
    const count = this.#counts.get(name) ?? 0;
    if (adds) this.#counts.set(name, count + 1);
    if (adds) return [...path, count];
    return count > 0 ? [...path, count - 1] : path;
  }

  #pair(table: Path): void {
    const line = this.#line;
    const path = [...table, ...this.#keys()];
    this.#note(path, line);
    this.#take(/[ \t]*=[ \t]*/y);
    this.#value(path);
  }

  #keys(): string[] {
    const keys: string[] = [];
    do {
      this.#take(/[ \t]*/y);
      const quoted = this.#take(/"(?:\\.|[^"\\])*"|'[^']*'/y);
      keys.push(quoted === '' ? this.#take(/[\w-]+/y) : String(parse(`key = ${quoted}`).key));
    } while (this.#take(/[ \t]*\.|[ \t]*/y).endsWith('.'));
    return keys;
  }

  #value(path: Path): void {
    const opening = this.#peek();
    if (opening === '[') this.#list(path);
    else if (opening === '{') this.#inlineTable(path);
    else if (opening === '"') this.#take(/"""(?:\\[\s\S]|[^\\])*?"""+|"(?:\\.|[^"\\])*"/y);
    else if (opening === "'") this.#take(/'''[\s\S]*?'''+|'[^']*'/y);
    else this.#take(/[^,\]}#\r\n]+|./y);
  }

  #list(path: Path): void {
    this.#take(/\[/y);
    for (let index = 0; this.#continues(']'); index += 1) {
      this.#note([...path, index], this.#line);
      this.#value([...path, index]);
      this.#skip();
      this.#take(/,/y);
    }
    this.#take(/\]/y);
  }

  #inlineTable(path: Path): void {
    this.#take(/\{/y);
    while (this.#continues('}')) {
      this.#pair(path);
      this.#skip();
      this.#take(/,/y);
    }
    this.#take(/\}/y);
  }

  /** The first line on which a path appears is its line: `a.b` and `[a.b]` also begin `a`. */
  #note(path: Path, line: number): void {
    for (let length = 1; length <= path.length; length += 1) {
      const name = nameOf(path.slice(0, length));
      if (!this.#lines.has(name)) this.#lines.set(name, line);
    }
  }

  #continues(closing: string): boolean {
    this.#skip();
    return this.#at < this.#text.length && this.#peek() !== closing;
  }

  /** Leaves space, line ends and comments behind. */
  #skip(): void {
    this.#take(/(?:\s|#.*)*/y);
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const taken = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += taken.length;
    this.#line += taken.split('\n').length - 1;
    return taken;
  }
}
