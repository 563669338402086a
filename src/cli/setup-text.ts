import type { ProjectSetup } from '../protocol/index.js';
import { printable, printableLines } from './printable.js';
import { countText } from './size-text.js';

/** What a repository wants for each worktree, all of it, as lines for people. Safe for a terminal. */
export function setupLines({ setup, teardown, env, copy, ports }: ProjectSetup): string[] {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return [
    ...script('before the program of the session:', setup),
    ...script('before the worktree is removed:', teardown),
    ...listed('in the environment:', variables),
    ...listed('copied from the main worktree, if ignored there:', copy),
    ...(ports === 0 ? [] : [`  ${countText(ports, 'port')} for each worktree`]),
  ];
}

function script(heading: string, text: string | undefined): string[] {
  if (text === undefined) return [];
  const lines = printableLines(text.replace(/\n$/, '')).split('\n');
  return [`  ${heading}`, ...lines.map((line) => `    ${line}`)];
}

function listed(heading: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : [`  ${heading}`, ...entries.map((entry) => `    ${printable(entry)}`)];
}
