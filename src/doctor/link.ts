import { header, type PageRelation, pageRelations } from '../conventions.ts';
import type { Exchange } from './exchange.ts';

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
