import type { PaneSetup } from './panes.js';

/** How the end mark starts; `RUN;SESSION_ID` and BEL follow. */
export const END_MARK_PREFIX = '\u001b]7750;maestro-end;';

/** What the wrapper writes behind the last byte of its program: an OSC sequence that terminals ignore. The reader of the pipe strips it. */
export function endMark(run: number, sessionId: string): string {
  return `${END_MARK_PREFIX}${run};${sessionId}\u0007`;
}

/**
 * What a pane runs: `sh -c WRAPPER maestro CWD RUN;SESSION_ID UMASK [NAME=VALUE...] /bin/sh -c COMMAND`.
 *
 * - It uses no variable before the program has ended, as assigning to one that the session exports would change the program's environment.
 * - Its traps are handlers, not ignored signals, so the program starts with the defaults; a signal to the foreground is the program's to
 *   act on, and the wrapper stays to tell how it ended. SIGHUP is not trapped: when the terminal is lost, as when tmux dies, the kernel
 *   sends it to the session's leader alone, which is the wrapper, and to the program only once the leader has ended. Who ends a session
 *   spares the wrapper, which ends with its program.
 * - env(1) sets what tmux or this shell would not pass on. What the shell itself has to say, such as "Terminated", is not of the program.
 * - tmux loses what it has not read of a terminal when the leader ends. So the wrapper writes the end mark and asks for the terminal's
 *   status: tmux answers when it has come so far. It waits for that as long as tmux does not read, at most 9 s; once tmux does, 0.8 s
 *   are enough, as another process may have taken the answer. A terminal that was stopped with Ctrl-S is let go on for it.
 * - A shell tells a death by signal as 128 + n. It is raised again, so that tmux reports the signal; without a core file, as it is not
 *   the program's. Signals that would stop or do nothing are left as a status.
 */
export const PANE_WRAPPER = `trap : INT QUIT TERM
exec 3>&2 2>/dev/null
launch() {
  umask "$3"
  shift 3
  (exec /usr/bin/env "$@") 2>&3 3>&-
}
case $1 in
*/../* | */..) cd -P -- "$1" ;;
*) cd -- "$1" ;;
esac
if [ $? -eq 0 ]; then
  unset OLDPWD
  launch "$@"
  status=$?
else
  printf 'maestro: the directory %s cannot be entered\\n' "$1"
  status=126
fi
PATH=/usr/bin:/bin:$PATH
(
  trap '' HUP TTIN TTOU
  stty -echo -icanon -ixon min 0 time 8 <&1
  printf '\\033]7750;maestro-end;%s\\007\\033[5n' "$2"
  answer=
  while byte=$(dd bs=1 count=1 <&1; printf x) && [ "$byte" != x ]; do
    answer=$answer\${byte%x}
    case $answer in *'[0n') exit ;; esac
  done
  sleep 0.05
) &
mark=$!
round=0
while kill -0 "$mark" && [ "$round" -lt 50 ]; do
  if [ "$round" -lt 5 ]; then sleep 0.03; else sleep 0.2; fi
  round=$((round + 1))
done
if [ "$status" -gt 128 ] && [ "$status" -lt 160 ]; then
  name=$(kill -l "$status")
  case $name in
  HUP | INT | QUIT | ILL | TRAP | ABRT | IOT | BUS | FPE | KILL | SEGV | PIPE | ALRM | TERM | USR1 | USR2 | SYS | XCPU | XFSZ | VTALRM | PROF | EMT)
    ulimit -c 0
    trap - INT QUIT TERM
    kill -s "$name" $$ ;;
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

/**
 * `/bin/sh -c SETUP_WRAPPER maestro SCRIPT DONE COMMAND`: the set-up, then the program in its place. Like the wrapper it uses no variable,
 * so that the program's environment is not touched.
 */
const SETUP_WRAPPER = `if [ ! -e "$2" ]; then
  printf 'maestro: setting up this worktree\n'
  /bin/sh -c "$1"
  set -- "$1" "$2" "$3" "$?"
  if [ "$4" -ne 0 ]; then
    printf 'maestro: the set-up failed with status %s; the program was not started and the worktree is kept\n' "$4"
    printf 'maestro: mend what it needs, then resume this session to try again\n'
    exit "$4"
  fi
  : >"$2" || exit
  printf 'maestro: the set-up is done\n'
fi
exec /bin/sh -c "$3"
`;

export interface PaneProgram {
  readonly cwd: string;
  readonly command: string;
  readonly setup?: PaneSetup | undefined;
  readonly run: number;
  readonly sessionId: string;
  readonly umask?: number | undefined;
  /** See {@link PaneEnvironment.late}. */
  readonly late: readonly string[];
}

/** What most systems give to users. */
const DEFAULT_UMASK = 0o022;

/** The argument array of a pane. With more than one word tmux starts it without a shell of its own. */
export function paneArgv({ cwd, command, setup, run, sessionId, umask = DEFAULT_UMASK, late }: PaneProgram): string[] {
  const program = setup === undefined ? [command] : [SETUP_WRAPPER, 'maestro', setup.script, setup.done, command];
  return ['/bin/sh', '-c', PANE_WRAPPER, 'maestro', cwd, `${run};${sessionId}`, umask.toString(8), ...late, '/bin/sh', '-c', ...program];
}
