/** An equals sign only in an option: elsewhere the shell could take the word for an assignment. */
const PLAIN = /^(?:--?[A-Za-z0-9-]+=)?[A-Za-z0-9_@%+:,./-]+$/;

/** One word of POSIX shell text that stands for exactly `word`. */
export function shellQuote(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Shell text for the words behind `--`: one word is shell text already, several are a program and its arguments. */
export function commandText(words: readonly string[]): string | undefined {
  const [first, ...more] = words;
  if (first === undefined) return undefined;
  return more.length === 0 ? first : words.map(shellQuote).join(' ');
}
