import type { KeyboardEvent, RefObject } from 'react';

/** Arrows, Home and End go among the tiles as they lie. */
export function useTileKeys(wall: RefObject<HTMLElement | null>): (event: KeyboardEvent) => void {
  return (event) => {
    const tiles = [...(wall.current?.querySelectorAll<HTMLElement>('[data-tile]') ?? [])];
    const from = tiles.indexOf(document.activeElement as HTMLElement);
    if (from === -1 || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = neighbour(tiles, from, event.key);
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
    next.scrollIntoView({ block: 'nearest' });
  };
}

function neighbour(tiles: readonly HTMLElement[], from: number, key: string): HTMLElement | undefined {
  switch (key) {
    case 'ArrowRight':
      return tiles[from + 1];
    case 'ArrowLeft':
      return tiles[from - 1];
    case 'ArrowDown':
      return tiles[from + columnsOf(tiles)] ?? tiles.slice(from + 1).at(-1);
    case 'ArrowUp':
      return tiles[from - columnsOf(tiles)];
    case 'Home':
      return tiles[0];
    case 'End':
      return tiles.at(-1);
    default:
      return undefined;
  }
}

/** How many tiles lie beside each other. */
function columnsOf(tiles: readonly HTMLElement[]): number {
  const top = tiles[0]?.getBoundingClientRect().top;
  return Math.max(
    1,
    tiles.findIndex((tile) => tile.getBoundingClientRect().top !== top),
  );
}
