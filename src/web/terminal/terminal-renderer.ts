import { WebglAddon } from '@xterm/addon-webgl';
import type { Terminal } from '@xterm/xterm';

/** Draws by WebGL where that works. Where it does not, or no longer, xterm.js draws with elements, slower and just as right. */
export function drawFast(terminal: Terminal, onFallback: () => void): void {
  try {
    const addon = new WebglAddon();
    addon.onContextLoss(() => {
      addon.dispose();
      onFallback();
    });
    terminal.loadAddon(addon);
  } catch {
    onFallback();
  }
}
