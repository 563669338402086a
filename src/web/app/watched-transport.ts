import type { Transport } from '../../client/index.js';
import { ERROR_STATUS } from '../../protocol/index.js';

/** Tells when the daemon no longer knows who asks, whichever request finds out. */
export function watchedTransport(transport: Transport, onUnauthorized: () => void): Transport {
  return {
    async request(method, path, options) {
      const response = await transport.request(method, path, options);
      if (response.status === ERROR_STATUS.unauthorized) onUnauthorized();
      return response;
    },
    openSocket: (path, events, query) => transport.openSocket(path, events, query),
  };
}
