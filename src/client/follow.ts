import { InvalidRequestError } from '../errors/restkin-error.ts';
import { createReader, isObject } from '../options.ts';
import { isResource, type Resource } from '../schema/resource.ts';
import { createSelectedSchemas } from '../schema/select.ts';
import { oncePer } from '../schema/zod.ts';
import { type Call, callWith } from './call.ts';
import type { ClientContext } from './context.ts';
import { type GetRequest, getChecks, prepareGet } from './operations.ts';
import { toReadOutcome } from './outcome.ts';
import { toFollowedUrl } from './pipeline.ts';

interface AnyFollowOptions extends GetRequest {
  readonly auth?: string | undefined;
}

const readFollowOptions = createReader<AnyFollowOptions>({ ...getChecks, auth: undefined });

const toTarget = (link: unknown): string => {
  const target = isObject(link) ? link.self : link;
  if (typeof target === 'string' && target !== '') return target;
  throw new InvalidRequestError(
    isObject(link) && 'id' in link
      ? 'client.follow: the resource has no `self`, so it cannot be fetched on its own (§2.1)'
      : 'client.follow: the link must be a URL as a string, or a resource with `self`',
  );
};

/** A link with the parameters of a query, in place of its own of the same name. */
const withQuery = (link: string, query: string): string => {
  if (query === '') return link;
  const url = new URL(link);
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value);
  return url.href;
};

export const createFollow = (context: ClientContext) => {
  const schemasOf = oncePer((resource: Resource) => createSelectedSchemas(resource, true));

  return (resource: Resource, link: unknown, given?: AnyFollowOptions): Call<unknown> => {
    const prepare = () => {
      const options = readFollowOptions(given, 'client.follow');
      if (!isResource(resource))
        throw new InvalidRequestError('client.follow takes the resource() first, and the link second');
      const target = toTarget(link);
      const api = context.forScheme(options.auth);
      const rules = { name: 'client.follow', resource, fields: true, expand: true } as const;
      const toUrl = (query: string): string => withQuery(toFollowedUrl(api, target), query);
      return prepareGet(api, { rules, schemas: schemasOf(resource) }, options, toUrl);
    };
    return callWith(context.beginCall, prepare, (exchange, { item }) => toReadOutcome(exchange, item));
  };
};
