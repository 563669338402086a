import type { Transport } from '../../client/index.js';
import { ERROR_STATUS } from '../../protocol/index.js';

export interface AnswerEvents {
  /** The daemon no longer knows who asks, whichever request finds out. */
  readonly onUnauthorized: () => void;
  /** An answer bears this date. */
  readonly onDate: (date: string) => void;
}

/** Tells what answers say beside what they were asked for. */
export function watchedTransport(transport: Transport, { onUnauthorized, onDate }: AnswerEvents): Transport {
  return {
    async request(method, path, options) {
      const response = await transport.request(method, path, options);
      if (response.date !== undefined) onDate(response.date);
      if (response.status === ERROR_STATUS.unauthorized) onUnauthorized();
      return response;
    },
    openSocket: (path, events, query) => transport.openSocket(path, events, query),
  };
}
