import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findToken, readDaemonUrl } from '../../../src/cli/attach/daemon-url.js';
import { CliError } from '../../../src/cli/cli-error.js';
import type { CommandContext } from '../../../src/cli/command-context.js';
import { Output } from '../../../src/cli/output.js';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'm-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

function context(env: CommandContext['env'] = {}): CommandContext {
  const stream = { write: () => true };
  return { stateDir: dir, home: dir, env, output: new Output({ stdout: stream, stderr: stream, json: false, env }) };
}

function refusal(ask: () => unknown): CliError {
  try {
    ask();
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

describe('the URL of a daemon', () => {
  test.each([
    ['http://127.0.0.1:7433', { origin: 'http://127.0.0.1:7433', isLoopback: true, isEncrypted: false }],
    ['http://localhost:7433/', { origin: 'http://localhost:7433', isLoopback: true, isEncrypted: false }],
    ['http://[::1]:7433', { origin: 'http://[::1]:7433', isLoopback: true, isEncrypted: false }],
    ['https://work.example', { origin: 'https://work.example', isLoopback: false, isEncrypted: true }],
    ['http://127.evil.example:1', { origin: 'http://127.evil.example:1', isLoopback: false, isEncrypted: false }],
  ])('%s is taken', (text, expected) => {
    expect(readDaemonUrl(text)).toEqual(expected);
  });

  test.each([
    'http://SECRET@h:1',
    'http://u:SECRET@h:1',
    'http://h:1?token=SECRET',
    'http://h:1/#code=SECRET',
    'http://h:1/?',
    'http://h:1/#',
  ])('with a place for a secret it is refused, with what to do, and the secret is not repeated: %s', (text) => {
    const { code, message } = refusal(() => readDaemonUrl(text));
    expect(code).toBe('usage');
    expect(message).toMatch(/MAESTRO_TOKEN.*--token-file/);
    expect(message).not.toContain('SECRET');
  });

  test.each(['127.0.0.1:7433', 'ws://h:1', 'nonsense', 'http://', 'http://h:1/path'])('anything else is wrong usage: %s', (text) => {
    expect(refusal(() => readDaemonUrl(text))).toMatchObject({ code: 'usage', exitCode: 2 });
  });
});

describe('the token', () => {
  const here = readDaemonUrl('http://127.0.0.1:1');
  const there = readDaemonUrl('https://work.example');

  test('is that of the file named, else of the environment, else of this host if the URL is', () => {
    const tokenFile = join(dir, 'mine');
    writeFileSync(tokenFile, 'named\n');
    writeFileSync(join(dir, 'token'), 'own\n');
    const env = { MAESTRO_TOKEN: 'env' };
    expect(findToken(context(env), { url: there, tokenFile })).toEqual({ value: 'named', source: tokenFile });
    expect(findToken(context(env), { url: here, tokenFile: undefined })).toEqual({ value: 'env', source: 'MAESTRO_TOKEN' });
    expect(findToken(context(), { url: here, tokenFile: undefined })).toEqual({ value: 'own', source: join(dir, 'token') });
  });

  test('of this host goes to no other', () => {
    writeFileSync(join(dir, 'token'), 'own\n');
    const { message } = refusal(() => findToken(context(), { url: there, tokenFile: undefined }));
    expect(message).toMatch(/no token for https:\/\/work\.example; .*MAESTRO_TOKEN or with --token-file/);
  });

  test('that is missing, cannot be read or is none, is told', () => {
    expect(refusal(() => findToken(context(), { url: here, tokenFile: undefined })).message).toMatch(/there is none in .*token; give/);
    expect(refusal(() => findToken(context(), { url: here, tokenFile: join(dir, 'no') })).message).toMatch(/cannot be read from .*ENOENT/);
    const refused = refusal(() => findToken(context({ MAESTRO_TOKEN: 'two words' }), { url: here, tokenFile: undefined }));
    expect(refused.message).toBe('what is in MAESTRO_TOKEN is no token: a token is one word');
  });
});
