/** The page may be busy for so long at most before it is done nevertheless, in milliseconds. */
const LATEST_MS = 2_000;
/** Where the browser does not tell when it has nothing to do, in milliseconds. */
const SOON_MS = 300;

/** Does something once the page has nothing better to do, unless the returned function is called before. */
export function whenIdle(act: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const request = requestIdleCallback(act, { timeout: LATEST_MS });
    return () => cancelIdleCallback(request);
  }
  const timer = setTimeout(act, SOON_MS);
  return () => clearTimeout(timer);
}
