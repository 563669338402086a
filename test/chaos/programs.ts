import type { Kind } from './oracle.js';

/** What the sessions run. `ending` ends by itself; `family` has children that leave its process group. */
export const COMMANDS: Readonly<Record<Kind, string>> = {
  quiet: 'exec sleep 100000',
  printing: 'n=0; while :; do n=$((n+1)); echo "run $MAESTRO_RUN line $n."; sleep 0.2; done',
  ending: 'echo "run $MAESTRO_RUN"; sleep 1',
  family: 'setsid sleep 100000 & (sleep 100000 &); exec sleep 100000',
};

/** As often as each is to be. */
export const KINDS: readonly Kind[] = ['quiet', 'quiet', 'printing', 'printing', 'family', 'ending'];
