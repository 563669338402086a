import { useSyncExternalStore } from 'react';
import { formatAge } from '../session/age.js';

/** How long ago `since` was, kept up to date. */
export function Age({ since }: { since: number }) {
  return useSyncExternalStore(everySecond, () => formatAge(Date.now() - since));
}

/** Whole seconds until `at`, counted down. */
export function Countdown({ at }: { at: number }) {
  const seconds = useSyncExternalStore(everySecond, () => Math.max(1, Math.ceil((at - Date.now()) / 1000)));
  return `${seconds} s`;
}

/** At whole seconds, so that ages that stand side by side change together. */
function everySecond(listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const next = () => {
    timer = setTimeout(tick, 1000 - (Date.now() % 1000));
  };
  const tick = () => {
    listener();
    next();
  };
  next();
  return () => clearTimeout(timer);
}
