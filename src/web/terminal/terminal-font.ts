export interface TerminalFont {
  readonly fontFamily: string;
  readonly fontSize: number;
  /** In multiples of the font's own height. */
  readonly lineHeight: number;
  /** Pixels of the device. */
  readonly letterSpacing: number;
}

/** The font that the styles ask for at `element`, in the terms of xterm.js. */
export function readFont(element: Element): TerminalFont {
  const style = getComputedStyle(element);
  const fontFamily = style.getPropertyValue('--term-font').trim();
  const fontSize = pixels(style, '--term-fs');
  const glyph = measure(`${fontSize}px ${fontFamily}`);
  return {
    fontFamily,
    fontSize,
    lineHeight: lineHeightFor(pixels(style, '--term-lh'), glyph.height),
    letterSpacing: letterSpacingFor(glyph.width, window.devicePixelRatio),
  };
}

/** The same font for who draws by himself. */
export function paintFont(element: Element): { family: string; size: number; lineHeight: number } {
  const style = getComputedStyle(element);
  const family = style.getPropertyValue('--term-font').trim();
  return { family, size: pixels(style, '--term-fs'), lineHeight: pixels(style, '--term-lh') };
}

/** xterm.js multiplies the height that it measured, and takes no less than 1. */
export function lineHeightFor(wanted: number, measured: number): number {
  return measured > 0 ? Math.max(1, wanted / Math.ceil(measured)) : 1;
}

/** The canvas renderers cut a cell to whole device pixels, which squeezes the text where most of a pixel is lost: that one is given back. */
export function letterSpacingFor(width: number, pixelRatio: number): number {
  const cell = width * pixelRatio;
  return cell - Math.floor(cell) >= 0.5 ? 1 : 0;
}

function measure(font: string): { width: number; height: number } {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return { width: 0, height: 0 };
  context.font = font;
  const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText('W');
  return { width, height: fontBoundingBoxAscent + fontBoundingBoxDescent };
}

function pixels(style: CSSStyleDeclaration, property: string): number {
  return Number.parseFloat(style.getPropertyValue(property)) || 13;
}
