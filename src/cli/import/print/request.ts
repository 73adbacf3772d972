import { createClaim } from '../../../openapi/names.ts';
import type { Unfit } from '../api/api.ts';
import { titleOf } from '../api/operations.ts';
import type { ReadRequest } from '../api/requests.ts';
import type { Schema } from '../schemas/schema.ts';
import { braces, indent, literal, membersOf, quote, toComment } from './code.ts';
import { reserved, toIdentifier, toParameterName } from './identifiers.ts';
import type { Program } from './program.ts';

/** What is sent of a part of a path that is no parameter. */
const encodePart = (part: string): string =>
  new URL(`http://host/${part}`).pathname.slice(1).replace(/[`\\$]/g, '\\$&');

/** The path as a template, and the names of its parameters. */
const printPath = (path: string, taken: readonly string[]) => {
  const claim = createClaim([...reserved, ...taken]);
  const names: string[] = [];
  const parts = path.split(/(\{[^{}]+\})/).map((part) => {
    if (!/^\{[^{}]+\}$/.test(part)) return encodePart(part);
    const name = claim(toParameterName(part.slice(1, -1)));
    names.push(name);
    return `\${encodeURIComponent(${name})}`;
  });
  return { names, code: names.length === 0 ? quote(parts.join('')) : `\`${parts.join('')}\`` };
};

/**
 * Prints the function for an operation that is not declared.
 *
 * @param isOfApi - whether it is sent with the scheme of the API, which it then names
 */
export const printRequest = (
  { api, use, declare }: Program,
  { operation, reason, scheme }: Unfit,
  { path, isSlashed, query, repeated, body, contentType, response, accept, as, notes }: ReadRequest,
  name: string,
  isOfApi: boolean,
): string => {
  const place = printPath(isSlashed ? `${path}/` : path, isOfApi ? [api] : []);
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
    api: isOfApi ? api : undefined,
    auth: literal(scheme),
    body: body && 'body',
    contentType: literal(contentType),
    query: query && 'query',
    repeated: literal(repeated),
    schema: response && declare(response, `${owner}Response`, 'response'),
    accept: literal(accept),
    as: literal(as),
  });
  const lines = [
    titleOf(operation),
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
