import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { MaestroClient } from '../../client/maestro-client.js';
import type { Session } from '../../protocol/index.js';
import { EXIT } from '../exit-code.js';
import { failureOf } from '../failure.js';
import { displayName, exitSentence } from '../session-text.js';

export interface EndedSession {
  readonly client: MaestroClient;
  readonly session: Session;
  readonly tmuxSocket: string;
  /** How to name the session in a command. */
  readonly target: string;
}

/** The daemon sees an end within a second, and takes up to six to end the whole tree of a session that is killed. */
const SEEN_WITHIN_MS = 8000;
const LOOK_EVERY_MS = 50;

/** Why the session's terminal has closed, in a sentence for the user. */
export async function endSentence(ended: EndedSession): Promise<string> {
  const { session, target } = ended;
  const name = displayName(session);
  const deadline = Date.now() + SEEN_WITHIN_MS;
  while (Date.now() < deadline) {
    const now = await lookUp(ended);
    if (now === 'gone') return `${name} was killed`;
    if (now === 'unknown') return `${name}'s terminal has closed, and no daemon answers that could say why; maestro doctor looks into it`;
    if (now.status === 'dormant') return `${name} ${exitSentence(now.exit)}. Bring it back: maestro resume ${target}`;
    if (now.status === 'dead') return `${name} ${exitSentence(now.exit)}`;
    if (await hasPane(ended)) return `${name} was started again. Reattach: maestro attach ${target}`;
    await delay(LOOK_EVERY_MS);
  }
  return `${name}'s terminal has closed`;
}

async function lookUp({ client, session }: EndedSession): Promise<Session | 'gone' | 'unknown'> {
  try {
    return await client.session(session.id);
  } catch (error) {
    return failureOf(error).exitCode === EXIT.noSession ? 'gone' : 'unknown';
  }
}

function hasPane({ tmuxSocket, session }: EndedSession): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('tmux', ['-S', tmuxSocket, '-f', '/dev/null', 'has-session', '-t', `=${session.id}`], { timeout: 5000 }, (error) =>
      resolve(!error),
    );
  });
}
