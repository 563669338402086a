import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ProcessEntry } from './process-table.js';

const run = promisify(execFile);

/** ps answers within 50 ms as a rule; the limit is for a host that is about to stand still. */
const TIMEOUT_MS = 5000;
const OUTPUT_LIMIT = 64 * 1024 * 1024;

const FIELDS = 'pid=,ppid=,uid=,tty=,stat=,lstart=,comm=';

/**
 * Lists processes with the `ps` of macOS. It shows a process's environment behind its arguments, with nothing in between, so both are
 * asked for with and without it. Programs that the system protects, `/bin/sh` among them, show none; they are found by the other ties.
 */
export async function listWithPs(): Promise<ProcessEntry[]> {
  const [fields, plain, full] = await Promise.all([ps('-axww', FIELDS), ps('-axww', 'pid=,args='), ps('-axEww', 'pid=,args=')]);
  return parsePs({ fields, plain, full, uid: process.geteuid?.() ?? -1 });
}

async function ps(flags: string, format: string): Promise<string> {
  const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/bin:/usr/bin' };
  const { stdout } = await run('ps', [flags, '-o', format], { env, timeout: TIMEOUT_MS, maxBuffer: OUTPUT_LIMIT });
  return stdout;
}

export interface PsOutput {
  readonly fields: string;
  /** Pid and arguments of each process. */
  readonly plain: string;
  /** The same with the environment behind. */
  readonly full: string;
  /** Whose environments count. */
  readonly uid: number;
}

const LINE = /^ *(?<pid>\d+) +(?<parent>\d+) +(?<uid>\d+) +(?<tty>\S+) +(?<stat>\S+) +(?<start>\w+ +\w+ +\d+ +[\d:]+ +\d+) +(?<name>.*)$/;

export function parsePs({ fields, plain, full, uid }: PsOutput): ProcessEntry[] {
  const argumentsOf = byPid(plain);
  const withEnvironment = byPid(full);
  return fields.split('\n').flatMap((line) => {
    const found = LINE.exec(line)?.groups;
    if (found === undefined || found.stat?.startsWith('Z')) return [];
    const { pid = '', parent, tty = '', stat = '', start = '', name = '' } = found;
    const isOwn = Number(found.uid) === uid;
    return {
      pid: Number(pid),
      startedAt: start,
      name: name.replace(/^.*\//, ''),
      parent: Number(parent),
      session: /^\?+$|-$/.test(tty) ? undefined : tty,
      leads: stat.includes('s'),
      stopped: stat.startsWith('T'),
      tag: isOwn ? tagBehind(argumentsOf.get(pid), withEnvironment.get(pid)) : undefined,
    };
  });
}

function byPid(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split('\n').flatMap((line) => {
      const [, pid, rest] = /^ *(\d+) (.*)$/.exec(line) ?? [];
      return pid === undefined || rest === undefined ? [] : [[pid, rest]];
    }),
  );
}

/** Only what stands behind the arguments is environment: an argument may read like a variable. */
function tagBehind(plain: string | undefined, full: string | undefined): string | undefined {
  if (plain === undefined || full === undefined || !full.startsWith(plain)) return undefined;
  return / MAESTRO_SESSION_ID=(\S+)/.exec(full.slice(plain.length))?.[1];
}
