import { createClaim } from '../../openapi/names.ts';
import type { Unfit } from './api.ts';
import { braces, escapeInvisible, quote, toComment } from './code.ts';
import { reserved, toIdentifier, toParameterName } from './identifiers.ts';
import type { Use } from './print-schema.ts';
import type { Argument, FoundRequest } from './requests.ts';
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
  return { names, code: names.length === 0 ? quote(path) : `\`${escapeInvisible(code)}\`` };
};

/** Prints the function for an operation that belongs to no collection. `api` is the name of its API. */
export const printRequest = (
  { operation, reason }: Unfit,
  { path, arguments: given, contentType, response, notes }: FoundRequest,
  name: string,
  api: string | undefined,
  declare: Declare,
  use: Use,
): string => {
  const place = printPath(path, api);
  const owner = toIdentifier(name, 'Request');
  const printParameter = ({ name: member, of, isOptional }: Argument): string => {
    const type =
      typeof of === 'string'
        ? of
        : `${use('z')}.input<typeof ${declare(of, owner + toIdentifier(member, ''), 'body')}>`;
    return `${member}${isOptional ? '?' : ''}: ${type}`;
  };
  const ordered = given.toSorted((a, b) => Number(a.isOptional) - Number(b.isOptional));
  const parameters = [
    `client: ${use('Client')}`,
    ...place.names.map((parameter) => `${parameter}: string | number`),
    ...ordered.map(printParameter),
  ];
  const members = [
    `method: ${quote(operation.method)}`,
    `path: ${place.code}`,
    ...(api === undefined ? [] : [api === 'api' ? api : `api: ${api}`]),
    ...given.map((one) => one.name),
    ...(contentType === undefined ? [] : [`contentType: ${quote(contentType)}`]),
    ...(typeof response === 'object' ? [`schema: ${declare(response, `${owner}Response`, 'response')}`] : []),
    ...(typeof response === 'string'
      ? [`accept: ${quote(response)}`, `as: '${response.startsWith('text/') ? 'text' : 'bytes'}'`]
      : []),
  ];
  const lines = [
    `${operation.method} ${operation.path}`,
    `Not part of a collection: ${reason}.`,
    ...notes.map((note) => `Not declared: ${note}.`),
    ...(operation.value.deprecated === true ? ['@deprecated The document says so.'] : []),
  ];
  const start = `export const ${name} = (${parameters.join(', ')}) =>`;
  const sent = `client.request(${braces(members)});`;
  return [
    '/**',
    ...lines.map((line) => ` * ${toComment(line, 200)}`),
    ' */',
    `${start}\n  ${sent.replaceAll('\n', '\n  ')}`,
  ].join('\n');
};
