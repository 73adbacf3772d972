// workerd: the cases in the handler of one request, which names the control server.
import { perform } from '../perform.ts';

export default {
  fetch: async (request: Request): Promise<Response> => {
    const controlUrl = new URL(request.url).searchParams.get('control') ?? '';
    return Response.json(await perform(controlUrl, { hidesHeaders: false, sendsStreams: true }));
  },
};
