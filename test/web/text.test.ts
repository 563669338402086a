import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { catalogue as english } from '../../src/web/text/en.js';
import { LANGUAGES, languageFor, speak, text } from '../../src/web/text/text.js';
import type { Translation } from '../../src/web/text/translation.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const german: Translation = { parts: { copied: 'Kopiert', seconds: (count) => `${count} Sek.` } };
const known = { de: async () => ({ catalogue: german }) };

afterEach(async () => {
  await speak('en');
});

test('the page speaks English from the start', () => {
  expect(text).toEqual(english);
  expect(LANGUAGES[0]).toBe('en');
});

test('a catalogue is fetched when its language is wanted, and its words and functions count at once', async () => {
  expect(await speak('de', known)).toBe('de');
  expect([text.parts.copied, text.parts.seconds(3)]).toEqual(['Kopiert', '3 Sek.']);
});

test('what a catalogue has no words for is said in English', async () => {
  await speak('de', known);
  expect(text.parts.close).toBe(english.parts.close);
  expect(Object.keys(text)).toEqual(Object.keys(english));
});

test('what a catalogue has of another kind, or too much, does no harm', async () => {
  const odd: unknown = { parts: { seconds: 'Sekunden', close: null, more: 'x' }, another: {} };
  await speak('xx', { xx: async () => ({ catalogue: odd as Translation }) });
  expect(text).toEqual(english);
});

test('a language that is not known, or cannot be fetched, is English', async () => {
  expect(await speak('fr', known)).toBe('en');
  expect(await speak('de', { de: () => Promise.reject(new Error('offline')) })).toBe('en');
  expect(text).toEqual(english);
});

test.each([
  [['de-AT', 'en'], 'de'],
  [['fr', 'en-US', 'de'], 'en'],
  [['pt-BR'], 'pt-br'],
  [['fr'], 'en'],
  [[], 'en'],
])('who wishes for %j reads %s', (wishes, language) => {
  expect(languageFor(wishes, ['en', 'de', 'pt-br'])).toBe(language);
});

test('a second language needs a file and nothing else', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'm-'));
  try {
    await cp(join(ROOT, 'src/web/text'), directory, { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
    await writeFile(join(directory, 'eo.ts'), "export const catalogue = { parts: { close: 'Fermi' } };\n");
    const page: typeof import('../../src/web/text/text.js') = await import(join(directory, 'text.ts'));
    expect(page.LANGUAGES).toContain('eo');
    expect(await page.speak('eo')).toBe('eo');
    expect([page.text.parts.close, page.text.parts.copy]).toEqual(['Fermi', english.parts.copy]);
  } finally {
    await rm(directory, { recursive: true });
  }
});
