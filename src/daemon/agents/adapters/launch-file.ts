import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { LaunchFile } from './agent-adapter.js';
import { quoted } from './quoted.js';

/** A file whose name tells its content, so that sessions share it, and a new content never changes what a running agent reads. */
export function launchFile(kind: string, value: unknown): LaunchFile {
  const content = `${JSON.stringify(value, undefined, 2)}\n`;
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return { name: `${kind}-${hash}.json`, content };
}

export function pathOf(file: LaunchFile, agentsDir: string): string {
  return join(agentsDir, file.name);
}

/** The command of a hook. It never changes while the installation stays where it is. */
export function hookCommand({ nodePath, hookFile }: { nodePath: string; hookFile: string }, agent: string): string {
  return `${quoted(nodePath)} ${quoted(hookFile)} ${agent}`;
}
