/** True where nothing on the page shall move: the system's wish, or a setting of the page. */
export function isStill(): boolean {
  return document.documentElement.dataset.motion === 'off' || matchMedia('(prefers-reduced-motion: reduce)').matches;
}
