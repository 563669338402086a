import type { ITerminalOptions } from '@xterm/xterm';
import type { Size } from '../../protocol/index.js';

/** Lines kept above the screen. */
const SCROLLBACK = 10_000;
const SCROLLBAR_WIDTH = 10;

/** How every terminal on the page is set up, but for its colours. One that is read only has no cursor and takes no keys. */
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
    overviewRuler: { width: SCROLLBAR_WIDTH },
    rescaleOverlappingGlyphs: true,
    scrollback: SCROLLBACK,
  };
}
