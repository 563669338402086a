import { hostname } from 'node:os';
import { MaestroError } from '../protocol/index.js';
import { checkSettings } from './config/config-check.js';
import { readConfigFile } from './config/config-file.js';
import type { Settings } from './config/config-schema.js';
import { type ConfigFlags, type ConfigSource, environmentSource, flagSource } from './config/config-source.js';
import type { ListenAddress } from './config/listen-address.js';
import type { PresetOverride } from './config/preset-override.js';

/** What the user chose, checked once, with the defaults in the gaps. */
export interface Config {
  /** The file that was read; undefined when there is none. */
  readonly file: string | undefined;
  readonly hostName: string;
  /** `explicit` when the user chose it: a taken default moves to the next free port, a taken explicit one is refused. */
  readonly listen: Readonly<ListenAddress> & { readonly explicit: boolean };
  /** Who encrypts what goes over TCP: a proxy in front of the daemon, the daemon with these files, or nobody. */
  readonly tls: 'proxy' | { readonly cert: string; readonly key: string } | undefined;
  /** Host names beside the loopback ones that requests may name, as they stand in a URL, without a port. */
  readonly allowedHosts: readonly string[];
  /** A key in tmux's words. */
  readonly leader: string;
  /** The budget of a replay ring and of a scrollback file, header included. */
  readonly ptyReplayBytes: number;
  readonly scrollbackFlushIntervalMs: number;
  readonly livenessIntervalMs: number;
  readonly deadRetentionMs: number;
  readonly resumeConfirmMs: number;
  readonly resumeOnStart: 'never' | 'agents' | 'all';
  /** Absolute; undefined means `worktrees` in the state directory. */
  readonly worktreesDir: string | undefined;
  /** Both ends included. Worktrees get their ports from it. */
  readonly worktreePorts: { readonly first: number; readonly last: number };
  /** How long salvage refs are kept; 0 means until they are dropped. */
  readonly salvageRetentionMs: number;
  /** Absolute paths, under which git projects are looked for. */
  readonly projectRoots: readonly string[];
  /** How many levels below a root a project may lie. */
  readonly projectDepth: number;
  /** Names of directories that are not looked into, beside those that never are. */
  readonly projectIgnore: readonly string[];
  /** Entries to lay over the built-in presets. */
  readonly presets: readonly PresetOverride[];
}

export interface LoadConfigOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What `~` stands for, and where the file is looked for. Absolute. */
  readonly home: string;
  readonly flags?: ConfigFlags;
}

/**
 * Defaults, below the file (`$MAESTRO_CONFIG`, else `maestro/config.toml` under `$XDG_CONFIG_HOME` or `~/.config`), below `MAESTRO_*`
 * variables, below flags. Fails with `invalid_request` and a line for everything that is wrong: the place, the key and what was expected.
 */
export async function loadConfig({ env, home, flags = {} }: LoadConfigOptions): Promise<Config> {
  const file = await readConfigFile({ env, home });
  const sources: ConfigSource[] = [environmentSource(env), flagSource(flags)];
  const settings = checkAll(file === undefined ? sources : [file, ...sources], home);
  return frozen({ file: file?.path, ...withDefaults(settings) });
}

/** What a later source says replaces what an earlier one said. */
function checkAll(sources: readonly ConfigSource[], home: string): Settings {
  const isEncrypted = sources.some(({ values }) => (values as { tls?: unknown } | undefined)?.tls !== undefined);
  const problems: string[] = [];
  let settings: Settings = {};
  for (const source of sources) {
    const checked = checkSettings(source, { home, isEncrypted });
    if (isProblems(checked)) problems.push(...checked);
    else settings = over(settings, checked);
  }
  if (problems.length === 0) return settings;
  throw new MaestroError('invalid_request', problems.join('\n'), { details: { problems } });
}

function over(earlier: Settings, later: Settings): Settings {
  const projects = { ...earlier.projects, ...later.projects };
  return { ...earlier, ...later, projects };
}

function isProblems(checked: Settings | readonly string[]): checked is readonly string[] {
  return Array.isArray(checked);
}

const DAY_MS = 24 * 60 * 60 * 1000;

function withDefaults(settings: Settings): Omit<Config, 'file'> {
  return {
    hostName: settings.host_name ?? hostname(),
    listen: settings.listen ? { ...settings.listen, explicit: true } : { host: '127.0.0.1', port: 7433, explicit: false },
    tls: settings.tls as Config['tls'],
    allowedHosts: settings.allowed_hosts ?? [],
    leader: settings.leader ?? 'C-b',
    ptyReplayBytes: settings.pty_replay_bytes ?? 1024 * 1024,
    scrollbackFlushIntervalMs: settings.scrollback_flush_interval ?? 10_000,
    livenessIntervalMs: settings.liveness_interval ?? 500,
    deadRetentionMs: settings.dead_retention ?? 7 * DAY_MS,
    resumeConfirmMs: settings.resume_confirm ?? 5000,
    resumeOnStart: settings.resume_on_start ?? 'never',
    worktreesDir: settings.worktrees_dir,
    worktreePorts: settings.worktree_ports ?? { first: 20_000, last: 29_999 },
    salvageRetentionMs: settings.salvage_retention ?? 30 * DAY_MS,
    projectRoots: settings.projects?.roots ?? [],
    projectDepth: settings.projects?.depth ?? 4,
    projectIgnore: settings.projects?.ignore ?? [],
    presets: settings.presets ?? [],
  };
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
