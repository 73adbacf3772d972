import type { Method } from '../conventions.ts';
import type { HeaderFields } from '../http/message.ts';

/** A request as the doctor sends it. */
export interface WireRequest {
  readonly method: Method | 'HEAD';
  readonly url: string;
  /** Names in lower case. */
  readonly headers: HeaderFields;
  readonly body?: string | undefined;
  /** Where it belongs: the key of a collection, or the token endpoint. */
  readonly where: string;
  /** True for a request whose input no server may accept. */
  readonly isInvalid?: boolean;
}

/** A request with its response, before anybody interprets it. */
export interface Exchange {
  readonly request: WireRequest;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown;
}

/** Names a request in a sentence. */
export const nameOf = ({ method, url }: Pick<WireRequest, 'method' | 'url'>): string => `${method} ${url}`;
