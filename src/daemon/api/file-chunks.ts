import type { IncomingMessage } from 'node:http';
import { MaestroError } from '../../protocol/index.js';
import type { SendingTimes } from './body-times.js';

/**
 * A file as it comes. Rejects with `invalid_request` when it breaks off, when nothing of it comes for too long, and when it is not whole in
 * time. A body that is given up stays open: the answer to it goes over the same connection.
 */
export async function* fileChunks(request: IncomingMessage, { requestMs, fileMs }: SendingTimes): AsyncGenerator<Uint8Array> {
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncGenerator<Uint8Array>;
  const endsAt = performance.now() + fileMs;
  let isLate = false;
  try {
    for (;;) {
      const leftMs = endsAt - performance.now();
      const next = await within(Math.min(requestMs, leftMs), chunks.next()).catch(brokeOff);
      isLate = next === 'late';
      if (next === 'late')
        throw notInTime(
          leftMs < requestMs ? `the file was not whole after ${inWords(fileMs)}` : `nothing of the file came for ${inWords(requestMs)}`,
        );
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    const left = chunks.return(undefined);
    if (!isLate) await left; // else it waits for the chunk that may never come
  }
}

async function within<T>(ms: number, coming: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, ms, 'late');
  });
  try {
    return await Promise.race([coming, late]);
  } finally {
    clearTimeout(timer);
  }
}

function brokeOff(cause: unknown): never {
  throw new MaestroError('invalid_request', 'the file did not come whole; send it again', { cause });
}

function notInTime(what: string): MaestroError {
  return new MaestroError('invalid_request', `${what}, so it was given up; send it again, over a better connection`);
}

function inWords(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 100) / 10} s` : `${Math.round(ms / 60_000)} min`;
}
