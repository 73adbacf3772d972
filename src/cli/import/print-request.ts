import { createClaim } from '../../openapi/names.ts';
import type { FoundEndpoint, Unfit } from './api.ts';
import { braces, indent, literal, memberName, members, membersOf, quote, toComment } from './code.ts';
import { reserved, toIdentifier, toParameterName } from './identifiers.ts';
import type { ReadRequest } from './requests.ts';
import type { Direction, Schema } from './schema.ts';

/** Declares a constant for a schema, and gives its name. */
export type Declare = (schema: Schema, name: string, direction: Direction) => string;

/**
 * Prints an operation that belongs to no collection as a member of the `endpoints` of its API, or of the
 * `actions` of a collection.
 *
 * @param owner - what the names of its schemas start with
 * @param expand - what the compiler can expand of its response
 */
export const printEndpoint = (
  { operation, path, request }: FoundEndpoint,
  key: string,
  owner: string,
  expand: readonly string[],
  declare: Declare,
  use: (name: string) => string,
): string => {
  const { query, repeated, trailingSlash, body, isBodyOptional, instance, contentType } = request;
  const { response, accept, as, fields, isAccepted } = request;
  const bodyOf = (schema: Schema): string => {
    const code = instance ? `${use('z')}.instanceof(${instance})` : declare(schema, `${owner}Body`, 'body');
    return isBodyOptional ? `${use('z')}.optional(${code})` : code;
  };
  const options = members({
    query: query && declare(query, `${owner}Query`, 'body'),
    repeated: literal(repeated),
    trailingSlash: literal(trailingSlash),
    body: body && bodyOf(body),
    contentType: literal(contentType),
    response: response && declare(response, `${owner}Response`, 'response'),
    accept: literal(accept),
    as: literal(as),
    fields: literal(fields),
    expand: expand.length > 0 ? literal(expand) : undefined,
    accepts: isAccepted ? 'true' : undefined,
  });
  const given = [quote(operation.method), quote(path), ...(options === '{}' ? [] : [options])];
  return `${memberName(key)}: ${use('endpoint')}(${given.join(', ')})`;
};

/** What is sent of a part of a path that is no parameter. */
const encodePart = (part: string): string =>
  new URL(`http://host/${part}`).pathname.slice(1).replace(/[`\\$]/g, '\\$&');

/** The path as a template, and the names of its parameters. */
const printPath = (path: string, api: string | undefined) => {
  const claim = createClaim([...reserved, api ?? '']);
  const names: string[] = [];
  const parts = path.split(/(\{[^{}]+\})/).map((part) => {
    if (!/^\{[^{}]+\}$/.test(part)) return encodePart(part);
    const name = claim(toParameterName(part.slice(1, -1)));
    names.push(name);
    return `\${encodeURIComponent(${name})}`;
  });
  return { names, code: names.length === 0 ? quote(parts.join('')) : `\`${parts.join('')}\`` };
};

/** Prints the function for an operation that belongs to no collection. `api` is the name of its API. */
export const printRequest = (
  { operation, reason }: Unfit,
  { path, isSlashed, query, repeated, body, contentType, response, accept, as, notes }: ReadRequest,
  name: string,
  api: string | undefined,
  declare: Declare,
  use: (name: string) => string,
): string => {
  const place = printPath(isSlashed ? `${path}/` : path, api);
  const owner = toIdentifier(name, 'Request');
  const typeOf = (schema: Schema, suffix: string): string =>
    `${use('z')}.input<typeof ${declare(schema, owner + suffix, 'body')}>`;
  const parameters = [
    `client: ${use('Client')}`,
    ...place.names.map((one) => `${one}: string | number`),
    ...(body === undefined ? [] : [`body: ${body.$ref === undefined ? 'unknown' : typeOf(body, '')}`]),
    ...(query === undefined
      ? []
      : [`query${query.required?.length === 0 ? '?' : ''}: ${typeOf(query, 'Query')}`]),
    `options?: ${use('CallOptions')}`,
  ];
  const request = membersOf({
    method: quote(operation.method),
    path: place.code,
    api,
    body: body && 'body',
    contentType: literal(contentType),
    query: query && 'query',
    repeated: literal(repeated),
    schema: response && declare(response, `${owner}Response`, 'response'),
    accept: literal(accept),
    as: literal(as),
  });
  const lines = [
    `${operation.method} ${operation.path}`,
    `Not part of a collection: ${reason}.`,
    ...notes.map((note) => `Not declared: ${note}.`),
  ];
  return [
    '/**',
    ...lines.map((line) => ` * ${toComment(line, 200)}`),
    ' */',
    `export const ${name} = (${parameters.join(', ')}) =>`,
    indent(`client.request(${braces(['...options', ...request])});`),
  ].join('\n');
};
