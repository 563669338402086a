import { catalogue } from './en.js';

/** All that the page says. */
export type Catalogue = typeof catalogue;

/** The words of another language. What it has no words for is said in English. */
export type Translation = Part<Catalogue>;

type Part<T> = { readonly [K in keyof T]?: T[K] extends string | ((...given: never[]) => unknown) ? T[K] : Part<T[K]> };

type Words = Readonly<Record<string, unknown>>;

/** English where the translation says nothing, or something of another kind. */
export function completed(translation: Translation): Catalogue {
  return filled(catalogue, translation) as Catalogue;
}

function filled(english: Words, other: Words): Words {
  return Object.fromEntries(Object.entries(english).map(([key, value]) => [key, chosen(value, other[key])]));
}

function chosen(english: unknown, other: unknown): unknown {
  if (typeof other !== typeof english || other === null) return english;
  return isWords(english) && isWords(other) ? filled(english, other) : other;
}

function isWords(value: unknown): value is Words {
  return typeof value === 'object' && value !== null;
}
