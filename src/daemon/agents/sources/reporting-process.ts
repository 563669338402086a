/** A process above a reporter. */
export interface Ancestor {
  readonly pid: number;
  /** As the system names it, which may be cut to 15 characters. */
  readonly name: string;
}

/** Who a report comes from, inside the pane. */
export interface Reporter {
  /** The agent's own process. Undefined when only shells are above the reporter, as when a person runs it by hand. */
  readonly agent: number | undefined;
  /** The pids above the reporter, the nearest first, up to the pane's root. */
  readonly line: readonly number[];
}

export type Judgement =
  /** It comes from the pane's own agent, which is this process; to be given back with the next report of the run. */
  | { readonly from: 'root'; readonly agent: number | undefined }
  /** It comes from an agent that the pane's agent started. */
  | { readonly from: 'nested' }
  /** It comes from outside of the pane, such as a background process that several sessions share. */
  | { readonly from: 'foreign' };

/** What stands between an agent and its hook, or its plain start: shells, and programs that only run another one. */
const GO_BETWEENS = new Set(
  [
    [
      'sh',
      'bash',
      'rbash',
      'dash',
      'ash',
      'busybox',
      'zsh',
      'fish',
      'ksh',
      'ksh93',
      'mksh',
      'oksh',
      'yash',
      'csh',
      'tcsh',
      'nu',
      'elvish',
      'pwsh',
    ],
    ['env', 'nohup', 'setsid', 'timeout', 'gtimeout', 'nice', 'ionice', 'chrt', 'taskset', 'stdbuf', 'time', 'flock', 'xargs', 'script'],
    ['sudo', 'doas', 'su', 'runuser'],
  ].flat(),
);

/** What runs a script that can start itself again by the same, as Gemini does to get more memory: both are one agent. */
const INTERPRETER = /^(?:node|node-MainThread|MainThread|bun|deno|python[\d.]*|ruby[\d.]*)$/;

/**
 * The agent among a reporter's ancestors, which are the nearest first. A reporter that runs in the agent's own process, as a plugin does,
 * is put in front of them. Undefined when `root`, the pane's wrapper, is not among them.
 */
export function reporterOf(ancestors: readonly Ancestor[], root: number): Reporter | undefined {
  const top = ancestors.findIndex(({ pid }) => pid === root);
  if (top === -1) return undefined;
  const within = ancestors.slice(0, top + 1);
  const nearest = within.findIndex(({ name }) => !GO_BETWEENS.has(plain(name)));
  return { agent: nearest === -1 ? undefined : launcherOf(within, nearest), line: within.map(({ pid }) => pid) };
}

/**
 * Whether a report is to be believed. `agent` is what the last report that came from the root told, in this run of the session.
 *
 * The first agent that reports is the pane's. One that descends from it is nested. Another one takes its place: the user ended it and
 * started it again, or it was nested itself and the one that started it reports now.
 */
export function judgeReporter(report: {
  readonly ancestors: readonly Ancestor[];
  readonly root: number;
  readonly agent: number | undefined;
}): Judgement {
  const reporter = reporterOf(report.ancestors, report.root);
  if (reporter === undefined) return { from: 'foreign' };
  if (isNested(reporter, report.agent)) return { from: 'nested' };
  return { from: 'root', agent: reporter.agent ?? report.agent };
}

/** True when the agent that runs in the pane is above the reporter's own. */
export function isNested({ agent, line }: Reporter, root: number | undefined): boolean {
  return root !== undefined && agent !== root && line.includes(root);
}

/** The process itself, or the first of those that the same script began with. */
function launcherOf(within: readonly Ancestor[], nearest: number): number | undefined {
  const name = plain(within[nearest]?.name ?? '');
  const others = INTERPRETER.test(name) ? within.findIndex((other, index) => index > nearest && plain(other.name) !== name) : -1;
  return within[others === -1 ? nearest : others - 1]?.pid;
}

/** Without the path that macOS gives, and the mark of a login shell. */
function plain(name: string): string {
  return name.replace(/^.*\//, '').replace(/^-/, '');
}
