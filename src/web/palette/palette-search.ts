import { type FuzzyMatch, fuzzyMatch, isWordStart } from '../create/fuzzy-match.js';
import type { PaletteItem, PaletteKind } from './palette-item.js';

/** What is typed: words, and the kind that they are looked for in, where a sign in front of them names one. */
export interface PaletteQuery {
  readonly words: readonly string[];
  readonly only: PaletteScope | undefined;
}

export type PaletteScope = 'project' | 'action' | 'waiting';

/** The signs that stand in front of the words. */
export const SCOPES: Readonly<Record<string, PaletteScope>> = { '@': 'project', '>': 'action', '!': 'waiting' };

export function readQuery(text: string): PaletteQuery {
  const trimmed = text.trimStart();
  const only = SCOPES[trimmed.charAt(0)];
  const words = (only === undefined ? trimmed : trimmed.slice(1)).split(/\s+/).filter((word) => word !== '');
  return { words, only };
}

export interface PaletteHit {
  readonly item: PaletteItem;
  /** Which characters of its name were looked for. */
  readonly marked: readonly number[];
}

/** Hits under a heading. */
export interface PaletteGroup {
  readonly heading: 'recent' | 'sessions' | 'actions' | 'places';
  readonly hits: readonly PaletteHit[];
}

/** Enough to look through; who looks for more types a letter more. */
const HITS_LIMIT = { searching: 8, looking: 60, recent: 5 } as const;

const HEADINGS: Readonly<Record<PaletteKind, PaletteGroup['heading']>> = {
  session: 'sessions',
  action: 'actions',
  project: 'places',
  preset: 'places',
};

interface SearchOptions {
  /** Keys of what was used last, the newest first. */
  readonly recent: readonly string[];
  /** What is in view, where nobody needs to go. */
  readonly currentKey: string | undefined;
}

/** What fits, in groups: the one with the best hit first. Without words: what was used last, then everything. */
export function searchPalette(items: readonly PaletteItem[], query: PaletteQuery, options: SearchOptions): readonly PaletteGroup[] {
  const inScope = items.filter((item) => isInScope(item, query.only));
  if (query.words.length > 0) return found(inScope, query.words, options);
  const recent = query.only === undefined ? recentOf(inScope, options) : [];
  const others = inScope.filter((item) => !recent.includes(item));
  return [...groupOf('recent', recent), ...grouped(others.map(unmarked), HITS_LIMIT.looking)];
}

function isInScope(item: PaletteItem, only: PaletteScope | undefined): boolean {
  if (only === 'waiting') return item.kind === 'session' && item.view.state === 'waiting';
  return only === undefined || item.kind === only;
}

function recentOf(items: readonly PaletteItem[], { recent, currentKey }: SearchOptions): readonly PaletteItem[] {
  const known = recent.flatMap((key) => items.find((item) => item.key === key && key !== currentKey) ?? []);
  return known.slice(0, HITS_LIMIT.recent);
}

interface ScoredHit extends PaletteHit {
  readonly score: number;
}

function found(items: readonly PaletteItem[], words: readonly string[], { recent }: SearchOptions): readonly PaletteGroup[] {
  const hits = items.flatMap((item) => scored(item, words, recent) ?? []).sort((a, b) => b.score - a.score);
  return grouped(hits, HITS_LIMIT.searching);
}

/** In a name its letters in their order are enough; what else is known of an item has a word as it stands. */
function scored(item: PaletteItem, words: readonly string[], recent: readonly string[]): ScoredHit | undefined {
  const note = item.kind === 'action' ? '' : item.note; // which session it is about tells nothing of an action
  const more = `${note}\n${item.more ?? ''}`.toLocaleLowerCase();
  let score = recencyScore(item, recent);
  const marked: number[] = [];
  for (const word of words) {
    const match = nameMatch(word, item.name);
    if (match === undefined && !more.includes(word.toLocaleLowerCase())) return undefined;
    score += match === undefined ? word.length : match.score * 2;
    marked.push(...(match?.at ?? []));
  }
  return { item, marked, score };
}

/** Letters that are strewn all over a name are no match; those that begin its words are, and those that stand near each other. */
function nameMatch(word: string, name: string): FuzzyMatch | undefined {
  const match = fuzzyMatch(word, name);
  if (match === undefined) return undefined;
  const { at } = match;
  const span = (at.at(-1) ?? 0) - (at[0] ?? 0) + 1;
  const characters = [...name];
  const isAcronym = at.every((index, order) => isWordStart(characters, index) || at[order - 1] === index - 1);
  return isAcronym || span <= 2 * at.length + 2 ? match : undefined;
}

/** It decides among what fits alike. */
function recencyScore({ key }: PaletteItem, recent: readonly string[]): number {
  const at = recent.indexOf(key);
  return at === -1 ? 0 : 2 - at / recent.length;
}

/** By heading; the heading of the first hit comes first. */
function grouped(hits: readonly PaletteHit[], limit: number): readonly PaletteGroup[] {
  const headings = [...new Set(hits.map(({ item }) => HEADINGS[item.kind]))];
  return headings.map((heading) => ({ heading, hits: hits.filter(({ item }) => HEADINGS[item.kind] === heading).slice(0, limit) }));
}

function groupOf(heading: PaletteGroup['heading'], items: readonly PaletteItem[]): readonly PaletteGroup[] {
  return items.length === 0 ? [] : [{ heading, hits: items.map(unmarked) }];
}

function unmarked(item: PaletteItem): PaletteHit {
  return { item, marked: [] };
}
