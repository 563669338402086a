import { useEffect, useState } from 'react';
import { NoCode } from '../app/no-code.js';
import { useLateCode } from '../parts/late-code.js';
import { text } from '../text/text.js';
import type { PaletteListProps } from './palette-list.js';

const loadList = () => import('./palette-list.js').then(({ PaletteList }) => ({ PaletteList }));

/** What the page needs first comes first. */
const PREFETCH_AFTER_MS = 2_000;

/** Fetches the code of the list before it is asked for. */
export function usePalettePrefetch(): void {
  const [wanted, setWanted] = useState(false);
  useLateCode('palette', loadList, { wanted });
  useEffect(() => {
    const timer = setTimeout(() => setWanted(true), PREFETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}

/** What the palette offers, whose code is fetched behind that of the page. */
export function LatePaletteList(props: PaletteListProps) {
  const { code, failed, retry } = useLateCode('palette', loadList);
  if (code !== undefined) return <code.PaletteList {...props} />;
  if (failed) return <NoCode onRetry={retry} />;
  return <div id={props.id} className="finder__list" role="listbox" aria-label={text.palette.title} aria-busy="true" />;
}
