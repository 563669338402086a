import type { Terminal } from '@xterm/xterm';

const CURSOR_MODE = 25;

/**
 * Moves a terminal that is larger than its room so that what matters is in view: its end at first, then the row of the cursor, unless the
 * user has moved it elsewhere. Typing brings it back.
 */
export class RoomScroll {
  readonly #host: HTMLElement;
  readonly #terminal: Terminal;
  #follows = true;
  #hasCursor = true;
  /** Where this object has scrolled to: any other place is the user's. */
  #own = 0;

  constructor(host: HTMLElement, terminal: Terminal, signal: AbortSignal) {
    this.#host = host;
    this.#terminal = terminal;
    for (const [final, shown] of [['h', true] as const, ['l', false] as const]) {
      terminal.parser.registerCsiHandler({ prefix: '?', final }, (modes) => {
        if (modes.includes(CURSOR_MODE)) this.#hasCursor = shown;
        return false; // xterm.js sees to the mode itself
      });
    }
    terminal.onCursorMove(() => this.#follow());
    terminal.onData(() => {
      this.#follows = true;
      this.#follow();
    });
    host.addEventListener('scroll', () => this.#scrolled(), { signal, passive: true });
  }

  showEnd(): void {
    this.#scrollTo(this.#host.scrollHeight);
  }

  #follow(): void {
    const { scrollHeight, clientHeight, scrollTop } = this.#host;
    if (!this.#follows || !this.#hasCursor || scrollHeight <= clientHeight) return;
    const { top, bottom } = this.#cursorRow();
    if (top < 0) this.#scrollTo(scrollTop + top);
    else if (bottom > clientHeight) this.#scrollTo(scrollTop + bottom - clientHeight);
  }

  #scrolled(): void {
    if (Math.abs(this.#host.scrollTop - this.#own) <= 1) return;
    const { top, bottom } = this.#cursorRow();
    this.#follows = top >= 0 && bottom <= this.#host.clientHeight;
  }

  #scrollTo(top: number): void {
    this.#host.scrollTop = top;
    this.#own = this.#host.scrollTop;
  }

  /** In pixels below the upper edge of the room. */
  #cursorRow(): { top: number; bottom: number } {
    const screen = this.#host.querySelector('.xterm-screen')?.getBoundingClientRect();
    const { rows, buffer } = this.#terminal;
    const height = (screen?.height ?? 0) / rows;
    const top = (screen?.top ?? 0) - this.#host.getBoundingClientRect().top + buffer.active.cursorY * height;
    return { top, bottom: top + height };
  }
}
