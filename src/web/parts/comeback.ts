/** Calls `listener` when it makes sense to try the network again at once, until `signal` aborts. */
export function onComeback(listener: () => void, signal: AbortSignal): void {
  window.addEventListener('online', listener, { signal });
  window.addEventListener('pageshow', listener, { signal });
  window.addEventListener('focus', listener, { signal });
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && listener(), { signal });
}
