/** How the end mark starts; `RUN;SESSION_ID` and BEL follow. */
export const END_MARK_PREFIX = '\u001b]7750;maestro-end;';

/** What the wrapper writes behind the last byte of its program: an OSC sequence that terminals ignore. The reader of the pipe strips it. */
export function endMark(run: number, sessionId: string): string {
  return `${END_MARK_PREFIX}${run};${sessionId}\u0007`;
}

/**
 * What a pane runs: `sh -c WRAPPER maestro CWD RUN;SESSION_ID [NAME=VALUE...] /bin/sh -c COMMAND`.
 *
 * - It uses no variable before the program has ended, as assigning to one that the session exports would change the program's environment.
 * - Its traps are handlers, not ignored signals, so the program starts with the defaults; a signal to the foreground is the program's to
 *   act on, and the wrapper stays to tell how it ended. SIGHUP is not trapped: when the terminal is lost, as when tmux dies, the kernel
 *   sends it to the session's leader alone, which is the wrapper, and to the program only once the leader has ended. Who ends a session
 *   spares the wrapper, which ends with its program.
 * - env(1) sets what tmux or this shell would not pass on.
 * - A terminal that was stopped with Ctrl-S is let go on, as what was written last would be stuck in it, and the exit with it. The end
 *   mark is written by a child that ignores what the kernel sends when the wrapper ends first.
 * - tmux 3.3a loses what it has not read when a pane's program ends, so the wrapper stays for 50 ms; and as long as the mark cannot be
 *   written, at most a second, as then the terminal is still full.
 * - A shell tells a death by signal as 128 + n. It is raised again, so that tmux reports the signal; without a core file, as it is not
 *   the program's. Signals that would stop or do nothing are left as a status.
 */
export const PANE_WRAPPER = `trap : INT QUIT TERM
launch() {
  shift 2
  /usr/bin/env "$@"
}
case $1 in
*/../* | */..) cd -P -- "$1" ;;
*) cd -- "$1" ;;
esac 2>/dev/null
if [ $? -eq 0 ]; then
  unset OLDPWD
  launch "$@"
  status=$?
else
  printf 'maestro: the directory %s cannot be entered\\n' "$1" >&2
  status=126
fi
PATH=/usr/bin:/bin:$PATH
(trap '' HUP TTOU
stty -ixon <&1
printf '\\033]7750;maestro-end;%s\\007' "$2") 2>/dev/null &
mark=$!
round=0
while sleep 0.05 && kill -0 "$mark" && [ "$round" -lt 20 ]; do
  round=$((round + 1))
done 2>/dev/null
[ "$round" -eq 0 ] || sleep 0.2
if [ "$status" -gt 128 ] && [ "$status" -lt 160 ]; then
  case $(kill -l "$status" 2>/dev/null) in
  HUP | INT | QUIT | ILL | TRAP | ABRT | IOT | BUS | FPE | KILL | SEGV | PIPE | ALRM | TERM | USR1 | USR2 | SYS | XCPU | XFSZ | VTALRM | PROF | EMT)
    ulimit -c 0
    trap - INT QUIT TERM
    kill -s "$(kill -l "$status")" $$ ;;
  esac
fi
exit "$status"
`;

/** Names that tmux sets or clears after it has read a session's environment. */
const SET_BY_TMUX = ['SHELL', 'TMUX', 'TMUX_PANE', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES'];

/** Names that a shell (dash, or bash as sh) sets, counts or acts on while it starts, so that the wrapper would pass on something else. */
const SET_BY_SHELLS = [
  ...['_', 'IFS', 'LINENO', 'OLDPWD', 'OPTARG', 'OPTIND', 'PPID', 'SHLVL', 'PS1', 'PS2', 'PS4', 'ENV'],
  ...['UID', 'EUID', 'GROUPS', 'RANDOM', 'SECONDS', 'DIRSTACK', 'HISTCMD', 'HOSTNAME', 'HOSTTYPE', 'MACHTYPE', 'OSTYPE', 'POSIXLY_CORRECT'],
  ...[
    'SHELLOPTS',
    'BASHOPTS',
    'BASH',
    'BASHPID',
    'BASH_ENV',
    'BASH_VERSION',
    'BASH_VERSINFO',
    'FUNCNAME',
    'PIPESTATUS',
    'LINES',
    'COLUMNS',
  ],
];

const LATE = new Set([...SET_BY_TMUX, ...SET_BY_SHELLS]);

export interface PaneEnvironment {
  /** `NAME=VALUE` for `new-session -e`: seen only by the program and its user. */
  readonly early: readonly string[];
  /** `NAME=VALUE` for the wrapper's arguments, where everyone on the host may read them: only names that cannot arrive otherwise. */
  readonly late: readonly string[];
}

/** How each variable reaches the program. PWD is not one of them: it is the session's cwd. */
export function paneEnvironment(env: Readonly<Record<string, string>>): PaneEnvironment {
  const entries = Object.entries(env).filter(([name]) => name !== 'PWD');
  const assignments = (late: boolean) => entries.filter(([name]) => LATE.has(name) === late).map(([name, value]) => `${name}=${value}`);
  return { early: assignments(false), late: assignments(true) };
}

export interface PaneProgram {
  readonly cwd: string;
  readonly command: string;
  readonly run: number;
  readonly sessionId: string;
  /** See {@link PaneEnvironment.late}. */
  readonly late: readonly string[];
}

/** The argument array of a pane. With more than one word tmux starts it without a shell of its own. */
export function paneArgv({ cwd, command, run, sessionId, late }: PaneProgram): string[] {
  return ['/bin/sh', '-c', PANE_WRAPPER, 'maestro', cwd, `${run};${sessionId}`, ...late, '/bin/sh', '-c', command];
}
