import { leaderLabel } from '../keys/chords.js';
import type { PageCommands } from '../keys/page-commands.js';
import { useLeader } from '../keys/use-leader.js';
import type { BarLeader } from '../terminal/key-bar.js';
import { withModifiers } from '../terminal/key-sequence.js';

/** The leader for fingers: a keyboard on the screen cannot press what is behind it, so that a tap shows it all. */
export function useBarLeader(commands: PageCommands): BarLeader | undefined {
  const leader = useLeader();
  return leader && { label: leaderLabel(leader), sequence: withModifiers(leader.key, leader), onTap: () => commands.run('palette') };
}
