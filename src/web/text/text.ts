/// <reference types="vite/types/importMeta.d.ts" />
import { catalogue } from './en.js';
import { type Catalogue, completed, type Translation } from './translation.js';

/** How each catalogue but the English one is fetched. */
type Catalogues = Readonly<Record<string, () => Promise<{ readonly catalogue: Translation }>>>;

/** The catalogues beside this file, whose names are tags of languages. A new one is found by its being there. */
const CATALOGUES = byLanguage(import.meta.glob<{ catalogue: Translation }>(['./??.ts', './??-*.ts', '!./en.ts']));

/** The languages that the page knows. */
export const LANGUAGES: readonly string[] = ['en', ...Object.keys(CATALOGUES).sort((a, b) => a.localeCompare(b))];

/** What the page says, in the language that it speaks. Use it inside functions: it may change until the page is first drawn. */
export let text: Catalogue = catalogue;

/** The first of the wishes that is known, whole or by its first part, such as `pt` for `pt-BR`; else English. */
export function languageFor(wishes: readonly string[], known: readonly string[] = LANGUAGES): string {
  for (const wish of wishes.map((tag) => tag.toLowerCase())) {
    const found = [wish, wish.split('-', 1)[0]].find((tag) => tag !== undefined && known.includes(tag));
    if (found !== undefined) return found;
  }
  return 'en';
}

/** Makes {@link text} speak the language. Answers which one it speaks: English too where the catalogue cannot be fetched. */
export async function speak(language: string, catalogues: Catalogues = CATALOGUES): Promise<string> {
  const fetched = await catalogues[language]?.().catch(() => undefined);
  text = fetched === undefined ? catalogue : completed(fetched.catalogue);
  return fetched === undefined ? 'en' : language;
}

/** `./pt-br.ts` as `pt-br`. */
function byLanguage(files: Catalogues): Catalogues {
  return Object.fromEntries(Object.entries(files).map(([path, fetch]) => [path.slice('./'.length, -'.ts'.length), fetch]));
}
