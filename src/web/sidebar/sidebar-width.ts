/** In pixels. The usual one is the style sheet's. */
export const SIDEBAR_WIDTH = { least: 220, usual: 304, most: 420 } as const;

export function widthWithin(width: number): number {
  return Math.round(Math.max(SIDEBAR_WIDTH.least, Math.min(SIDEBAR_WIDTH.most, width)));
}
