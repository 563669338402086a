import { HISTORY_LINES } from './panes.js';
import { type Command, command } from './tmux-quote.js';

/** The session that the control clients are attached to; it has no use but to be there. */
export const CONTROL_SESSION = 'maestro-ctl';

/** The `wait-for` channel on which tmux tells that a pane's program has ended. */
export const DEATH_CHANNEL = 'maestro-died';

/** A server option with the directory of files to paste; read through a format, it reaches tmux whatever characters it holds. */
export const PASTE_DIR_OPTION = '@maestro_paste_dir';

/**
 * For the environment of the server: glibc then gives blocks of this size and above back to the system when they are freed, as the tables
 * of a history are, and goes on to. By itself it soon keeps them for later, in pieces, and a server whose sessions come and go grows.
 */
export const ALLOCATION = { MALLOC_MMAP_THRESHOLD_: '65536' } as const;

export interface ServerSettings {
  readonly leader: string;
  readonly terminal: string;
  readonly pasteDir: string;
}

const set = (...words: readonly string[]) => command('set-option', ...words);

/**
 * What every session relies on. `window-size` stays as it is here: with `manual` as the global value tmux 3.3a and 3.5a crash at the next
 * new-session, so each window gets it by itself.
 */
export function requiredSettings({ terminal, pasteDir }: ServerSettings): Command[] {
  return [
    set('-s', 'exit-empty', 'off'),
    set('-s', 'exit-unattached', 'off'),
    set('-g', 'destroy-unattached', 'off'),
    // By itself as well, whatever a program loads into the server later: when its clients end together with the session, as those of a
    // daemon that is killed would, tmux 3.3a crashes.
    set('-t', `=${CONTROL_SESSION}:`, 'destroy-unattached', 'off'),
    set('-g', 'remain-on-exit', 'on'),
    set('-g', 'default-shell', '/bin/sh'),
    set('-g', 'default-command', ''),
    set('-g', 'default-terminal', terminal),
    set('-g', 'default-size', '120x40'),
    set('-g', 'history-limit', String(HISTORY_LINES)),
    set('-g', 'update-environment', ''),
    set('-g', PASTE_DIR_OPTION, pasteDir),
    // The log of messages would keep the text of every command, environments and pastes included.
    set('-s', 'message-limit', '0'),
    command('set-hook', '-g', 'pane-died', `wait-for -S ${DEATH_CHANNEL}`),
  ];
}

/** What makes an attached terminal pleasant and harmless. Each stands alone: a version of tmux that lacks one misses only that. */
export function optionalSettings({ leader }: ServerSettings): Command[] {
  return [...comfort(), ...cleanEnvironment(), ...keys(leader)];
}

function comfort(): Command[] {
  return [
    set('-s', 'escape-time', '0'),
    // Else keys that arrive together, as they do over a slow line, count as a paste and the leader among them does nothing.
    set('-g', 'assume-paste-time', '0'),
    set('-s', 'focus-events', 'on'),
    set('-s', 'set-clipboard', 'off'),
    set('-g', 'remain-on-exit-format', ''),
    set('-g', 'status', 'off'),
    set('-g', 'mouse', 'off'),
    set('-g', 'prefix', 'None'),
    set('-g', 'prefix2', 'None'),
    set('-g', 'set-titles', 'off'),
    set('-g', 'automatic-rename', 'off'),
    set('-g', 'allow-rename', 'off'),
    set('-g', 'bell-action', 'none'),
    set('-g', 'detach-on-destroy', 'on'),
  ];
}

/** The server was started with these for itself; a pane gets what its session is given. */
function cleanEnvironment(): Command[] {
  return ['HOME', 'LANG', 'PATH', 'PWD', 'SHELL', ...Object.keys(ALLOCATION)].map((name) => command('set-environment', '-g', '-u', name));
}

/** One leader key in the root table, so that programs keep every other; nothing else that a key or a menu could do to a session. */
function keys(leader: string): Command[] {
  const bind = (...words: readonly string[]) => command('bind-key', ...words);
  return [
    ...['root', 'prefix', 'maestro'].map((table) => command('unbind-key', '-a', '-T', table)),
    bind('-n', leader, 'switch-client', '-T', 'maestro'),
    bind('-T', 'maestro', 'd', 'detach-client'),
    bind('-T', 'maestro', '[', 'copy-mode'),
    bind('-T', 'maestro', 'PageUp', 'copy-mode', '-u'),
    bind('-T', 'maestro', leader, 'send-keys', leader),
  ];
}

/** A key that may be the leader: one with Ctrl or Alt, or a function key, but none that is Tab, Enter or Escape by another name. */
const LEADER = /^(?:(?:C-|M-|C-M-|M-C-)(?:Space|[!-~])|(?:C-|M-|S-){0,2}F(?:[1-9]|1[0-2]))$/;
const OTHER_NAMES = /^C-[iImM[]$/;

/** What is wrong with `leader`, for the user; undefined when nothing is. */
export function leaderProblem(leader: string): string | undefined {
  if (LEADER.test(leader) && !OTHER_NAMES.test(leader)) return undefined;
  return `The leader key "${leader}" cannot be used; give a key with Ctrl or Alt, or a function key, such as "C-b", "M-a" or "F12"`;
}
