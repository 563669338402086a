import type { MaestroPage } from '../../support/browser.js';

/** What a drag of a hundred steps may change, when the page hears of them one right after the other. */
export const FEW = 12;

/** How often the page rested while this was done, for so long that it takes the size for settled: slow machines do. */
export async function restsIn({ page }: MaestroPage, event: 'resize' | 'pointermove', act: () => Promise<unknown>): Promise<number> {
  const counter = await page.evaluateHandle((name) => {
    const counted = { rests: 0, last: performance.now() };
    window.addEventListener(name, () => {
      const now = performance.now();
      if (now - counted.last > 60) counted.rests += 1;
      counted.last = now;
    });
    return counted;
  }, event);
  await act();
  return counter.evaluate(({ rests }) => rests);
}
