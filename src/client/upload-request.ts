import type { HttpMethod, TransportResponse } from './transport.js';
import { UnreachableError } from './transport.js';

export interface UploadRequest {
  readonly method: HttpMethod;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Uint8Array<ArrayBuffer> | Blob;
  /** How many bytes of the content have left. */
  readonly onSent: (bytes: number) => void;
  readonly signal: AbortSignal | undefined;
}

/** Silence for longer is a connection that is gone, in milliseconds: the daemon itself gives up sooner, and says so. */
const SILENCE_MS = 45_000;

/** Sends by XMLHttpRequest, as fetch does not tell how far it is. Rejects as a transport does. */
export function uploadRequest(upload: UploadRequest): Promise<TransportResponse> {
  const { method, url, headers, content, onSent, signal } = upload;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.responseType = 'arraybuffer';
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    let sent = 0;
    const abort = () => request.abort();
    let silence = setTimeout(abort, SILENCE_MS);
    signal?.addEventListener('abort', abort);
    request.upload.onprogress = ({ loaded }) => {
      clearTimeout(silence);
      silence = setTimeout(abort, SILENCE_MS);
      sent = loaded;
      onSent(loaded);
    };
    request.onload = () => resolve(answerOf(request));
    request.onerror = () => reject(noAnswer(url, sent));
    request.onabort = () => reject(signal?.aborted ? signal.reason : noAnswer(url, sent));
    request.onloadend = () => {
      clearTimeout(silence);
      signal?.removeEventListener('abort', abort);
    };
    request.send(content);
  });
}

function answerOf(request: XMLHttpRequest): TransportResponse {
  const body = new Uint8Array(request.response as ArrayBuffer);
  return { status: request.status, date: request.getResponseHeader('date') ?? undefined, body: inOnePiece(body) };
}

async function* inOnePiece(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}

function noAnswer({ origin }: URL, sent: number): UnreachableError {
  return sent === 0
    ? new UnreachableError('refused', `no Maestro daemon answers at ${origin}`)
    : new UnreachableError('broken', 'the connection broke before the file was through');
}
