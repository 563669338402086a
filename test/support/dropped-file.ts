import type { Page } from 'playwright-core';

/** As a user drops a file on the terminal. `content`: what it holds, or how many bytes. */
export async function dropFile(page: Page, name: string, content: string | number): Promise<void> {
  await page.locator('.xterm-screen').evaluate(
    (target, { name, content }) => {
      const data = new DataTransfer();
      data.items.add(new File([typeof content === 'number' ? new Uint8Array(content) : content], name));
      for (const type of ['dragover', 'drop'])
        target.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    { name, content },
  );
}

/** From now on the page's network takes so many bytes a second. */
export async function sendSlowly(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const rates = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSecond };
  await session.send('Network.emulateNetworkConditions', rates);
}
