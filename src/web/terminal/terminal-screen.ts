import { FitAddon } from '@xterm/addon-fit';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { Terminal } from '@xterm/xterm';
import { SIZE_LIMITS, type Size } from '../../protocol/index.js';
import { boundRepeats } from './bounded-repeats.js';
import { watchClipboardWrites } from './clipboard-writes.js';
import { NewLines } from './new-lines.js';
import { PastOutput } from './past-output.js';
import { pasteable } from './paste.js';
import { RoomScroll } from './room-scroll.js';
import type { TerminalScreenEvents } from './screen-events.js';
import { copySelections } from './selection-copy.js';
import { readFont, type TerminalFont } from './terminal-font.js';
import { findWebLinks, linkHandler } from './terminal-links.js';
import { canDrawFast, drawFast, releaseContexts } from './terminal-renderer.js';
import { TerminalSearch } from './terminal-search.js';
import { terminalSettings } from './terminal-settings.js';
import { readContrast, readQuietTheme, readTheme, watchTheme } from './terminal-theme.js';
import { TmuxWidths } from './tmux-widths.js';
import { scrollByTouch } from './touch-scroll.js';
import { leaveQueriesUnanswered } from './unanswered-queries.js';
import { takeUserInput } from './user-input.js';

export interface TerminalScreenOptions extends TerminalScreenEvents {
  readonly size: Size;
  /** For output that is over. */
  readonly readOnly?: boolean;
  /** For output in one ink. */
  readonly quiet?: boolean;
  /** Whether what is selected is copied at once. */
  readonly copiesSelection?: () => boolean;
  /** Whether an agent reads the keys now, for whose prompt Shift+Enter begins a new line. */
  readonly isPrompt?: () => boolean;
}

const RESET = '\u001bc';
/** How soon a reset happens when no output comes with it, in milliseconds. */
const RESET_ALONE_MS = 100;

