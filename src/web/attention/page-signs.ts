import { useEffect } from 'react';

/** The page's title: how many wait, what is shown. */
export function pageTitle(waiting: number, name: string | undefined): string {
  const title = name === undefined ? 'Maestro' : `${name} · Maestro`;
  return waiting === 0 ? title : `(${waiting}) ${title}`;
}

const PLATE =
  '<rect width="32" height="32" rx="7.5" fill="#161614"/><path d="M7.2 24.3V9.8L15 19.4 23.6 7.4" fill="none" stroke="#f1efe8" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/>';
const CURSOR = '<rect x="20.4" y="16" width="5.6" height="9.9" rx="1.1" fill="#f1efe8"/>';
const DIAMOND =
  '<circle cx="23.5" cy="23.5" r="10.5" fill="#161614"/><path d="M23.5 15.6 31.4 23.5 23.5 31.4 15.6 23.5Z" fill="#f3b13f" stroke="#f3b13f" stroke-width="1.2" stroke-linejoin="round"/>';

function numberPlate(waiting: number): string {
  const text = waiting > 9 ? '9+' : String(waiting);
  return `<rect x="12.5" y="12.5" width="21" height="21" rx="7" fill="#161614"/><rect x="14" y="14" width="18" height="18" rx="5.5" fill="#f3b13f"/><text x="23" y="28.6" font-family="Inter,system-ui,sans-serif" font-size="${text.length > 1 ? 13 : 16}" font-weight="700" text-anchor="middle" fill="#1c1405">${text}</text>`;
}

/** The page's icon as a data URL: the mark, with a diamond for one that waits and a number for more. */
export function faviconHref(waiting: number): string {
  const sign = waiting === 0 ? CURSOR : waiting === 1 ? DIAMOND : numberPlate(waiting);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${PLATE}${sign}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** On the icon of the page where it is installed as an app. */
function showBadge(waiting: number): void {
  if ('setAppBadge' in navigator) navigator.setAppBadge(waiting).catch(() => {}); // the user has not allowed it
}

/** Shows what waits in the browser's tab, or on the app's icon. */
export function usePageSigns(waiting: number, name: string | undefined): void {
  useEffect(() => {
    document.title = pageTitle(waiting, name);
  }, [waiting, name]);
  useEffect(() => {
    document.querySelector('link[rel="icon"]')?.setAttribute('href', faviconHref(waiting));
    showBadge(waiting);
  }, [waiting]);
}
