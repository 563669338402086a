import { type ISearchOptions, SearchAddon } from '@xterm/addon-search';
import type { Terminal } from '@xterm/xterm';
import { mixColors } from './mix-colors.js';

export interface SearchResult {
  /** 1 for the first; 0 when none is selected. */
  readonly at: number;
  readonly count: number;
  /** There are more than are counted. */
  readonly more: boolean;
}

const LIMIT = 1000;

/** Finds text in the terminal's screen and scrollback. */
export class TerminalSearch {
  readonly #addon = new SearchAddon({ highlightLimit: LIMIT });
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    terminal.loadAddon(this.#addon);
  }

  onResult(listener: (result: SearchResult) => void): () => void {
    const subscription = this.#addon.onDidChangeResults(({ resultIndex, resultCount }) =>
      listener({ at: resultIndex + 1, count: resultCount, more: resultCount >= LIMIT }),
    );
    return () => subscription.dispose();
  }

  /** Towards the newest output, or with `back` towards the oldest. `incremental` stays on a match that still fits. */
  find(text: string, { back = false, incremental = false }: { back?: boolean; incremental?: boolean } = {}): void {
    const options: ISearchOptions = { incremental, decorations: this.#colors() };
    if (back) this.#addon.findPrevious(text, options);
    else this.#addon.findNext(text, options);
  }

  clear(): void {
    this.#addon.clearDecorations();
    this.#terminal.clearSelection();
  }

  /** The addon takes hex only. */
  #colors(): NonNullable<ISearchOptions['decorations']> {
    const { foreground = '', background = '', cursor = '' } = this.#terminal.options.theme ?? {};
    const match = mixColors(foreground, background, 0.25);
    return {
      matchBackground: match,
      matchOverviewRuler: mixColors(foreground, background, 0.5),
      activeMatchBackground: mixColors(foreground, background, 0.4),
      activeMatchBorder: mixColors(cursor, background, 1),
      activeMatchColorOverviewRuler: mixColors(cursor, background, 1),
    };
  }
}
