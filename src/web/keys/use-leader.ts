import { useMemo } from 'react';
import { usePageParts } from '../app/parts-context.js';
import { useHost } from '../app/use-host.js';
import { useStore } from '../parts/store.js';
import { type Leader, parseLeader } from './chords.js';
import { chordsOf } from './key-bindings.js';

/** The host's leader with this browser's keys behind it. Undefined until it is known, and where it is none that a page can use. */
export function useLeader(): Leader | undefined {
  const host = useHost()?.leader;
  const bindings = useStore(usePageParts().preferences.keys);
  return useMemo(() => {
    const leader = parseLeader(host);
    return leader && { ...leader, chords: chordsOf(bindings) };
  }, [host, bindings]);
}
