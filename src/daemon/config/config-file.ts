import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { MaestroError } from '../../protocol/index.js';
import type { ConfigSource } from './config-source.js';
import { expandHome } from './home-path.js';
import { locateToml } from './toml-location.js';

interface ConfigFileOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

export interface ConfigFile extends ConfigSource {
  readonly path: string;
}

/** Reads the config file. Undefined when there is none, which is an error only for one that `MAESTRO_CONFIG` names. */
export async function readConfigFile({ env, home }: ConfigFileOptions): Promise<ConfigFile | undefined> {
  const named = namedPath(env.MAESTRO_CONFIG, home);
  const path = named ?? defaultPath(env.XDG_CONFIG_HOME, home);
  const bytes = await readBytes(path, named !== undefined);
  if (bytes === undefined) return undefined;
  const text = decode(path, bytes);
  const values = parseToml(path, text);
  const lineOf = locateToml(text);
  return { path, values, locate: (key) => `${path}:${lineOf(key)}${key.length === 0 ? '' : `: ${keyText(key)}`}` };
}

function namedPath(named: string | undefined, home: string): string | undefined {
  if (named === undefined || named === '') return undefined;
  const path = expandHome(named, home);
  if (path === undefined) throw invalid(`MAESTRO_CONFIG: expected an absolute path, found ${JSON.stringify(named)}`);
  return path;
}

/** A relative `XDG_CONFIG_HOME` is ignored, as the XDG base directory specification wants it. */
function defaultPath(xdg: string | undefined, home: string): string {
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.config'), 'maestro', 'config.toml');
}

async function readBytes(path: string, required: boolean): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    if (isMissing && !required) return undefined;
    const reason = isMissing ? 'there is no such file; make it, or unset MAESTRO_CONFIG' : `it cannot be read (${code ?? message})`;
    throw invalid(`${path}: ${reason}`, { cause: error, details: { file: path } });
  }
}

function decode(path: string, bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString().replace(/^\uFEFF/, '');
  const lines = bytes.toString('latin1').split('\n');
  const line = lines.findIndex((text) => !isUtf8(Buffer.from(text, 'latin1'))) + 1;
  throw invalid(`${path}:${line}: expected UTF-8 text`, { details: { file: path, line } });
}

function parseToml(path: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    const reason = error.message.split('\n', 1)[0]?.replace(/^Invalid TOML document: /, '');
    throw invalid(`${path}:${line}:${column}: not valid TOML: ${reason}`, { cause: error, details: { file: path, line, column } });
  }
}

function keyText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    const name = /^[\w-]+$/.test(String(key)) ? String(key) : JSON.stringify(String(key));
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

function invalid(message: string, options?: ConstructorParameters<typeof MaestroError>[2]): MaestroError {
  return new MaestroError('invalid_request', message, options);
}
