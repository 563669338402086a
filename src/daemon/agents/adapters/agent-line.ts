import type { Argument, OptionTable } from './option-table.js';
import { namesOf, readArguments } from './option-table.js';
import { programName, readSimpleCommand, type ShellWord, type SimpleCommand } from './shell-command.js';

/** The command of a conversation at a terminal, understood word by word. */
export interface AgentLine {
  readonly command: SimpleCommand;
  /** A subcommand that is a conversation as well, such as `resume`. */
  readonly subcommand?: ShellWord;
  /** Behind the program and the subcommand; words in front of the subcommand are among them. */
  readonly arguments: readonly Argument[];
}

/** `apart`: the agent is used for something that is no conversation. `opaque`: what it runs cannot be told for certain. */
export type ReadLine = AgentLine | 'apart' | 'opaque';

/** What of an agent tells its command line. */
export interface Program {
  readonly executable: string;
  readonly options?: OptionTable;
  /** Subcommands that are conversations. */
  readonly conversations?: readonly string[];
}

export function readAgentLine(program: Program, text: string): ReadLine {
  const command = readSimpleCommand(text);
  if (command === undefined || programName(command) !== program.executable || program.options === undefined) return 'opaque';
  const { options } = program;
  const read = readArguments(options, command.arguments);
  if (read === undefined) return 'opaque';
  const apart = namesOf(options.apart);
  if (read.some(({ names }) => names.some((name) => apart.has(name)))) return 'apart';
  const first = read.find(({ kind }) => kind === 'positional' || kind === 'terminator');
  const word = first?.kind === 'positional' ? first.words[0] : undefined;
  if (word === undefined || !namesOf(options.subcommands).has(word.value)) return { command, arguments: read };
  if (program.conversations?.includes(word.value) !== true) return 'apart';
  return { command, subcommand: word, arguments: read.filter((argument) => argument !== first) };
}

/** The value that one of the options was given, the last one's when there are several; undefined without one and for what is not known. */
export function optionValue(line: AgentLine, ...names: readonly string[]): string | undefined {
  const given = line.arguments.findLast((argument) => argument.names.some((name) => names.includes(name)));
  return given?.value?.isLiteral ? given.value.text : undefined;
}

export function has(line: AgentLine, ...names: readonly string[]): boolean {
  return line.arguments.some((argument) => argument.names.some((name) => names.includes(name)));
}

/** The command with `words`, which are shell text, put behind its program or subcommand. All else stays as it is. */
export function withWords({ command, subcommand }: AgentLine, words: readonly string[]): string {
  const at = (subcommand ?? command.program).end;
  return [command.source.slice(0, at), ...words].join(' ') + command.source.slice(at);
}

/** The program with `words`, then those of the arguments that are kept, each as it was written. */
export function rebuilt({ command }: AgentLine, words: readonly string[], kept: readonly Argument[]): string {
  const texts = kept.flatMap((argument) => argument.words.map(({ text }) => text));
  return [command.source.slice(0, command.program.end), ...words, ...texts].join(' ');
}

/** What a later start leaves out, beside the first prompt. */
export type LeftOut = 'conversation' | 'made';

interface Kept {
  readonly kept: readonly Argument[];
  /** Options that nothing is known of, left out because the word behind them may be a prompt. */
  readonly doubtful: readonly string[];
}

/**
 * The arguments that a later start has in common with the first one: never its prompt.
 *
 * An unknown option followed by a word is left out together with it. The word may be the option's value or the first prompt, and to lose
 * an option is the smaller harm than to prompt the agent a second time.
 */
export function keptLater(options: OptionTable, line: AgentLine, leftOut: readonly LeftOut[]): Kept {
  const dropped = namesOf([options.prompt, ...leftOut.map((list) => options[list] ?? '')].join(' '));
  const named = line.arguments.filter(({ names }) => !names.some((name) => dropped.has(name)));
  if (options.positional === 'directory') return { kept: named, doubtful: [] };
  const doubtful = line.arguments.filter((argument, index) => isDoubtful(argument, line.arguments[index + 1]));
  // The subcommand of a conversation is followed by the conversation, unless an option says which it is.
  const chosen = line.subcommand && !leftOut.includes('conversation') && !has(line, '--last') ? firstWord(line) : undefined;
  const kept = named.filter(
    (argument) => argument === chosen || ((argument.kind === 'option' || argument.kind === 'unknown') && !doubtful.includes(argument)),
  );
  return { kept, doubtful: doubtful.flatMap(({ words }) => words.map(({ value }) => value)) };
}

function firstWord(line: AgentLine): Argument | undefined {
  return line.arguments.find(({ kind }) => kind === 'positional');
}

function isDoubtful({ kind, words }: Argument, next: Argument | undefined): boolean {
  return kind === 'unknown' && words[0]?.value.includes('=') === false && next?.kind === 'positional';
}
