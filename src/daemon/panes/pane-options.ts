/**
 * The user options of tmux that mark a session as Maestro's. They are the session's own, so a session that people group with it or make
 * by its name does not carry them.
 */
export const PANE_OPTION = {
  /** The session's id: the marker. */
  id: '@maestro_id',
  /** Which start of the session this is. */
  run: '@maestro_run',
  /** A copy of the sidecar. */
  record: '@maestro_record',
  /** The pane of the program, by tmux's id, however the window was split later. */
  pane: '@maestro_pane',
  /** Names the attempt to create it, so that one that was given up is found again. */
  attempt: '@maestro_attempt',
} as const;
