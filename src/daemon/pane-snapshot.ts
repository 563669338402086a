import type { Size } from '../protocol/index.js';

/** What a pane shows, as tmux knows it, taken in the same instant in which its pipe was armed. */
export interface PaneSnapshot {
  /**
   * History and screen of the normal buffer, as lines with SGR sequences, wrapped lines joined. Line drawing stands between SO and SI:
   * a terminal shows it once `ESC ) 0` has told it what SO means.
   */
  readonly normal: Buffer;
  /** The alternate screen, while the program uses it. */
  readonly alternate?: Buffer;
  /** The cursor that the normal screen gets back when the program leaves the alternate one. */
  readonly behind?: { readonly column: number; readonly row: number };
  readonly cursor: { readonly column: number; readonly row: number; readonly visible: boolean };
  readonly size: Size;
  readonly modes: {
    readonly insert: boolean;
    readonly applicationCursor: boolean;
    readonly applicationKeypad: boolean;
    readonly origin: boolean;
    readonly wrap: boolean;
    readonly mouse: 'off' | 'standard' | 'button' | 'any';
    readonly mouseSgr: boolean;
    readonly scrollRegion: { readonly top: number; readonly bottom: number };
    /** Columns with a tab stop, counted from 0. */
    readonly tabs?: readonly number[];
  };
  readonly title: string;
}
