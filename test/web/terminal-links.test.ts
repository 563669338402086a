import { expect, test } from 'vitest';
import { isWebTarget, nextLink } from '../../src/web/terminal/terminal-links.js';

test('only web pages may be followed, whatever a program prints', () => {
  expect(['http://a.b', 'HTTPS://a.b/c?d#e'].map(isWebTarget)).toEqual([true, true]);
  const others = ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'vscode://x', 'ftp://a.b', '//a.b', 'a.b', ''];
  expect(others.map(isWebTarget)).toEqual(others.map(() => false));
});

test('a link that was clicked stays while the pointer leaves it, until another is clicked', () => {
  const hovered = { target: 'http://a', pinned: false, isLow: false };
  const clicked = { target: 'http://b', pinned: true, isLow: false };
  const another = { target: 'http://c', pinned: true, isLow: false };
  expect(nextLink(hovered, undefined)).toBeUndefined();
  expect(nextLink(clicked, undefined)).toBe(clicked);
  expect(nextLink(clicked, hovered)).toBe(clicked);
  expect(nextLink(clicked, another)).toBe(another);
});
