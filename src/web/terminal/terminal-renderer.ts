import type { Terminal } from '@xterm/xterm';

/** What this browser answered. It does not change while the page lives, and a try costs milliseconds. */
let known: boolean | undefined;

/** Whether {@link drawFast} is going to work: a terminal that is measured for the other way of drawing would change its size for a moment. */
export function canDrawFast(): boolean {
  if (known === undefined) {
    const canvas = document.createElement('canvas');
    known = canvas.getContext('webgl2') !== null;
    releaseContexts([canvas]);
  }
  return known;
}

/**
 * Draws by WebGL where that works, as soon as it is loaded. Where it does not work, or no longer, xterm.js draws with elements, slower and
 * just as right. `signal` aborts when the terminal is gone.
 */
export async function drawFast(terminal: Terminal, onFallback: () => void, signal: AbortSignal): Promise<void> {
  if (!canDrawFast()) return;
  try {
    const { WebglAddon } = await import('@xterm/addon-webgl');
    if (signal.aborted) return;
    const addon = new WebglAddon();
    addon.onContextLoss(() => {
      addon.dispose();
      onFallback();
    });
    terminal.loadAddon(addon);
  } catch {
    if (!signal.aborted) onFallback();
  }
}

/** Gives back what a terminal that is gone had of the graphics card at once. Browsers let a page have few such contexts. */
export function releaseContexts(canvases: readonly HTMLCanvasElement[]): void {
  for (const canvas of canvases) canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
}
