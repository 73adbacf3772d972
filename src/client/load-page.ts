import { header, pageRelations } from '../conventions.ts';
import { type Links, parseLink } from '../headers/link.ts';
import { parsePagination } from '../headers/pagination.ts';
import { traced } from '../http/tracing.ts';
import { type BaseUrl, maskUrl, withoutFragment } from '../http/url.ts';
import { type ListPage, toListPage, toPage } from '../paging/page.ts';
import type { Schema } from '../query/shape.ts';
import type { CallOptions } from './call-options.ts';
import { type CallExchange, exchange, toFollowedUrl } from './exchange.ts';
import { type Answer, toReadOutcome, unexpected } from './outcome.ts';

/** A link as the server wrote it, when it is a whole URL; whether it may be followed is seen when it is. */
const toAbsolute = (answer: Answer, relation: string, target: string, origin: string): string => {
  if (target.startsWith(`${origin}/`)) return withoutFragment(target);
  const { url } = answer.request;
  if (!URL.canParse(target, url)) throw unexpected(answer, `the ${relation} link is not a URL (§4.5)`);
  const absolute = /^https?:\/\//.test(target) ? target : new URL(target, url).href;
  return withoutFragment(absolute);
};

/** The paging links of an answer (§4.5), absolute. */
const linksOf = (answer: Answer, { origin }: BaseUrl): Links => {
  const field = answer.response.headers.get(header.link);
  const { url } = answer.request;
  const isOwn = (anchor: string): boolean =>
    URL.canParse(anchor, url) && new URL(anchor, url).href === new URL(url).href;
  const links = parseLink(field ?? '', isOwn);
  if (links === undefined)
    throw unexpected(answer, 'the Link header cannot be read, and records behind it would be lost (§4.5)');
  const absolute = new Map<string, string>();
  for (const relation of pageRelations) {
    const target = links.get(relation);
    if (target === undefined) continue;
    absolute.set(relation, toAbsolute(answer, relation, target, origin));
  }
  return absolute;
};

/** Loads one page of a collection. */
export const loadPage = async <T>(
  api: CallExchange,
  list: Schema,
  link: string,
  options: CallOptions,
): Promise<ListPage<T>> => {
  const url = toFollowedUrl(api, link);
  return traced(
    'restkin:page',
    () => load(api, list, url, options),
    () => ({ callId: api.call.id, url: maskUrl(url, api.defaults.mask) }),
  );
};

const load = async <T>(
  api: CallExchange,
  list: Schema,
  url: string,
  options: CallOptions,
): Promise<ListPage<T>> => {
  const answer = await exchange(api, { method: 'GET', url, headers: api.readFields }, options);
  const items = await toReadOutcome(answer, list);
  const { response } = answer;
  // The schema of the list is derived from the same declaration as `T`.
  const page = toPage(items as readonly T[], linksOf(answer, api.base), parsePagination(response.headers));
  // What was made of the body is on the page.
  return toListPage(url, page, { ...response, body: '' }, response.filtered === true);
};
