import { Unicode11Addon } from '@xterm/addon-unicode11';
import { useEffect, useMemo, useRef } from 'react';
import type { Size } from '../../protocol/index.js';
import { ScreenColors } from './screen-colors.js';
import { paintScreen } from './screen-painter.js';
import { parseScreen } from './screen-text.js';
import { paintFont } from './terminal-font.js';
import { readContrast, readTheme, watchTheme } from './terminal-theme.js';
import { TmuxWidths } from './tmux-widths.js';

const WIDTHS = TmuxWidths.from(new Unicode11Addon());

interface MiniScreenProps {
  /** What `/screen?format=ansi` told. */
  readonly text: string;
  /** Of the session's terminal. */
  readonly size: Size;
  /** Of the text, where that of the terminal is 1. */
  readonly scale?: number;
  /** What it is a picture of, where nothing beside it says so. */
  readonly label?: string;
}

/** A session's screen as a small picture, which fills the element around it. It is drawn once for each text and size, and costs nothing in between. */
export function MiniScreen({ text, size: { cols }, scale = 0.5, label }: MiniScreenProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const rows = useMemo(() => parseScreen(text, cols, WIDTHS), [text, cols]);
  useEffect(() => {
    const element = canvas.current;
    const host = element?.parentElement;
    if (element === null || host === null || host === undefined) return;
    const paint = () => {
      const { clientWidth: width, clientHeight: height } = host;
      const size = { width, height, pixelRatio: window.devicePixelRatio, scale };
      paintScreen(element, rows, { size, font: paintFont(host), colors: new ScreenColors(readTheme(host), readContrast(host)) });
    };
    const observer = new ResizeObserver(paint); // it paints at once, too
    observer.observe(host);
    const stopWatching = watchTheme(paint);
    return () => {
      observer.disconnect();
      stopWatching();
    };
  }, [rows, scale]);
  const meaning = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return (
    <div className="mini">
      <canvas ref={canvas} {...meaning} />
    </div>
  );
}
