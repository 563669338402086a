import { SWITCH_NAMES, SWITCHES, type Switch, type TerminalModes } from './terminal-modes.js';

const SWITCH_OF: ReadonlyMap<number, Switch> = new Map(SWITCH_NAMES.map((name) => [SWITCHES[name][0], name]));

/** What `CSI ? mode h` or `l` changes, apart from the modes that move between screens or restore the cursor. */
export function modesOfPrivate(mode: number, on: boolean, modes: TerminalModes): Partial<TerminalModes> | undefined {
  const name = SWITCH_OF.get(mode);
  if (name !== undefined) return modes[name] === on ? undefined : { [name]: on };
  switch (mode) {
    case 6:
      return { origin: on };
    case 9:
    case 1000:
    case 1002:
    case 1003:
      return { mouse: on ? mode : 0 };
    case 1005:
    case 1006:
    case 1015:
    case 1016:
      return { mouseEncodings: encodingsAfter(modes.mouseEncodings, mode, on) };
    case 2026:
      return { synchronized: on };
    default:
      return undefined;
  }
}

/** Switching off one of the SGR encodings ends the other too. */
function encodingsAfter(encodings: readonly number[], mode: number, on: boolean): number[] {
  const isSgr = (encoding: number) => encoding === 1006 || encoding === 1016;
  const others = encodings.filter((encoding) => encoding !== mode && !(isSgr(mode) && isSgr(encoding)));
  return on ? [...others, mode] : others;
}
