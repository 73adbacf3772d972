import type { EndpointHandler } from 'restkin/mocks';

const piece = new Uint8Array(64 * 1024);

/** A body of so many pieces. */
const repeat = (part: Uint8Array<ArrayBuffer>, times: number, onCancel?: () => void) => {
  let sent = 0;
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      if (sent++ < times) controller.enqueue(part);
      else controller.close();
    },
    cancel: () => onCancel?.(),
  });
};

/** Own endpoints with large bodies, and how many endless ones the client ended. */
export const createLargeEndpoints = () => {
  let ended = 0;
  const audio = { 'content-type': 'audio/wav' };
  const handlers: Readonly<Record<string, EndpointHandler>> = {
    'v1/recordings/:mib': async (request, _state, { mib }) => {
      if (request.method === 'GET') return new Response(repeat(piece, Number(mib) * 16), { headers: audio });
      let bytes = 0;
      for await (const part of request.body ?? []) bytes += part.length;
      return Response.json({ bytes });
    },
    'v1/live': () =>
      new Response(
        repeat(piece, Number.POSITIVE_INFINITY, () => {
          ended++;
        }),
        { headers: audio },
      ),
  };
  return { handlers, ended: () => ended };
};
