import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/daemon/config.js';
import type { LoginLink } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';

const run = promisify(execFile);

let host: TestHost;
let cert: string;
let key: string;
beforeEach(async () => {
  host = await TestHost.create();
  [cert, key] = [join(host.dir, 'cert.pem'), join(host.dir, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  await run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
    ...subject,
    '-keyout',
    key,
    '-out',
    cert,
  ]);
});
afterEach(() => host[Symbol.asyncDispose]());

async function configure(text: string): Promise<void> {
  const dir = join(host.home, '.config', 'maestro');
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, 'config.toml'), text);
}

interface SecureAnswer {
  readonly status: number;
  readonly body: string;
  readonly cookies: readonly string[];
}

async function call(method: string, path: string, headers: Record<string, string> = {}, body?: unknown): Promise<SecureAnswer> {
  const ca = await readFile(cert);
  return new Promise((resolve, reject) => {
    const sent = request(`https://${host.ready.listen}${path}`, { method, ca, agent: false, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text, cookies: response.headers['set-cookie'] ?? [] }));
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

test('with certificate files the daemon speaks TLS and nothing else, and browsers keep the cookie for https', async () => {
  await configure(`[tls]\ncert = "${cert}"\nkey = "${key}"\n`);
  await host.start();
  expect((await call('GET', '/api/health')).status).toBe(401);
  expect((await call('GET', '/api/health', { authorization: `Bearer ${host.token}` })).status).toBe(200);
  await expect(fetch(`http://${host.ready.listen}/api/health`)).rejects.toThrow();
  const { url, code } = (await host.callLocal<LoginLink>('POST', '/api/auth/link')).body;
  expect(url).toMatch(/^https:/);
  const origin = `https://${host.ready.listen}`;
  const login = await call('POST', '/api/auth/login', { 'content-type': 'application/json', origin }, { code });
  expect(login.status).toBe(200);
  expect(login.cookies[0]).toMatch(/; HttpOnly; Secure; SameSite=Strict/i);
});

test('files that are missing or no certificate refuse the start by name', async () => {
  await configure(`[tls]\ncert = "${host.dir}/none.pem"\nkey = "${key}"\n`);
  expect(await host.refusal()).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('none.pem') });
  await configure(`[tls]\ncert = "${key}"\nkey = "${key}"\n`);
  expect(await host.refusal()).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('no certificate') });
});

test('an address that other hosts reach is refused unless something encrypts what is sent', async () => {
  const load = (env: Record<string, string>) => loadConfig({ env, home: host.home });
  await expect(load({ MAESTRO_LISTEN: '0.0.0.0:7433' })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(/MAESTRO_LISTEN.*loopback.*tls/s),
  });
  await expect(load({ MAESTRO_LISTEN: '0.0.0.0:7433', MAESTRO_TLS: 'maybe' })).rejects.toMatchObject({
    message: expect.stringContaining('MAESTRO_TLS'),
  });
  expect(await load({ MAESTRO_LISTEN: '0.0.0.0:7433', MAESTRO_TLS: 'proxy' })).toMatchObject({ listen: { host: '0.0.0.0' }, tls: 'proxy' });
  await configure(`listen = "0.0.0.0:7433"\n[tls]\ncert = "${cert}"\nkey = "${key}"\n`);
  expect(await load({})).toMatchObject({ tls: { cert, key } });
});
