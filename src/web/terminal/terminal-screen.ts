import { FitAddon } from '@xterm/addon-fit';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { Terminal } from '@xterm/xterm';
import { SIZE_LIMITS, type Size } from '../../protocol/index.js';
import { boundRepeats } from './bounded-repeats.js';
import { pasteable } from './paste.js';
import { RoomScroll } from './room-scroll.js';
import { readFont } from './terminal-font.js';
import { findWebLinks, linkHandler, type TerminalLink } from './terminal-links.js';
import { drawFast } from './terminal-renderer.js';
import { TerminalSearch } from './terminal-search.js';
import { terminalSettings } from './terminal-settings.js';
import { readQuietTheme, readTheme, watchTheme } from './terminal-theme.js';
import { TmuxWidths } from './tmux-widths.js';
import { scrollByTouch } from './touch-scroll.js';
import { leaveQueriesUnanswered } from './unanswered-queries.js';

export interface TerminalScreenEvents {
  /** What the user typed, pasted or pointed at, as text to be encoded. */
  onText?(text: string): void;
  /** What {@link TerminalScreen.send} was given. */
  onKey?(text: string): void;
  /** Mouse reports of the old encoding, one byte per character. */
  onBinary?(bytes: Uint8Array): void;
  onLink?(link: TerminalLink | undefined): void;
  /** The title that the program gave itself. Any text at all. */
  onTitle?(title: string): void;
  /** Lines between the last one shown and the end. */
  onScroll?(linesBelow: number): void;
  onFocus?(focused: boolean): void;
}

export interface TerminalScreenOptions extends TerminalScreenEvents {
  readonly size: Size;
  /** For output that is over. */
  readonly readOnly?: boolean;
  /** For output in one ink. */
  readonly quiet?: boolean;
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
  #linesBelow = 0;
  #isFast = true;
  #resetTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: HTMLElement, options: TerminalScreenOptions) {
    this.#host = host;
    this.#readTheme = options.quiet ? readQuietTheme : readTheme;
    this.#onKey = (text) => options.onKey?.(text);
    const links = linkHandler(host, (link) => options.onLink?.(link));
    this.terminal = new Terminal({
      ...terminalSettings(options.size, options.readOnly ?? false),
      ...readFont(host),
      theme: this.#readTheme(host),
      linkHandler: links,
    });
    this.terminal.loadAddon(this.#fit);
    TmuxWidths.use(this.terminal, new Unicode11Addon());
    findWebLinks(this.terminal, links);
    leaveQueriesUnanswered(this.terminal);
    boundRepeats(this.terminal);
    this.terminal.open(host);
    drawFast(this.terminal, () => this.#drawSlow());
    this.search = new TerminalSearch(this.terminal);
    this.#scroll = new RoomScroll(host, this.terminal, this.#gone.signal);
    this.#listen(options);
  }

  /** The size that fills the host. Undefined while it is not shown. */
  fittingSize(): Size | undefined {
    const size = this.#fit.proposeDimensions();
    if (size === undefined || !Number.isFinite(size.cols) || !Number.isFinite(size.rows)) return undefined;
    const { minCols, maxCols, minRows, maxRows } = SIZE_LIMITS;
    return { cols: Math.min(maxCols, Math.max(minCols, size.cols)), rows: Math.min(maxRows, Math.max(minRows, size.rows)) };
  }

  write(bytes: Uint8Array, onShown?: () => void): void {
    if (this.#resetTimer !== undefined) this.#resetNow();
    this.terminal.write(bytes, onShown);
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
    this.terminal.dispose();
  }

  #resetNow(): void {
    clearTimeout(this.#resetTimer);
    this.#resetTimer = undefined;
    this.terminal.write(RESET);
  }

  #drawSlow(): void {
    this.#isFast = false;
    this.#refont();
  }

  /** The window's zoom, or a narrower window, may ask for another font. */
  #refont(): void {
    const font = readFont(this.#host);
    // Elements are laid out in fractions of pixels: they need no correction.
    Object.assign(this.terminal.options, this.#isFast ? font : { ...font, letterSpacing: 0 });
  }

  #listen(options: TerminalScreenOptions): void {
    const { terminal } = this;
    const { signal } = this.#gone;
    terminal.onData((text) => options.onText?.(text));
    terminal.onBinary((text) => options.onBinary?.(Uint8Array.from(text, (character) => character.charCodeAt(0))));
    terminal.onTitleChange((title) => options.onTitle?.(title));
    terminal.onScroll(() => this.#scrolled(options));
    terminal.onWriteParsed(() => this.#scrolled(options));
    terminal.textarea?.addEventListener('focus', () => options.onFocus?.(true), { signal });
    terminal.textarea?.addEventListener('blur', () => options.onFocus?.(false), { signal });
    this.#host.addEventListener('paste', (event) => this.#pasted(event), { signal, capture: true });
    window.addEventListener('resize', () => this.#refont(), { signal });
    scrollByTouch(this.#host, terminal, signal);
    signal.addEventListener(
      'abort',
      watchTheme(() => this.#restyle()),
    );
  }

  #scrolled({ onScroll }: TerminalScreenEvents): void {
    const { baseY, viewportY } = this.terminal.buffer.active;
    if (baseY - viewportY === this.#linesBelow) return;
    this.#linesBelow = baseY - viewportY;
    onScroll?.(this.#linesBelow);
  }

  #pasted(event: ClipboardEvent): void {
    event.preventDefault();
    event.stopPropagation();
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text !== '' && !this.terminal.options.disableStdin) this.paste(text);
  }

  #restyle(): void {
    this.terminal.options.theme = this.#readTheme(this.#host);
  }
}
