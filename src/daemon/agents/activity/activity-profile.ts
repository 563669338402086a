import type { SignalSource } from './agent-signal.js';

/**
 * Who is believed about what one kind of agent does.
 *
 * The sources of the first tier that has spoken in this run decide; all others confirm: they add the kind of a wait or a message to what
 * is known, and never change the state. Sources of one tier are put in order by the time of what they say.
 */
export interface ActivityProfile {
  readonly tiers: readonly (readonly SignalSource[])[];
  /** Its reports carry exact times, so that the later one is right. Otherwise the order of those within some 10 ms means nothing. */
  readonly hooksAreOrdered: boolean;
  /** The only source that can tell that it has started; another one's `idle` is not believed before. */
  readonly readyBy?: SignalSource;
  /** Without any sign of life for so long after the start, and with a screen that rests, it shows a dialog. In milliseconds. */
  readonly dialogAfterMs?: number;
  /** Output is work, and so much silence is idle. In milliseconds. */
  readonly outputIdleAfterMs?: number;
}

const SILENCE_MS = 10_000;

export const ACTIVITY_PROFILES = {
  /**
   * Turns, requests and failures by hooks; an Esc and the answer to a request by the status file, which dates what it says. OSC 7501 comes
   * only where the terminal answered in time. The title never changes under tmux.
   */
  claude: { tiers: [['hook', 'status_file'], ['program_status']], hooksAreOrdered: false, dialogAfterMs: 20_000 },
  /** Hooks run only when the user has allowed them, and none tells of an Esc or an error. They add the conversation and messages. */
  codex: { tiers: [['program_status'], ['hook']], hooksAreOrdered: false, dialogAfterMs: 20_000 },
  /** The title is right in every case, Esc included, but for the start: it says ready over a trust dialog. Users can turn it off. */
  gemini: { tiers: [['title'], ['hook']], hooksAreOrdered: true, readyBy: 'hook', dialogAfterMs: 30_000 },
  /** The plugin runs in OpenCode's own process, and sees all its events in their order. There is no dialog at its start, which may be long. */
  opencode: { tiers: [['hook']], hooksAreOrdered: true, dialogAfterMs: 90_000 },
} as const satisfies Record<string, ActivityProfile>;

/** For programs that are not known. `byOutput` counts output as work where they say nothing themselves. */
export function genericProfile({ byOutput }: { readonly byOutput: boolean }): ActivityProfile {
  const told: ActivityProfile = { tiers: [['hook', 'program_status']], hooksAreOrdered: true };
  return byOutput ? { ...told, tiers: [...told.tiers, ['output']], outputIdleAfterMs: SILENCE_MS } : told;
}

/** The profile of an agent by its preset's id, or that of a program that is not known. */
export function activityProfile(agent: string | undefined, options: { readonly byOutput: boolean }): ActivityProfile {
  const known: Readonly<Record<string, ActivityProfile>> = ACTIVITY_PROFILES;
  return (agent !== undefined && Object.hasOwn(known, agent) ? known[agent] : undefined) ?? genericProfile(options);
}

/** True if `source` is believed, when those of `heard` have spoken. */
export function decides(profile: ActivityProfile, source: SignalSource, heard: readonly SignalSource[]): boolean {
  const tierOf = (one: SignalSource) => profile.tiers.findIndex((tier) => tier.includes(one));
  const own = tierOf(source);
  return own >= 0 && heard.every((other) => tierOf(other) < 0 || tierOf(other) >= own);
}
