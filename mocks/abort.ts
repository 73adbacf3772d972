/**
 * A request whose `signal` is the given one. The signal that the constructor derives from it in Node is lost
 * when the garbage collector runs before the abort, and then a request that waits is never ended.
 */
export const createRequest = (input: RequestInfo | URL, init: RequestInit = {}): Request => {
  const request = new Request(input, init);
  const given = init.signal === undefined && input instanceof Request ? input.signal : init.signal;
  return given === undefined || given === null
    ? request
    : Object.defineProperty(request, 'signal', { value: given });
};

/** The result of a promise, or the reason of the abort if that comes first. */
export const untilAborted = async <T>(result: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([result, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

/** The same response, whose body fails when the request is aborted, as the body of `fetch` does. */
export const bodyUntilAborted = (response: Response, signal: AbortSignal): Response => {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  let end = (): void => undefined;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start: (controller) => {
        const abort = (): void => {
          controller.error(signal.reason);
          void reader.cancel(signal.reason).catch(() => undefined);
        };
        end = () => signal.removeEventListener('abort', abort);
        signal.addEventListener('abort', abort, { once: true });
      },
      pull: async (controller) => {
        const { done, value } = await reader.read().catch((error: unknown) => {
          end();
          throw error;
        });
        if (signal.aborted) return;
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      },
      cancel: (reason) => {
        end();
        return reader.cancel(reason);
      },
    },
    // Nothing is read ahead, because an error discards what is still unread.
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
};
