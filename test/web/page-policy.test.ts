import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const WEB = fileURLToPath(new URL('../../src/web', import.meta.url));

function sources(end: RegExp): { path: string; text: string }[] {
  return readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    .filter((path) => end.test(path))
    .map((path) => ({ path, text: readFileSync(`${WEB}/${path}`, 'utf8') }));
}

const having = (end: RegExp, what: RegExp) =>
  sources(end)
    .filter(({ text }) => what.test(text))
    .map(({ path }) => path);

test('the document has no inline script, style or handler, which the page’s policy would block', () => {
  expect(having(/\.html$/, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i)).toEqual([]);
});

test('nothing is loaded from elsewhere', () => {
  expect(having(/\.(html|css)$/, /(?:src|href)="(?:https?:)?\/\/|url\(\s*["']?(?:https?:)?\/\//i)).toEqual([]);
});

test('nothing that a program or a user wrote becomes markup', () => {
  expect(
    having(/\.tsx?$/, /dangerouslySetInnerHTML|\binnerHTML\b|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\(/),
  ).toEqual([]);
});

test('no component brings its own styles', () => {
  expect(having(/\.tsx$/, /\sstyle=\{/)).toEqual([]);
});
