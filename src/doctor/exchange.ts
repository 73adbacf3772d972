import { header, type Method, type PageRelation, pageRelations } from '../conventions.ts';
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

// Read here and not by the client, so that a mistake of the client's parser is no verdict on the server.
const linkValue = /<([^<>]*)>((?:\s*;\s*[\w*-]+\s*(?:=\s*(?:"[^"]*"|[^\s",;]*))?)*)/g;
const relationParameter = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]*))/i;

const longest = 16_384;

/** The paging links of a response, as written (RFC 8288 §3). */
export const linksOf = ({ headers }: Exchange): ReadonlyMap<PageRelation, string> => {
  const links = new Map<PageRelation, string>();
  for (const [, target = '', parameters = ''] of (headers.get(header.link) ?? '')
    .slice(0, longest)
    .matchAll(linkValue)) {
    const [, quoted, bare = ''] = relationParameter.exec(parameters) ?? [];
    const names = (quoted ?? bare).toLowerCase().split(/\s+/);
    for (const relation of pageRelations) {
      if (names.includes(relation) && !links.has(relation)) links.set(relation, target);
    }
  }
  return links;
};