/** A terminal in an element of the page: draws output, and tells what is typed. */
export class TerminalScreen {
  readonly terminal: Terminal;
  readonly search: TerminalSearch;
  readonly #host: HTMLElement;
  readonly #scroll: RoomScroll;
  readonly #fit = new FitAddon();
  readonly #gone = new AbortController();
  readonly #readTheme: typeof readTheme;
  readonly #onKey: (text: string) => void;
  readonly #past: PastOutput;
  readonly #newLines: NewLines;
  #isPastDue = false;
  #isSettled = false;
  /** Where the user was when the terminal was reset, in lines above the end. */
  #place = 0;
  #isFast = canDrawFast();
  #resetTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: HTMLElement, options: TerminalScreenOptions) {
    this.#host = host;
    this.#readTheme = options.quiet ? readQuietTheme : readTheme;
    this.#onKey = (text) => options.onKey?.(text);
    const links = linkHandler(host, (link) => options.onLink?.(link));
    this.terminal = new Terminal({
      ...terminalSettings(options.size, options.readOnly ?? false),
      ...this.#font(),
      theme: this.#readTheme(host),
      minimumContrastRatio: readContrast(host),
      linkHandler: links,
    });
    this.terminal.loadAddon(this.#fit);
    TmuxWidths.use(this.terminal, new Unicode11Addon());
    findWebLinks(this.terminal, links);
    leaveQueriesUnanswered(this.terminal);
    boundRepeats(this.terminal);
    this.terminal.open(host);
    void drawFast(this.terminal, () => this.#drawSlow(), this.#gone.signal).then(() => this.#settled(options));
    this.#past = new PastOutput(this.terminal, this.#gone.signal);
    this.#newLines = new NewLines(this.terminal);
    this.search = new TerminalSearch(this.terminal);
    this.#scroll = new RoomScroll(host, this.terminal, this.#gone.signal);
    this.#listen(options);
  }

  /** The size that fills the host. Undefined while it is not shown, and until it is known what draws it, which decides how wide a cell is. */
  fittingSize(): Size | undefined {
    if (!this.#isSettled) return undefined;
    const size = this.#fit.proposeDimensions();
    if (size === undefined || !Number.isFinite(size.cols) || !Number.isFinite(size.rows)) return undefined;
    const { minCols, maxCols, minRows, maxRows } = SIZE_LIMITS;
    return { cols: Math.min(maxCols, Math.max(minCols, size.cols)), rows: Math.min(maxRows, Math.max(minRows, size.rows)) };
  }

  write(bytes: Uint8Array, onShown?: () => void): void {
    if (this.#resetTimer !== undefined) this.#resetNow();
    if (this.#isPastDue) this.#past.begin();
    this.terminal.write(bytes, onShown);
  }

  /** What is written from now on was printed in the past, until {@link endPast}: it is shown all at once, and asks the user for nothing. */
  beginPast(): void {
    this.#isPastDue = true;
  }

  endPast(): void {
    this.#isPastDue = false;
    this.#past.end(() => this.#backToPlace());
  }

  /** Forgets all output, together with the next output so that nothing flickers. In order with what was written before. */
  reset(): void {
    this.#resetTimer ??= setTimeout(() => this.#resetNow(), RESET_ALONE_MS);
  }

  /** In order with what was written before. In a room that is too small for it, the end is shown: that is where the prompt is. */
  resize({ cols, rows }: Size): void {
    this.terminal.write('', () => {
      if (this.#gone.signal.aborted) return;
      this.terminal.resize(cols, rows);
      this.showEnd();
    });
  }

  /** Of a terminal that is larger than its room. */
  showEnd(): void {
    this.#scroll.showEnd();
  }

  /** What a key of the page's own sends. It goes past {@link TerminalScreenEvents.onText}. */
  send(text: string): void {
    this.terminal.scrollToBottom();
    this.#onKey(text);
  }

  paste(text: string): void {
    this.terminal.paste(pasteable(text));
  }

  focus(): void {
    this.terminal.focus();
  }

  dispose(): void {
    this.#gone.abort();
    clearTimeout(this.#resetTimer);
    const canvases = [...this.#host.querySelectorAll('canvas')];
    this.terminal.dispose();
    releaseContexts(canvases);
  }

  #resetNow(): void {
    clearTimeout(this.#resetTimer);
    this.#resetTimer = undefined;
    const { baseY, viewportY } = this.terminal.buffer.active;
    this.#place = baseY - viewportY;
    this.terminal.write(RESET);
  }

  /** What is shown anew is mostly what was there before: who read older lines goes on with them. */
  #backToPlace(): void {
    if (this.#place > 0) this.terminal.scrollLines(-this.#place);
    this.#place = 0;
  }

  #settled({ onSettled }: TerminalScreenEvents): void {
    if (this.#gone.signal.aborted) return;
    this.#isSettled = true;
    onSettled?.();
  }

  #drawSlow(): void {
    this.#isFast = false;
    this.#refont();
  }

  /** The window's zoom, or a narrower window, may ask for another font. */
  #refont(): void {
    Object.assign(this.terminal.options, this.#font());
  }

  /** Elements are laid out in fractions of pixels: they need no correction. */
  #font(): TerminalFont {
    const font = readFont(this.#host);
    return this.#isFast ? font : { ...font, letterSpacing: 0 };
  }

  #listen(options: TerminalScreenOptions): void {
    const { terminal } = this;
    const { signal } = this.#gone;
    terminal.onTitleChange((title) => options.onTitle?.(title));
    terminal.onScroll(() => this.#scrolled(options));
    terminal.onWriteParsed(() => this.#scrolled(options));
    terminal.textarea?.addEventListener('focus', () => options.onFocus?.(true), { signal });
    terminal.textarea?.addEventListener('blur', () => options.onFocus?.(false), { signal });
    window.addEventListener('resize', () => this.#refont(), { signal });
    scrollByTouch(this.#host, terminal, signal);
    copySelections(this.#host, terminal, { isAutomatic: options.copiesSelection ?? (() => false), signal });
    const isPrompt = options.isPrompt ?? (() => false);
    if (options.readOnly !== true) takeUserInput(this.#host, terminal, { events: options, isPrompt, signal });
    watchClipboardWrites(terminal, (text) => this.#past.isParsed || options.onClipboard?.(text));
    signal.addEventListener(
      'abort',
      watchTheme(() => this.#restyle()),
    );
  }

  #scrolled({ onScroll }: TerminalScreenEvents): void {
    const below = this.#newLines.look();
    if (below !== undefined) onScroll?.(below);
  }

  #restyle(): void {
    this.terminal.options.theme = this.#readTheme(this.#host);
    this.terminal.options.minimumContrastRatio = readContrast(this.#host);
    this.#refont();
  }
}
