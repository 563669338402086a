import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { printable } from '../printable.js';

/** A daemon's address over TCP. */
export interface DaemonUrl {
  /** Without a slash behind it, such as `http://127.0.0.1:7433`. */
  readonly origin: string;
  /** It is this host, or the near end of a tunnel. */
  readonly isLoopback: boolean;
  readonly isEncrypted: boolean;
}

export interface Token {
  readonly value: string;
  /** Where it came from, for the user. */
  readonly source: string;
}

/** A bearer token may hold these. */
const TOKEN = /^[\x21-\x7e]+$/;

/** Reads what the user typed. What is refused is not repeated, as there may be a secret in it. */
export function readDaemonUrl(text: string): DaemonUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '')
    throw new CliError('usage', '--url takes the address of a daemon, such as http://127.0.0.1:7433');
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text))
    throw new CliError(
      'usage',
      '--url takes only scheme, host and port: secrets in a command line can be read by everybody on this host and stay in the ' +
        'history of the shell. Give the token in MAESTRO_TOKEN or in a file, with --token-file',
    );
  if (url.pathname !== '/') throw new CliError('usage', '--url takes only scheme, host and port, without a path');
  return { origin: url.origin, isLoopback: isLoopback(url.hostname), isEncrypted: url.protocol === 'https:' };
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));
}

export interface TokenSources {
  readonly url: DaemonUrl;
  readonly tokenFile: string | undefined;
}

/** The token to send: that of the file named, else of the environment, else of this host's own daemon if the URL is on this host. */
export function findToken({ env, stateDir }: CommandContext, { url, tokenFile }: TokenSources): Token {
  if (tokenFile !== undefined) return tokenIn(tokenFile);
  const value = env.MAESTRO_TOKEN?.trim() ?? '';
  if (value !== '') return checked({ value, source: 'MAESTRO_TOKEN' });
  const how = "give the daemon's token, the content of `token` in its state directory, in MAESTRO_TOKEN or with --token-file";
  if (!url.isLoopback) throw new CliError('usage', `no token for ${printable(url.origin)}; ${how}`);
  const own = join(stateDir, 'token');
  try {
    return tokenIn(own);
  } catch (cause) {
    throw new CliError('failed', `no token for ${printable(url.origin)}, as there is none in ${printable(own)}; ${how}`, { cause });
  }
}

function tokenIn(path: string): Token {
  try {
    return checked({ value: readFileSync(path, 'utf8').trim(), source: path });
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new CliError('failed', `the token cannot be read from ${printable(path)}: ${reason}`, { cause });
  }
}

function checked(token: Token): Token {
  if (TOKEN.test(token.value)) return token;
  throw new CliError('failed', `what is in ${printable(token.source)} is no token: a token is one word`);
}
