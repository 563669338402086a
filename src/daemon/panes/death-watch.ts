import { DEATH_CHANNEL } from './server-settings.js';
import type { TmuxControl } from './tmux-control.js';
import { command } from './tmux-quote.js';

/**
 * Hears from tmux that a pane's program has ended, within milliseconds, on a client of its own that waits for the channel which the
 * `pane-died` hook signals. Rejects when that client ends.
 *
 * A signal that finds nobody waiting is kept, but the next one cancels it; so each time the wait is armed again there is a look for what
 * ended in between. tmux can miss an end altogether: this is a hint, and a slow poll stays necessary.
 */
export async function watchDeaths(control: TmuxControl, onDeath: () => void): Promise<never> {
  const forever = { timeoutMs: Number.POSITIVE_INFINITY };
  for (;;) {
    // tmux answers a wait-for at once and then takes nothing more from this client until the channel is signalled.
    const armed = control.run([command('wait-for', DEATH_CHANNEL)], forever);
    const woken = control.run([command('display-message', '-p', '')], forever);
    await Promise.race([armed, woken]);
    onDeath();
    await woken;
  }
}
