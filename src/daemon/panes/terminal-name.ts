import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const DIRECTORIES = ['/etc/terminfo', '/lib/terminfo', '/usr/share/terminfo', '/usr/local/share/terminfo', '/usr/lib/terminfo'];

/** The TERM of programs in panes: `tmux-256color`, or `screen-256color` (no italics) on a host whose terminfo lacks the former. */
export async function terminalName(env: Readonly<Record<string, string>>): Promise<string> {
  return (await isKnown('tmux-256color', env)) ? 'tmux-256color' : 'screen-256color';
}

async function isKnown(name: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  try {
    await run('infocmp', [name], { env });
    return true;
  } catch (error) {
    // infocmp itself may be missing where ncurses is not.
    return (error as { code?: unknown }).code === 'ENOENT' && hasFile(name);
  }
}

async function hasFile(name: string): Promise<boolean> {
  const places = DIRECTORIES.map((directory) => join(directory, name.charAt(0), name));
  const found = await Promise.allSettled(places.map((place) => access(place)));
  return found.some(({ status }) => status === 'fulfilled');
}
