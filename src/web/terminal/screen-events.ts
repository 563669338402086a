import type { LinesBelow } from './new-lines.js';
import type { TerminalLink } from './terminal-links.js';
import type { Transferred } from './transferred-files.js';

/** What a terminal on the page tells. */
export interface TerminalScreenEvents {
  /** The terminal is measured by what it is going to be drawn with: from now on it knows the size that fits. */
  onSettled?(): void;
  /** What the user typed, pasted or pointed at, as text to be encoded. */
  onText?(text: string): void;
  /** What `send` was given. */
  onKey?(text: string): void;
  /** Mouse reports of the old encoding, one byte per character. */
  onBinary?(bytes: Uint8Array): void;
  onLink?(link: TerminalLink | undefined): void;
  /** The title that the program gave itself. Any text at all. */
  onTitle?(title: string): void;
  onScroll?(below: LinesBelow): void;
  onFocus?(focused: boolean): void;
  /** The user wants to paste or has dropped something. */
  onTransfer?(transferred: Transferred): void;
  /** Files are held over the terminal, or no longer. */
  onFileOver?(isOver: boolean): void;
  /** The program wants to put text on the clipboard. */
  onClipboard?(text: string): void;
}
