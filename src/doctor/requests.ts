import { header, jsonType } from '../conventions.ts';
import type { HeaderFields } from '../http/fields.ts';
import type { Address } from './address.ts';
import type { Border } from './border.ts';
import { type Exchange, once, type WireRequest } from './exchange.ts';
import type { Session } from './session.ts';
import type { SendOptions, Wire } from './wire.ts';

/** The requests to a collection. */
export interface Requests {
  /** The one way to send a request to the API. A body is JSON unless `headers` says otherwise. */
  send(request: Partial<WireRequest>, how?: SendOptions): Promise<Exchange>;
  /** A GET that was sent is not sent again, until its response is forgotten. */
  get(url: string, headers?: HeaderFields): Promise<Exchange>;
  /** Forgets the responses, so that memory does not grow with the run. */
  forget(): void;
}

export const createRequests = (
  { url, itemUrl, isList }: Address,
  border: Border,
  session: Session,
  wire: Wire,
): Requests => {
  const known = new Map<string, Promise<Exchange>>();

  const send: Requests['send'] = async (request, how) => {
    const credentials = how?.isAnonymous ? {} : await session.authorize(how);
    const content = request.body === undefined ? {} : { [header.contentType]: jsonType };
    const headers = { [header.accept]: jsonType, ...credentials, ...content, ...request.headers };
    const { shown } = border;
    const target = request.url ?? url();
    const body = request.body === undefined ? undefined : border.toBody(request.body);
    const sent = { method: 'GET', ...request, url: target, headers, body, shown } as const;
    const read = (exchange: Exchange) => border.read(exchange, isList(target), itemUrl);
    return wire.send(sent, { ...how, read });
  };

  const getOnce = once((to: string, headers: HeaderFields) => send({ url: to, headers }), known);
  return {
    send,
    get: (to, headers = {}) => getOnce(to, headers),
    forget: () => known.clear(),
  };
};
