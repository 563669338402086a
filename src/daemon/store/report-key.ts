import { createHmac } from 'node:crypto';
import type { StateDir } from './state-dir.js';
import { loadToken, type TokenOptions, tokenMatches } from './token.js';

/** What a report must carry to be believed: each run of each session has a token of its own, and none has to be kept. */
export class ReportKey {
  readonly #key: Buffer;

  private constructor(key: Buffer) {
    this.#key = key;
  }

  /**
   * The key in the state directory, which is made if it is missing. A file that holds none is set aside; programs that run then are not
   * believed until they are started anew. Rejects like {@link loadToken}.
   */
  static async open(stateDir: StateDir, { onDamaged = () => undefined, ...options }: TokenOptions = {}): Promise<ReportKey> {
    const tellMore = (warning: string) => onDamaged(`${warning}; agents that run now are not heard until they are started again`);
    const text = await loadToken(stateDir.reportKey, { ...options, onDamaged: tellMore });
    return new ReportKey(Buffer.from(text, 'base64url'));
  }

  /** In hexadecimal. */
  tokenFor(id: string, run: number): string {
    return createHmac('sha256', this.#key).update(`${id}:${run}`).digest('hex');
  }

  /** Takes a time that tells nothing about the right token. */
  accepts(token: string, id: string, run: number): boolean {
    return tokenMatches(token, this.tokenFor(id, run));
  }
}
