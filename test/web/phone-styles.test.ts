import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { PHONE } from '../../src/web/parts/phone.js';

const STYLES = fileURLToPath(new URL('../../src/web/styles', import.meta.url));
/** Phones and everything else that is touched. */
const TOUCHED = '(max-width: 640px), (pointer: coarse)';

test('the styles take for a phone what the page takes for one', () => {
  const queries = readdirSync(STYLES).flatMap((file) =>
    [...readFileSync(`${STYLES}/${file}`, 'utf8').matchAll(/@media ([^{]*640px[^{]*) \{/g)].map(([, query]) => ({ file, query })),
  );
  expect(queries.length).toBeGreaterThan(5);
  expect(queries.filter(({ query }) => query !== PHONE && query !== TOUCHED)).toEqual([]);
});
