import { createClaim } from '../../openapi/names.ts';
import type { Unfit } from './api.ts';
import { quote, toComment } from './code.ts';
import { reserved, toIdentifier, toParameterName } from './identifiers.ts';
import type { Use } from './print-schema.ts';
import type { FoundRequest } from './requests.ts';
import type { Direction, Schema } from './schema.ts';

/** Declares a constant for a schema, and gives its name. */
export type Declare = (schema: Schema, name: string, direction: Direction) => string;

/** The path as a template, and the names of its parameters. */
const printPath = (path: string, api: string | undefined) => {
  const claim = createClaim([...reserved, api ?? '']);
  const names: string[] = [];
  const code = path.replace(/\{([^{}]+)\}|[`\\$]/g, (matched, parameter: string | undefined) => {
    if (parameter === undefined) return `\\${matched}`;
    const name = claim(toParameterName(parameter));
    names.push(name);
    return `\${encodeURIComponent(${name})}`;
  });
  return { names, code: names.length === 0 ? quote(path) : `\`${code}\`` };
};

/** Prints the function for an operation that belongs to no collection. `api` is the name of its API. */
export const printRequest = (
  { operation, reason }: Unfit,
  { path, query, body, contentType, response, accept, notes }: FoundRequest,
  name: string,
  api: string | undefined,
  declare: Declare,
  use: Use,
): string => {
  const place = printPath(path, api);
  const owner = toIdentifier(name, 'Request');
  const inputOf = (schema: string): string => `${use('z')}.input<typeof ${schema}>`;
  const parameters = [`client: ${use('Client')}`, ...place.names.map((one) => `${one}: string | number`)];
  const members = [`...options`, `method: ${quote(operation.method)}`, `path: ${place.code}`];
  if (api !== undefined) members.push(`api: ${api}`);
  if (body !== undefined) {
    const isNamed = body.$ref !== undefined;
    parameters.push(`body: ${isNamed ? inputOf(declare(body, owner, 'body')) : 'unknown'}`);
    members.push('body');
  }
  if (contentType !== undefined) members.push(`contentType: ${quote(contentType)}`);
  if (query !== undefined) {
    const mark = query.required?.length === 0 ? '?' : '';
    parameters.push(`query${mark}: ${inputOf(declare(query, `${owner}Query`, 'body'))}`);
    members.push('query');
  }
  parameters.push(`options?: ${use('CallOptions')}`);
  if (response !== undefined) members.push(`schema: ${declare(response, `${owner}Response`, 'response')}`);
  if (accept !== undefined)
    members.push(`accept: ${quote(accept)}`, `as: '${accept.startsWith('text/') ? 'text' : 'bytes'}'`);
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
    `  client.request({ ${members.join(', ')} });`,
  ].join('\n');
};
