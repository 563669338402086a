type Path = readonly PropertyKey[];

/** Settings from one place, before they are checked. */
export interface ConfigSource {
  /** In the shape of the file, whatever the place. */
  readonly values: unknown;
  /** Where the user finds the setting: `FILE:LINE: KEY`, a variable, or a flag. */
  locate(path: Path): string;
}

interface TextSetting {
  readonly path: readonly string[];
  /** Between the items of a list. */
  readonly separator?: string;
}

/** What variables and flags can set, which is all but `[[presets]]`. */
const TEXT_SETTINGS: readonly TextSetting[] = [
  { path: ['host_name'] },
  { path: ['listen'] },
  { path: ['allowed_hosts'], separator: ',' },
  { path: ['tls'] },
  { path: ['leader'] },
  { path: ['pty_replay_bytes'] },
  { path: ['scrollback_flush_interval'] },
  { path: ['liveness_interval'] },
  { path: ['dead_retention'] },
  { path: ['resume_confirm'] },
  { path: ['resume_on_start'] },
  { path: ['worktrees_dir'] },
  { path: ['worktree_ports'] },
  { path: ['salvage_retention'] },
  { path: ['projects', 'roots'], separator: ':' },
  { path: ['projects', 'depth'] },
  { path: ['projects', 'ignore'], separator: ':' },
];

const flagOf = (path: Path) => path.join('-').replaceAll('_', '-');
const variableOf = (path: Path) => `MAESTRO_${path.join('_').toUpperCase()}`;

/** Every flag that sets a config key, without the dashes in front, such as `pty-replay-bytes`. Each takes one value. */
export const CONFIG_FLAGS: readonly string[] = TEXT_SETTINGS.map(({ path }) => flagOf(path));

/** Values by the names of {@link CONFIG_FLAGS}. A flag may be empty, which is then its value. */
export type ConfigFlags = Readonly<Record<string, string | undefined>>;

export function flagSource(flags: ConfigFlags): ConfigSource {
  return textSource(
    (path) => flags[flagOf(path)],
    (path) => `--${flagOf(path)}`,
  );
}

/** `MAESTRO_` and the key in upper case. An empty variable counts as not set; variables that are no key are left alone. */
export function environmentSource(env: Readonly<Record<string, string | undefined>>): ConfigSource {
  return textSource((path) => env[variableOf(path)] || undefined, variableOf);
}

function textSource(read: (path: Path) => string | undefined, nameOf: (path: Path) => string): ConfigSource {
  const values: Record<string, unknown> = {};
  for (const { path, separator } of TEXT_SETTINGS) {
    const text = read(path);
    if (text === undefined) continue;
    const value = separator === undefined ? text : itemsOf(text, separator);
    const [key = '', inner] = path;
    values[key] = inner === undefined ? value : { ...(values[key] as object | undefined), [inner]: value };
  }
  // A list is set as a whole, so an item's place in it says nothing.
  return { values, locate: (path) => nameOf(path.filter((key) => typeof key === 'string')) };
}

function itemsOf(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
