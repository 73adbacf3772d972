import { InvalidRequestError } from '../errors/restkin-error.ts';
import { conventionsWire } from '../families/conventions-wire.ts';
import { createReader, isObject } from '../options.ts';
import { isResource, type Resource } from '../schema/resource.ts';
import { selectedSchemasOf } from '../schema/select.ts';
import { type Call, callWith } from './call.ts';
import { type ClientContext, toFollowedUrl } from './context.ts';
import { type GetRequest, getChecks, toGet } from './operations.ts';

type AnyFollowOptions = GetRequest & { readonly auth?: string | undefined };

const readFollowOptions = createReader<AnyFollowOptions>({ ...getChecks, auth: undefined });

const toTarget = (link: unknown): string => {
  const target = isObject(link) ? link.self : link;
  if (typeof target === 'string' && target !== '') return target;
  throw new InvalidRequestError('client.follow takes a URL, or a resource that has `self` (§2.1)');
};

/**
 * A link with the parameters of a query, in place of its own of the same name. What stays is not encoded
 * again: the link may be signed.
 */
const withParameters = (link: string, query: string): string => {
  if (query === '') return link;
  const replaced = new URLSearchParams(query);
  const stays = (part: string): boolean => {
    const [name = ''] = new URLSearchParams(part).keys();
    return !replaced.has(name);
  };
  const start = link.indexOf('?');
  if (start < 0) return `${link}?${query}`;
  const kept = link
    .slice(start + 1)
    .split('&')
    .filter(stays)
    .join('&');
  return `${link.slice(0, start)}?${kept === '' ? query : `${kept}&${query}`}`;
};

/** `follow` of a client. */
export const createFollow =
  (context: ClientContext) =>
  (resource: Resource, link: unknown, given?: AnyFollowOptions): Call<unknown> =>
    callWith(
      context.beginCall,
      () => {
        if (!isResource(resource))
          throw new InvalidRequestError('client.follow takes a resource, then a link');
        const options = readFollowOptions(given, 'client.follow');
        const { wire = conventionsWire } = resource;
        const { query } = wire.family;
        const api = { ...context.forScheme(options.auth), wire };
        const rules = {
          name: 'client.follow',
          resource,
          wire,
          ...(query.fields !== undefined && { fields: true as const }),
          ...(query.expand !== undefined && { expand: true as const }),
        };
        const toUrl = (query: string): string => withParameters(toFollowedUrl(api, toTarget(link)), query);
        return { api, options, ...toGet({ rules, schemas: selectedSchemasOf(resource) }, options, toUrl) };
      },
      given,
    );
