import { isIP, isIPv6 } from 'node:net';
import { z } from 'zod';
import { isPlainText } from '../../protocol/index.js';
import { BUILT_IN_PRESETS } from './built-in-presets.js';
import { expandHome } from './home-path.js';
import { isLoopback, type ListenAddress, readListenAddress } from './listen-address.js';
import { type PresetOverride, presetOverrideSchema } from './preset-override.js';
import { readDuration, readSize } from './quantity.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * What one source of settings (the file, the environment, the flags) may say. `home` is what `~` stands for. With `isEncrypted` the daemon
 * may listen on addresses that other hosts reach.
 */
export function configSchema(home: string, isEncrypted = false) {
  const path = setting('an absolute path, or one that begins with ~/', (value) => readPath(value, home));
  return z.strictObject({
    host_name: setting('a name of 1 to 253 characters', readHostName).optional(),
    listen: listenSetting(isEncrypted).optional(),
    tls: tlsSetting(path).optional(),
    allowed_hosts: listOf(setting('a host name or an address, without a scheme and without a port', readHost)).optional(),
    leader: setting('a key such as "C-b", "M-a" or "F12", and not one that is Tab, Enter or Escape', readLeader).optional(),
    pty_replay_bytes: setting('a size from 256 to 256MiB, such as 1048576 or "1MiB"', readReplayBytes).optional(),
    scrollback_flush_interval: duration({ min: 50, max: HOUR, text: '50ms to 1h' }).optional(),
    liveness_interval: duration({ min: 50, max: MINUTE, text: '50ms to 1m' }).optional(),
    dead_retention: duration({ min: 0, max: 3650 * DAY, text: '0 to 3650d' }).optional(),
    resume_confirm: duration({ min: 0, max: 10 * MINUTE, text: '0 to 10m' }).optional(),
    resume_on_start: z.enum(['never', 'agents', 'all'], { error: 'expected "never", "agents" or "all"' }).optional(),
    worktrees_dir: path.optional(),
    worktree_ports: setting('a range of ports from 1024 to 65535, such as "20000-29999"', readPortRange).optional(),
    salvage_retention: duration({ min: 0, max: 3650 * DAY, text: '0 to 3650d' }).optional(),
    projects: projectSettings(path).optional(),
    presets: z.array(presetOverrideSchema(home)).superRefine(checkPresets).optional(),
  });
}

export type Settings = z.infer<ReturnType<typeof configSchema>>;

/** A value that `read` understands, or an error that tells what was `expected`. */
function setting<T>(expected: string, read: (value: unknown) => T | undefined) {
  return z.unknown().transform((value, context): T => {
    const result = read(value);
    if (result !== undefined) return result;
    context.addIssue({ code: 'custom', message: `expected ${expected}` });
    return z.NEVER;
  });
}

function listOf<T extends z.ZodType>(item: T) {
  return z.array(item, { error: 'expected a list' });
}

function duration({ min, max, text }: { min: number; max: number; text: string }) {
  return setting(`a duration from ${text}, such as "500ms", "10s", "7d" or a number of seconds`, (value) => {
    const ms = readDuration(value);
    return ms !== undefined && ms >= min && ms <= max ? ms : undefined;
  });
}

function listenSetting(isEncrypted: boolean) {
  const address = setting('host:port, such as "127.0.0.1:7433" or "[::1]:7433"', readListenAddress);
  return address.refine((value) => isEncrypted || isLoopback(value), { error: onlyLoopback });
}

function projectSettings<T extends z.ZodType>(path: T) {
  return z.strictObject({
    roots: listOf(path).optional(),
    depth: setting('a whole number from 1 to 8', readDepth).optional(),
    ignore: listOf(setting('the name of a directory, without a slash', readDirectoryName)).optional(),
  });
}

