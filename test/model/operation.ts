import type { ActivityRequest, ErrorCode, Size } from '../../src/protocol/index.js';

/** What a resumed program does: stays, fails at once, or is done at once. */
export type Fate = 'stay' | 'fail' | 'finish';

/** Which run a report says that it comes from. */
export type Speaker = 'current' | 'former' | 'untold';

/** What can be done with one session. */
export type Operation =
  | { readonly kind: 'say'; readonly word: string }
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: number }
  | { readonly kind: 'stop' }
  | { readonly kind: 'kill'; readonly force: boolean }
  | { readonly kind: 'resume' | 'restart'; readonly fate: Fate }
  | { readonly kind: 'resize'; readonly size: Size }
  | { readonly kind: 'rename'; readonly name: string }
  | { readonly kind: 'dirty' }
  | {
      readonly kind: 'report';
      readonly speaker: Speaker;
      /** The number of the run it comes from, once that is known. */
      readonly run?: number | undefined;
      readonly state: ActivityRequest['state'];
      readonly conversation: string | undefined;
    };

/** What the daemon said to it. */
export type Answer = 'ok' | ErrorCode;

/** What can happen to the host. */
export type HostEvent = 'daemon stops' | 'daemon crashes' | 'tmux dies' | 'both die' | 'flush';

/** What a program exits with that fails as soon as it is resumed. */
export const FAILED = 7;
