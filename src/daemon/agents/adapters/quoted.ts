/** Shell text for exactly `word`. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
