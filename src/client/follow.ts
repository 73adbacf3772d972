import { InvalidRequestError } from '../errors/request-error.ts';
import { checkQuery, formatQuery, noQuery } from '../query/query.ts';
import type { Schema } from '../query/shape.ts';
import { type Blank, createReader } from '../schema/read-options.ts';
import type { Resource } from '../schema/resource.ts';
import type { Call } from './call.ts';
import { blank, type ConditionalOptions, conditionsOf } from './call-options.ts';
import type { Connection } from './connection.ts';
import { callWith, exchange, toFollowedUrl } from './exchange.ts';
import { toReadOutcome } from './outcome.ts';
import { createSelectedSchemas } from './selected-schemas.ts';

/** A link to a resource: its URL, or a resource or stub that has a `self`. */
export type LinkTo = string | { readonly self?: string | undefined };

interface AnyFollowOptions extends ConditionalOptions {
  readonly fields?: readonly string[] | undefined;
  readonly expand?: readonly string[] | undefined;
  readonly auth?: string | undefined;
}

const blankFollow: Blank<AnyFollowOptions> = {
  ...blank.conditional,
  fields: undefined,
  expand: undefined,
  auth: undefined,
};
const readFollowOptions = createReader(blankFollow);

/** A link with the parameters of a query in place of its own. */
const withQuery = (link: string, query: string): string => {
  if (query === '') return link;
  const url = new URL(link);
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value);
  return url.href;
};

/** Fetches what a self link or a `Location` leads to. */
export const createFollow = (connection: Connection) => {
  const schemasOf = new WeakMap<Resource, ReturnType<typeof createSelectedSchemas>>();

  return (resource: Resource, link: LinkTo, given?: AnyFollowOptions): Call<unknown> => {
    const schemas = schemasOf.get(resource) ?? createSelectedSchemas(resource, true);
    schemasOf.set(resource, schemas);
    const call = connection.beginCall();
    let item: Schema;
    const send = async () => {
      const options = readFollowOptions(given, 'client.follow');
      const target = typeof link === 'string' ? link : link?.self;
      if (target === undefined) {
        throw new InvalidRequestError(
          'client.follow: the resource has no `self`, so it cannot be fetched on its own (§2.1)',
        );
      }
      const query = { ...noQuery, fields: options.fields, expand: options.expand };
      const problem = checkQuery(query, { name: 'client.follow', resource, fields: true, expand: true });
      if (problem !== undefined) throw new InvalidRequestError(problem);
      item = schemas(query).item;
      const api = { ...connection.connectDirect(options.auth), call };
      const url = withQuery(toFollowedUrl(api, target), formatQuery(query));
      return exchange(api, { method: 'GET', url, headers: api.readFields }, options, conditionsOf(options));
    };
    return callWith(call, send, (answer) => toReadOutcome(answer, item));
  };
};
