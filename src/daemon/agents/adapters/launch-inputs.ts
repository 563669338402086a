import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readRegularFile } from '../../regular-file.js';
import type { Json, LaunchInputs } from './agent-adapter.js';
import { readAgentLine } from './agent-line.js';
import type { Agent } from './agents.js';
import { CLAUDE } from './claude.js';
import { GEMINI, SYSTEM_SETTINGS } from './gemini.js';
import { parseSettings } from './settings-text.js';

const MOST_BYTES = 1024 * 1024;

export interface LaunchPlace {
  readonly command: string;
  /** The session's whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly platform?: NodeJS.Platform;
}

/** Reads what a plan takes over from settings of the user or the system. Never fails. */
export async function readLaunchInputs({ adapter }: Agent, place: LaunchPlace): Promise<LaunchInputs> {
  if (adapter.id === GEMINI.id) {
    const path = geminiSystemSettings(place);
    return { systemSettings: { path, content: await readSettings(path) } };
  }
  return adapter.id === CLAUDE.id ? claudeInputs(place) : {};
}

/** Where Gemini CLI looks for the system's settings. */
export function geminiSystemSettings({ env, platform = process.platform }: Pick<LaunchPlace, 'env' | 'platform'>): string {
  const own = env[SYSTEM_SETTINGS];
  if (own) return own;
  return platform === 'darwin' ? '/Library/Application Support/GeminiCli/settings.json' : '/etc/gemini-cli/settings.json';
}

/** The value of `--settings`: JSON, or a file that holds it. */
async function claudeInputs({ command, env, cwd }: LaunchPlace): Promise<LaunchInputs> {
  const line = readAgentLine(CLAUDE, command);
  if (line === 'apart' || line === 'opaque') return {};
  const given = line.arguments.findLast(({ names }) => names.includes('--settings'))?.value;
  if (given === undefined) return {};
  const word = given.text;
  if (word.includes('\0')) return { ownSettings: { word, content: 'unreadable' } };
  if (word.trim().startsWith('{')) return { ownSettings: { word, content: parseSettings(word) ?? 'unreadable' } };
  const isInHome = !given.isLiteral && word.startsWith('~/');
  const path = isInHome ? join(env.HOME || homedir(), word.slice(1)) : resolve(cwd, word);
  return { ownSettings: { word, content: (await readSettings(path)) ?? 'unreadable' } };
}

async function readSettings(path: string): Promise<Json | 'unreadable' | undefined> {
  try {
    return parseSettings((await readRegularFile(path, MOST_BYTES)).toString('utf8')) ?? 'unreadable';
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? undefined : 'unreadable';
  }
}
