import { basename, join } from 'node:path';

/** What is in these was put there by a program, or is of the system. */
const NAMES = [
  ...['node_modules', 'bower_components', 'jspm_packages', 'site-packages', 'dist-packages', '__pycache__', 'venv'],
  ...['Pods', 'DerivedData', 'Carthage', 'Library', 'Applications', 'lost+found', '$RECYCLE.BIN', 'System Volume Information'],
];
const SYSTEM = ['/proc', '/sys', '/dev', '/run'];

/** Which directories are not looked into when projects are looked for. */
export class IgnoredDirectories {
  readonly #names: ReadonlySet<string>;
  readonly #paths: ReadonlySet<string>;

  /** `names` are the user's; `paths` are without symbolic links. */
  constructor({ names, paths }: { readonly names: readonly string[]; readonly paths: readonly string[] }) {
    this.#names = new Set([...NAMES, ...names]);
    this.#paths = new Set([...SYSTEM, ...paths]);
  }

  /** Hidden ones are left out too, but for `.NAME.git`: people keep bare repositories of their settings so. */
  ignores(parent: string, name: string): boolean {
    if (name.startsWith('.') && (name === '.git' || !name.endsWith('.git'))) return true;
    if (name === 'pkg' && basename(parent) === 'go') return true;
    return this.#names.has(name) || this.#paths.has(join(parent, name));
  }
}
