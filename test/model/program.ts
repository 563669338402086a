import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CreateSessionRequest, InputRequest } from '../../src/protocol/index.js';
import { FAILED, type Fate, type Operation } from './operation.js';

/** Says which life it lives and what it was given, then does what it is told; a resumed one first looks up its fate. */
const COMMAND = [
  'echo "[life-$MAESTRO_RUN] $GREETING"',
  '[ "$MAESTRO_RUN" = 1 ] || read fate < "$FATE"',
  `case "$fate" in fail) exit ${FAILED};; finish) exit 0;; esac`,
  // A word is told in brackets, so that the echo of what was typed does not count.
  'while read verb word; do case "$verb" in say) echo "[$word]";; exit) exit "$word";; signal) kill "-$word" $$;; esac; done',
].join('\n');

/** A session whose program can be told what to do. `place` is a directory for its fate. */
export function programOf({ place, name, greeting }: { place: string; name: string; greeting: string }): CreateSessionRequest {
  return { command: COMMAND, env: { FATE: fatePath(place, name), GREETING: greeting }, metadata: { name } };
}

/** What the program does when it is next resumed. */
export async function decide(fateFile: string, fate: Fate): Promise<void> {
  await writeFile(fateFile, `${fate}\n`);
}

function fatePath(place: string, name: string): string {
  return join(place, `${name}.fate`);
}

/** Keys and not text: text is refused while an agent waits for an answer. */
export function typed(operation: Extract<Operation, { kind: 'say' | 'exit' | 'signal' }>): InputRequest {
  const word = operation.kind === 'say' ? operation.word : String(operation.kind === 'exit' ? operation.code : operation.signal);
  return { keys: [...operation.kind, 'Space', ...word, 'Enter'] };
}
