import type { Respond } from './respond.ts';

/** What Node's `fetch` rejects with when a connection ends; nothing says that the request was not sent. */
const createNetworkError = (): TypeError =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
  });

/** A mock with the signature of `fetch`. */
export const createFetch =
  (respond: Respond): typeof globalThis.fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const response = await respond(request);
    request.signal.throwIfAborted();
    if (response.type === 'error') throw createNetworkError();
    return response;
  };