/** Either a proxy in front of the daemon speaks TLS, or the daemon does with these files, both in PEM form. */
function tlsSetting<T extends z.ZodType>(path: T) {
  return z.union([z.strictObject({ cert: path, key: path }), z.literal('proxy')], {
    error: 'expected "proxy", or a table with the files cert and key',
  });
}

function onlyLoopback(issue: { readonly input?: unknown }): string {
  const { port } = issue.input as ListenAddress;
  const tunnel = `ssh -L ${port}:127.0.0.1:${port} THIS_HOST`;
  return `expected a loopback address such as 127.0.0.1, as what is sent is not encrypted; to reach Maestro from elsewhere run \`${tunnel}\` there, or set tls`;
}

function readPath(value: unknown, home: string): string | undefined {
  return typeof value === 'string' && isPlainText(value) ? expandHome(value, home) : undefined;
}

function readHostName(value: unknown): string | undefined {
  if (typeof value !== 'string' || !isPlainText(value)) return undefined;
  const name = value.trim();
  return /^[^\p{Control}]{1,253}$/u.test(name) ? name : undefined;
}

/** As it stands in a URL: in lower case, an IPv6 address in brackets. */
function readHost(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const host = value.trim().toLowerCase();
  const bare = /^\[(.*)\]$/.exec(host)?.[1] ?? host;
  if (isIPv6(bare)) return new URL(`http://[${bare}]`).hostname;
  const isName = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/.test(host);
  return isName || isIP(host) === 4 ? host : undefined;
}

const LEADER = /^(?:C-(?:[a-hj-ln-z\]^_\\]|Space)|M-[a-zA-NP-Z0-9]|M-C-[a-hj-ln-z]|(?:C-)?(?:M-)?(?:S-)?F(?:[1-9]|1[0-2]))$/;

/**
 * A key that a terminal can send and that types nothing by itself, named as tmux names it. `C-i`, `C-m` and `C-[` are Tab, Enter and
 * Escape to a terminal, and `M-[` and `M-O` begin the sequences of other keys.
 */
function readLeader(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const key = value.replace(/^C-M-/, 'M-C-').replace(/(?<=^(?:M-)?C-)[A-Z]$/, (letter) => letter.toLowerCase());
  return LEADER.test(key) ? key : undefined;
}

function readReplayBytes(value: unknown): number | undefined {
  const bytes = readSize(value);
  return bytes !== undefined && bytes >= 256 && bytes <= 256 * 1024 * 1024 ? bytes : undefined;
}

function readDepth(value: unknown): number | undefined {
  const isWhole = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value.trim()));
  const depth = isWhole ? Number(value) : Number.NaN;
  return Number.isInteger(depth) && depth >= 1 && depth <= 8 ? depth : undefined;
}

function readDirectoryName(value: unknown): string | undefined {
  if (typeof value !== 'string' || !isPlainText(value)) return undefined;
  return value === '' || value === '.' || value === '..' || value.includes('/') ? undefined : value;
}

function readPortRange(value: unknown): { first: number; last: number } | undefined {
  const match = typeof value === 'string' ? /^(\d{4,5}) ?- ?(\d{4,5})$/.exec(value.trim()) : null;
  const [first, last] = [Number(match?.[1]), Number(match?.[2])];
  return first >= 1024 && last <= 65_535 && first <= last ? { first, last } : undefined;
}

/** What no entry can tell by itself. */
function checkPresets(presets: readonly PresetOverride[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, { id, command }] of presets.entries()) {
    if (seen.has(id))
      context.addIssue({ code: 'custom', path: [index, 'id'], message: 'expected another id, as an earlier preset has this one' });
    else if (command === undefined && !BUILT_IN_PRESETS.some((preset) => preset.id === id)) {
      const known = BUILT_IN_PRESETS.map((preset) => preset.id).join(', ');
      context.addIssue({
        code: 'custom',
        path: [index, 'command'],
        message: `expected a command, as ${id} is none of the built-in presets (${known})`,
      });
    }
    seen.add(id);
  }
}
