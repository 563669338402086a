import type { ITerminalOptions } from '@xterm/xterm';
import type { Size } from '../../protocol/index.js';

/** Lines kept above the screen. */
const SCROLLBACK = 10_000;
const SCROLLBAR_WIDTH = 10;
/** The styles' own colours are at least as far apart; this is for the other 240 that programs use. */
export const MINIMUM_CONTRAST = 4.5;

/** How every terminal on the page is set up. One that is read only has no cursor and takes no keys. */
export function terminalSettings(size: Size, readOnly: boolean): ITerminalOptions & Size {
  return {
    ...size,
    allowProposedApi: true,
    cursorBlink: false,
    cursorInactiveStyle: readOnly ? 'none' : 'outline',
    disableStdin: readOnly,
    drawBoldTextInBrightColors: false,
    logLevel: 'off',
    macOptionClickForcesSelection: true,
    minimumContrastRatio: MINIMUM_CONTRAST,
    overviewRuler: { width: SCROLLBAR_WIDTH },
    rescaleOverlappingGlyphs: true,
    scrollback: SCROLLBACK,
  };
}
