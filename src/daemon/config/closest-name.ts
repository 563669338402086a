/** The one of `names` that a misspelt `given` most likely means; dots, dashes, underscores and case count for nothing. */
export function closestName(given: string, names: readonly string[]): string | undefined {
  const word = plain(given);
  const ranked = names
    .map((name) => ({ name, score: closeness(word, plain(name)) }))
    .filter(({ score }) => score <= Math.max(1, Math.min(3, Math.floor(word.length / 3))))
    .sort((a, b) => a.score - b.score);
  return ranked[0]?.name;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** A name that holds all of the other is as close as one that differs in a letter. */
function closeness(word: string, name: string): number {
  const holds = Math.min(word.length, name.length) >= 4 && (name.includes(word) || word.includes(name));
  return Math.min(editDistance(word, name), holds ? 1 : Number.POSITIVE_INFINITY);
}

/** How many letters have to be added, removed or replaced. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
