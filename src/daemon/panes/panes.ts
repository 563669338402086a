import type { Size } from '../../protocol/index.js';
import type { PaneSnapshot } from '../pane-snapshot.js';

/** A pane that runs, or ran, one session's program. tmux's ids hold for one life of its server and are never persisted. */
export interface Pane {
  readonly sessionId: string;
  /** tmux's own id, such as `%12`. */
  readonly paneId: string;
  /** The pid of the pane's wrapper: leader of its process session and ancestor of all that the program starts, unless it breaks away. */
  readonly pid: number;
}

/** What runs in the pane before its program, once: a failure is the pane's end, and the next pane tries again. */
export interface PaneSetup {
  /** POSIX shell text for `/bin/sh -c`. */
  readonly script: string;
  /** An absolute path: a file there says that the set-up has succeeded. It is made when it has. */
  readonly done: string;
}

export interface NewPane {
  readonly sessionId: string;
  /** Absolute. Used literally, whatever characters it holds. */
  readonly cwd: string;
  /** POSIX shell text for `/bin/sh -c`. */
  readonly command: string;
  readonly setup?: PaneSetup | undefined;
  /** The program's whole environment beside what tmux sets. */
  readonly env: Readonly<Record<string, string>>;
  readonly size: Size;
  /** The program's umask; 022 unless given. The daemon's own keeps everybody out, which is not for the user's files. */
  readonly umask?: number | undefined;
  /** Which start of the session this is; kept in a tmux user option with {@link record}. */
  readonly run: number;
  /** The sidecar as JSON, kept in a tmux user option so that a pane whose sidecar is lost can still be adopted. */
  readonly record: string;
  /** An existing fifo whose reader is open. */
  readonly fifo: string;
}

/** Lines of history that tmux keeps of each pane, above its screen. */
export const HISTORY_LINES = 5_000;

/** How a pane's program ended: a `code`, or the number of a `signal`; neither when tmux could not tell. */
export interface PaneExit {
  readonly code?: number;
  readonly signal?: number;
}

export interface PaneInfo extends Pane {
  readonly size: Size;
  /** False for a tmux session that does not carry Maestro's marker: somebody else's, to be left alone. */
  readonly marked: boolean;
  readonly run: number;
  readonly dead: boolean;
  /** Present once the pane is dead. */
  readonly exit?: PaneExit;
  /** When the program ended, to the second, in milliseconds since 1970. Present once the pane is dead and tmux tells. */
  readonly deadAt?: number;
  /**
   * When tmux last had output, to the second, in milliseconds since 1970 by tmux's clock. Absent when people made panes beside it, as tmux
   * then tells of all together.
   */
  readonly printedAt?: number;
  /** True while tmux believes that output is piped. */
  readonly piped: boolean;
}

export interface CaptureOptions {
  /** Keep colours and attributes as SGR sequences. */
  readonly ansi: boolean;
  /** Lines of history above the screen. */
  readonly history: number;
}

/** Why tmux could not be asked: `gone` when its server has ended, `silent` when it lives but does not answer. */
export type TmuxState = 'up' | 'silent' | 'gone';

/**
 * The seam to tmux: one real implementation, and one for tests that parks a call in the middle.
 *
 * Every method rejects with `tmux_unavailable` when tmux does not answer in time, and with `not_running` when the pane is gone or its
 * program has ended where one is needed. A call that was given up never leaves a pane behind: what it made later is ended.
 */
export interface Panes {
  readonly state: TmuxState;
  /** Makes the session and arms its pipe in one step of the server: the program's first byte is in the fifo. */
  newSessionPiped(spec: NewPane): Promise<Pane>;
  /** Takes the pane out of tmux. Its processes get SIGHUP at most; ending them is {@link file://./process-tree.ts}'s work. No error if gone. */
  killSession(pane: Pane): Promise<void>;
  /**
   * A short text that is another one as soon as a pane has been made, has died or has gone. Far cheaper than {@link listSessions}, whose
   * answer it does not replace.
   */
  pulse(): Promise<string>;
  /** Every tmux session but Maestro's own control session, each with its first pane. */
  listSessions(): Promise<PaneInfo[]>;
  /** One session's pane, or undefined when tmux has none of that id. */
  paneInfo(sessionId: string): Promise<PaneInfo | undefined>;
  /** The record kept with the pane at its creation, or by {@link setRecord}. */
  record(pane: Pane): Promise<string | undefined>;
  setRecord(pane: Pane, record: string): Promise<void>;
  /** Arms the pipe afresh on another fifo and tells what the pane shows; the stream continues the snapshot to the byte. */
  adopt(pane: Pane, fifo: string): Promise<PaneSnapshot>;
  /** The same without arming anything, with at most so many lines of history, one at least. */
  look(pane: Pane, history: number): Promise<PaneSnapshot>;
  /** Keystrokes, byte for byte; any value, any length. Leaves copy mode first. */
  sendBytes(pane: Pane, bytes: Uint8Array): Promise<void>;
  /** Named keys, in tmux's words, each already checked. */
  sendKeys(pane: Pane, keys: readonly string[]): Promise<void>;
  /** Pastes text, inside paste brackets when the program asked for them. */
  paste(pane: Pane, text: string): Promise<void>;
  resizeWindow(pane: Pane, size: Size): Promise<void>;
  capturePane(pane: Pane, options: CaptureOptions): Promise<Buffer>;
}
