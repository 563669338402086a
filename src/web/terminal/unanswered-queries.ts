import type { Terminal } from '@xterm/xterm';

const SWALLOW = () => true;

/**
 * Keeps the terminal from answering queries. tmux answers for the program, once; the daemon takes queries out of the stream, and what it
 * does not know must not make each viewer type an answer.
 */
export function leaveQueriesUnanswered({ parser }: Terminal): void {
  for (const prefix of [undefined, '>', '=']) parser.registerCsiHandler({ ...(prefix && { prefix }), final: 'c' }, SWALLOW); // DA
  for (const prefix of [undefined, '?']) {
    parser.registerCsiHandler({ ...(prefix && { prefix }), final: 'n' }, SWALLOW); // DSR, CPR
    parser.registerCsiHandler({ ...(prefix && { prefix }), intermediates: '$', final: 'p' }, SWALLOW); // DECRQM
  }
  parser.registerCsiHandler({ prefix: '>', final: 'q' }, SWALLOW); // XTVERSION
  parser.registerCsiHandler({ prefix: '?', final: 'u' }, SWALLOW); // kitty keyboard
  parser.registerCsiHandler({ final: 't' }, SWALLOW); // window reports
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, SWALLOW); // DECRQSS
  for (const code of [4, 10, 11, 12]) parser.registerOscHandler(code, (data) => data.includes('?')); // colours: asked for, not set
}
