import type { ShellWord } from './shell-command.js';

/**
 * How an agent reads its command line, from its own help and sources. Names are separated by spaces, with their dashes; short and long
 * names of one option both stand in the list.
 */
export interface OptionTable {
  /** The library that reads it: they differ in what they take for a value. */
  readonly style: 'commander' | 'clap' | 'yargs';
  readonly flags: string;
  readonly values: string;
  /** Takes the next word unless that is an option. */
  readonly optional?: string;
  /** Takes all words up to the next option. */
  readonly many?: string;
  /** With one of these it is no conversation at a terminal: it prints and ends, or goes on elsewhere. */
  readonly apart: string;
  /** They say which conversation it is, or how a new one comes about. */
  readonly conversation: string;
  /** They are part of the first prompt. */
  readonly prompt: string;
  /** They make something for a new conversation that is there once it has begun, such as a worktree. */
  readonly made?: string;
  readonly subcommands: string;
  /** What a word that belongs to no option is. */
  readonly positional: 'prompt' | 'directory';
}

export type Arity = 'flag' | 'value' | 'optional' | 'many';

/** An option with its value, or a word that belongs to none. */
export interface Argument {
  readonly kind: 'option' | 'unknown' | 'positional' | 'terminator';
  /** Of the option, or of several that were written as one word, such as `-dv`. */
  readonly names: readonly string[];
  /** The option's value as far as it is known, see {@link ShellWord.value}. */
  readonly value?: { readonly text: string; readonly isLiteral: boolean };
  readonly words: readonly ShellWord[];
}

type Option = { readonly names: readonly string[]; readonly arity: Arity; readonly attached?: string };

/** Undefined when the words cannot be told apart for certain. */
export function readArguments(table: OptionTable, words: readonly ShellWord[]): Argument[] | undefined {
  const read: Argument[] = [];
  const rest = [...words];
  let isOver = false;
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (isOver || !isOption(word)) read.push({ kind: 'positional', names: [], words: [word] });
    else if (word.value === '--') {
      isOver = true;
      read.push({ kind: 'terminator', names: [], words: [word] });
    } else {
      const argument = readOption(table, word, rest);
      if (argument === undefined) return undefined;
      read.push(argument);
    }
  }
  return read;
}

export function namesOf(list: string): ReadonlySet<string> {
  return new Set(list.split(' ').filter((name) => name !== ''));
}

function isOption({ value }: ShellWord): boolean {
  return value.startsWith('-') && value !== '-';
}

/** Takes the option's values off the front of `rest`. */
function readOption(table: OptionTable, word: ShellWord, rest: ShellWord[]): Argument | undefined {
  const option = optionOf(table, word.value);
  if (option === undefined) return undefined;
  if (option === 'unknown') return { kind: 'unknown', names: [], words: [word] };
  const { names, arity, attached } = option;
  if (attached !== undefined) return { kind: 'option', names, value: { text: attached, isLiteral: word.isLiteral }, words: [word] };
  const values = takeValues(table, arity, rest);
  if (values === undefined) return undefined;
  const [first] = values;
  const value = first === undefined ? {} : { value: { text: first.value, isLiteral: first.isLiteral } };
  return { kind: 'option', names, ...value, words: [word, ...values] };
}

function takeValues({ style }: OptionTable, arity: Arity, rest: ShellWord[]): ShellWord[] | undefined {
  if (arity === 'flag') return style === 'yargs' && /^(?:true|false)$/.test(rest[0]?.value ?? '') ? rest.splice(0, 1) : [];
  const next = rest[0];
  if (arity === 'optional') return next === undefined || isOption(next) ? [] : rest.splice(0, 1);
  // Only one of the libraries takes a word with a dash for a value.
  if (next === undefined || (isOption(next) && style !== 'commander')) return undefined;
  if (arity === 'value') return rest.splice(0, 1);
  const end = rest.findIndex((word, index) => index > 0 && isOption(word));
  return rest.splice(0, end < 0 ? rest.length : end);
}

function optionOf(table: OptionTable, text: string): Option | 'unknown' | undefined {
  const [, written = '', attached] = /^(-[^=]*)(?:=([\s\S]*))?$/.exec(text) ?? [];
  if (written.includes('\0')) return undefined;
  const name = table.style === 'yargs' ? kebab(written) : written;
  const arity = arityOf(table, name);
  if (arity !== undefined) return { names: [name], arity, ...(attached === undefined ? {} : { attached }) };
  return text.startsWith('--') ? 'unknown' : shortOptions(table, text);
}

/** A short option with its value in the same word, or several flags in one. */
function shortOptions(table: OptionTable, text: string): Option | 'unknown' | undefined {
  const arity = arityOf(table, text.slice(0, 2));
  if (text.length === 2) return 'unknown';
  if (arity === 'optional' || (arity === 'value' && table.style === 'yargs')) return undefined;
  if (arity !== undefined && arity !== 'flag') return { names: [text.slice(0, 2)], arity, attached: text.slice(2).replace(/^=/, '') };
  const names = [...text.slice(1)].map((letter) => `-${letter}`);
  return names.every((name) => arityOf(table, name) === 'flag') ? { names, arity: 'flag' } : undefined;
}

function arityOf(table: OptionTable, name: string): Arity | undefined {
  if (namesOf(table.values).has(name)) return 'value';
  if (namesOf(table.optional ?? '').has(name)) return 'optional';
  if (namesOf(table.many ?? '').has(name)) return 'many';
  const positive = table.style === 'yargs' ? name.replace(/^--no-/, '--') : name;
  return namesOf(table.flags).has(name) || namesOf(table.flags).has(positive) ? 'flag' : undefined;
}

/** Yargs takes `--sessionId` for `--session-id`. */
function kebab(name: string): string {
  return name.startsWith('--') ? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) : name;
}
