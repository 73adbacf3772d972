import { InvalidRequestError } from '../errors/restkin-error.ts';
import { checkQuery, formatQuery, noQuery } from '../query/query.ts';
import { createReader, isObject } from '../schema/read-options.ts';
import { isResource, type Resource } from '../schema/resource.ts';
import { createSelectedSchemas } from '../schema/select.ts';
import type { Schema } from '../schema/types/shape.ts';
import { type Call, callWith } from './call.ts';
import { type ConditionalOptions, conditionalChecks, conditionsOf } from './call-options.ts';
import type { ClientContext } from './context.ts';
import { toReadOutcome } from './outcome.ts';
import { sendRequest, toFollowedUrl } from './pipeline.ts';

/** What {@link Client.follow} follows: a URL, or a resource or stub that has a `self`. */
export type LinkTo = string | { readonly self?: string | undefined };

interface AnyFollowOptions extends ConditionalOptions {
  readonly fields?: readonly string[] | undefined;
  readonly expand?: readonly string[] | undefined;
  readonly auth?: string | undefined;
}

const readFollowOptions = createReader<AnyFollowOptions>({
  ...conditionalChecks,
  fields: undefined,
  expand: undefined,
  auth: undefined,
});

const toTarget = (link: unknown): string => {
  const target = isObject(link) ? link.self : link;
  if (typeof target === 'string' && target !== '') return target;
  throw new InvalidRequestError(
    isObject(link) && 'id' in link
      ? 'client.follow: the resource has no `self`, so it cannot be fetched on its own (§2.1)'
      : 'client.follow: the link must be a URL as a string, or a resource with `self`',
  );
};

/** A link with the parameters of a query in place of its own. */
const withQuery = (link: string, query: string): string => {
  if (query === '') return link;
  const url = new URL(link);
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value);
  return url.href;
};

/** Fetches the resource at a self link or a `Location`. */
export const createFollow = (context: ClientContext) => {
  const schemasOf = new WeakMap<Resource, ReturnType<typeof createSelectedSchemas>>();

  return (resource: Resource, link: LinkTo, given?: AnyFollowOptions): Call<unknown> => {
    const call = context.beginCall();
    let item: Schema;
    const send = () => {
      const options = readFollowOptions(given, 'client.follow');
      if (!isResource(resource))
        throw new InvalidRequestError('client.follow takes the resource() first, and the link second');
      const schemas = schemasOf.get(resource) ?? createSelectedSchemas(resource, true);
      schemasOf.set(resource, schemas);
      const target = toTarget(link);
      const query = { ...noQuery, fields: options.fields, expand: options.expand };
      checkQuery(query, { name: 'client.follow', resource, fields: true, expand: true });
      item = schemas(query).item;
      const api = { ...context.forScheme(options.auth), call };
      const url = withQuery(toFollowedUrl(api, target), formatQuery(query));
      return sendRequest(
        api,
        { method: 'GET', url, headers: api.readFields },
        options,
        conditionsOf(options),
      );
    };
    return callWith(call, send, (exchange) => toReadOutcome(exchange, item));
  };
};
