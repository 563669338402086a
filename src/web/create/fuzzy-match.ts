const EACH = 1;
/** For a character right behind the one matched before it. */
const JOINED = 2;
/** For the first character of a word. */
const WORD_START = 3;
/** For the very first character. */
const FIRST = 2;

/** How well something fits, and which of its characters were looked for. */
export interface FuzzyMatch {
  readonly score: number;
  readonly at: readonly number[];
}

/** How `query` fits `text`: all its characters in their order, better where they stand together or begin words. Undefined if not at all. */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | undefined {
  const wanted = [...query.toLocaleLowerCase()];
  const characters = [...text].map((character) => character.toLocaleLowerCase());
  if (wanted.length === 0) return { score: 0, at: [] };
  const starts = characters.flatMap((character, at) => (character === wanted[0] ? [at] : []));
  const found = starts.flatMap((start) => matchFrom(wanted, characters, start) ?? []);
  return found.reduce<FuzzyMatch | undefined>((best, match) => (best === undefined || match.score > best.score ? match : best), undefined);
}

function matchFrom(wanted: readonly string[], text: readonly string[], start: number): FuzzyMatch | undefined {
  let score = 0;
  const taken: number[] = [];
  let at = start;
  for (const character of wanted) {
    at = text.indexOf(character, at);
    if (at === -1) return undefined;
    score += EACH + (at - 1 === taken.at(-1) ? JOINED : 0) + (isWordStart(text, at) ? WORD_START : 0) + (at === 0 ? FIRST : 0);
    taken.push(at);
    at += 1;
  }
  return { score, at: taken };
}

export function isWordStart(text: readonly string[], at: number): boolean {
  const before = text[at - 1];
  return before === undefined || /[\s/._-]/.test(before);
}

/** The items that every word of `query` fits, the best first; those that fit alike keep their order. A name counts more than a path. */
export function fuzzyMatches<T>(items: readonly T[], query: string, textOf: (item: T) => { name: string; path: string }): T[] {
  const words = query.split(/\s+/).filter((word) => word !== '');
  const scored = items.flatMap((item) => {
    const { name, path } = textOf(item);
    const scores = words.map((word) => bestOf(fuzzyMatch(word, name)?.score, fuzzyMatch(word, path)?.score));
    return scores.includes(undefined) ? [] : [{ item, score: scores.reduce<number>((sum, score) => sum + (score ?? 0), 0) }];
  });
  return scored.sort((a, b) => b.score - a.score).map(({ item }) => item);
}

function bestOf(name: number | undefined, path: number | undefined): number | undefined {
  if (name === undefined) return path;
  return Math.max(name * 2, path ?? 0);
}
