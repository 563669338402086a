import { Agent, request } from 'node:http';
import fc from 'fast-check';

/** Where a request goes: a daemon's unix socket, or its TCP address with the token. */
export type Target = { readonly socketPath: string } | { readonly listen: string; readonly token: string };

export interface Given {
  readonly method: string;
  /** As it goes into the request line. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
}

export interface Answered {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

export function ask(target: Target, { method, path, headers = {}, body }: Given): Promise<Answered> {
  const place =
    'socketPath' in target
      ? { socketPath: target.socketPath }
      : { host: target.listen.replace(/:\d+$/, ''), port: target.listen.replace(/^.*:/, '') };
  const all = {
    ...('token' in target ? { authorization: `Bearer ${target.token}`, host: target.listen } : {}),
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const call = request({ ...place, method, path, headers: all, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text: Buffer.concat(chunks).toString() }),
      );
    });
    call.setTimeout(20_000, () => call.destroy(new Error(`no answer to ${method} ${path}`)));
    call.once('error', reject).end(body);
  });
}

const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];

export const hostileTexts = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'a\udfff',
    '\u202egnp',
    'e\u0301\u0301',
    '\u200b',
    '\x1b[31m',
    '\x1b[201~',
    '\n',
    '%00',
    '../..',
    '-x',
    '~',
    '~/',
    '/',
    '//',
    '/\u0000',
  ),
  fc.constantFrom(
    '/dev/null',
    '/proc/self/mem',
    '/etc/passwd',
    '/root/../../tmp',
    `/${'x'.repeat(300)}`,
    `/${'x/'.repeat(3000)}`,
    'HEAD',
    '@{-1}',
    ':/x',
    '--all',
    'a..b',
    'x.lock',
  ),
  fc.constantFrom(
    '1',
    '1e3',
    '0x10',
    '-1',
    'NaN',
    'Infinity',
    'true',
    '1:2',
    '99999999999999999999:1',
    '[object Object]',
    ...PROTOTYPE_NAMES,
  ),
  fc.constantFrom(1000, 4096, 102_400, 102_401, 131_072).map((length) => 'x'.repeat(length)),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

/** Any JSON value, odd ones first. */
export const hostileValues: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileTexts },
  { weight: 3, arbitrary: fc.constantFrom(null, true, false, 0, -1, 1.5, 1e308, -0, 2 ** 53, 1e21, [], {}, [[]], [null], { a: null }) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(50, 99, 101, 500).map((depth) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown),
  },
  { weight: 1, arbitrary: fc.dictionary(fc.oneof(fc.constantFrom(...PROTOTYPE_NAMES), hostileTexts), hostileTexts, { maxKeys: 3 }) },
);

type Fields = Readonly<Record<string, unknown>>;

/** JSON text of `valid` with one to three things wrong, or text that is no JSON. */
export function spoiledBody(valid: Fields): fc.Arbitrary<Buffer> {
  const names = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...Object.keys(valid), 'more') },
    { weight: 1, arbitrary: fc.constantFrom(...PROTOTYPE_NAMES) },
  );
  const spoiled = fc.array(fc.tuple(names, hostileValues), { minLength: 1, maxLength: 3 }).map((changes) => textOf({ ...valid }, changes));
  const whole = JSON.stringify(valid);
  return fc.oneof(
    { weight: 10, arbitrary: spoiled.map((text) => Buffer.from(text)) },
    { weight: 2, arbitrary: hostileValues.map((value) => Buffer.from(JSON.stringify(value))) },
    { weight: 1, arbitrary: fc.nat({ max: whole.length - 1 }).map((length) => Buffer.from(whole.slice(0, length))) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(
          `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
          `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
          `${whole}x`,
          `\ufeff${whole}`,
          `{"__proto__":${whole}}`,
          `{"constructor":{"prototype":${whole}}}`,
        )
        .map((text) => Buffer.from(text)),
    },
    { weight: 1, arbitrary: fc.constant(Buffer.concat([Buffer.from('{"name":"'), Buffer.of(0xff, 0xc0), Buffer.from('"}')])) },
  );
}

/** Written by hand, as an object would not hold a name twice, or `__proto__` at all. */
function textOf(valid: Fields, changes: readonly (readonly [string, unknown])[]): string {
  const kept = Object.entries(valid).filter(([name]) => !changes.some(([changed]) => changed === name));
  return `{${[...kept, ...changes].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
}

/** A query of these and other names, with values that are missing, odd or given twice. */
export function hostileQuery(names: readonly string[]): fc.Arbitrary<string> {
  const name = fc.constantFrom(...names, ...names, 'more', '__proto__', 'constructor', 'force[]', '');
  const value = fc.oneof(
    hostileTexts.map(encoded),
    fc.constantFrom('%', '%zz', '%ff', '%00', '%ed%a0%80', '+', '&&', '=', 'a=b', '1', 'true', 'base', 'head'),
  );
  const pair = fc
    .tuple(name.map(encoded), fc.constantFrom('=', '=', '=', ''), value)
    .map(([key, sign, text]) => (sign === '' ? key : key + sign + text));
  return fc.array(pair, { maxLength: 4 }).map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&').slice(0, 8000)}`));
}

function encoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd')).slice(0, 6000);
}

/** What may stand in place of an id or at the end of a path. */
export const hostileSegments = fc.constantFrom(
  ...[
    '%2f',
    '%2e%2e',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '..',
    '.',
    '%00',
    '%252e%252e',
    '%',
    '%zz',
    '%ff',
    '%c0%ae',
    ';a=b',
    '%5c..%5c',
    'a%0d%0ab',
    '*',
    '~',
  ],
  ...[
    '__proto__',
    'constructor',
    'x'.repeat(199),
    'x'.repeat(300),
    'x'.repeat(9000),
    '00000000-0000-4000-8000-000000000000',
    '%30%30',
    '//',
    '%E2%80%AE',
  ],
);
