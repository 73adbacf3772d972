import { createClaim } from '../../openapi/names.ts';
import { braces, quote, toComment } from './code.ts';
import type { Unfit } from './collections.ts';
import { reserved, toIdentifier, toParameterName } from './identifiers.ts';
import type { Printer } from './print-schema.ts';
import type { FoundRequest } from './requests.ts';

/** An argument of a function, and the members of the argument of `client.request` that it gives. */
interface Argument {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly members: readonly string[];
}

/** The path as a template, with an argument for each parameter. */
const printPath = (path: string, api: string | undefined) => {
  const claim = createClaim(api === undefined ? reserved : [...reserved, api]);
  const found: Argument[] = [];
  const code = path.replace(/\{([^{}]+)\}|[`\\$]/g, (matched, parameter: string | undefined) => {
    if (parameter === undefined) return `\\${matched}`;
    const name = claim(toParameterName(parameter));
    found.push({ name, type: 'string | number', isOptional: false, members: [] });
    return `\${encodeURIComponent(${name})}`;
  });
  return { found, member: `path: ${found.length === 0 ? quote(path) : `\`${code}\``}` };
};

const bodyTypes: Readonly<Record<string, string>> = {
  'multipart/form-data': 'FormData',
  'application/x-www-form-urlencoded': 'URLSearchParams',
};

const isText = (type: string): boolean => type.startsWith('text/');

/** The arguments of a request besides those of its path. */
const printArguments = (
  { query, body, headers }: FoundRequest,
  name: string,
  printer: Printer,
): readonly Argument[] => {
  const prefix = toIdentifier(name, 'Request');
  const inputOf = (code: string): string => `${printer.use('z')}.input<typeof ${code}>`;
  const found: Argument[] = [];
  if (query !== undefined) {
    const type = inputOf(printer.declare(query, `${prefix}Query`, 'body'));
    found.push({ name: 'query', type, isOptional: query.required?.length === 0, members: ['query'] });
  }
  if (body !== undefined) {
    const { of, isOptional } = body;
    const contentType =
      typeof of === 'string' && of !== 'multipart/form-data' ? [`contentType: ${quote(of)}`] : [];
    const type =
      typeof of === 'string'
        ? (bodyTypes[of] ?? (isText(of) ? 'string' : 'Uint8Array<ArrayBuffer>'))
        : inputOf(printer.declare(of, `${prefix}Body`, 'body'));
    found.push({ name: 'body', type, isOptional, members: ['body', ...contentType] });
  }
  if (headers !== undefined)
    found.push({
      name: 'headers',
      type: 'Readonly<Record<string, string>>',
      ...headers,
      members: ['headers'],
    });
  return found;
};

const printResponse = ({ response }: FoundRequest, name: string, printer: Printer): readonly string[] => {
  if (response === undefined) return [];
  if (typeof response === 'string')
    return [`accept: ${quote(response)}`, `as: '${isText(response) ? 'text' : 'bytes'}'`];
  return [`schema: ${printer.declare(response, `${toIdentifier(name, 'Request')}Response`, 'response')}`];
};

const printParameter = ({ name, type, isOptional }: Argument): string => {
  if (!isOptional) return `${name}: ${type}`;
  return name === 'query' ? `query: ${type} = {}` : `${name}?: ${type}`;
};

/** What is said of an operation that is a comment or a function. */
export const titleOf = ({ operation }: Unfit): string => `${operation.method} ${operation.path}`;

/** Prints the function for an operation that belongs to no collection. `api` is the name of its API. */
export const printRequest = (
  unfit: Unfit,
  request: FoundRequest,
  name: string,
  api: string | undefined,
  printer: Printer,
): string => {
  const { operation, reason, path = '' } = unfit;
  const place = printPath(path, api);
  const others = printArguments(request, name, printer);
  // Required arguments come first.
  const all = [...place.found, ...others.toReversed()];
  const ordered = all.toSorted((one, other) => Number(one.isOptional) - Number(other.isOptional));
  const members = [
    `method: ${quote(operation.method)}`,
    place.member,
    ...(api === undefined ? [] : [api === 'api' ? api : `api: ${api}`]),
    ...others.flatMap((one) => one.members),
    ...printResponse(request, name, printer),
  ];
  const summary = operation.summary ? `: ${operation.summary}` : '';
  const lines = [
    `Not part of a collection: ${reason}`,
    ...request.notes.map((note) => `Not declared: ${note}`),
  ];
  const comments = [
    '/**',
    ` * ${toComment(titleOf(unfit) + summary)}`,
    ' *',
    ...lines.map((line) => ` * ${toComment(line, 200)}.`),
    ...(operation.isDeprecated ? [' *', ' * @deprecated The document says so.'] : []),
    ' */',
  ];
  const parameters = [`client: ${printer.use('Client')}`, ...ordered.map(printParameter)];
  const start = `export const ${name} = (${parameters.join(', ')}) =>`;
  const sent = `client.request(${braces(members)});`;
  const gap = start.length + sent.length < 100 ? ' ' : '\n  ';
  return [...comments, `${start}${gap}${sent.replaceAll('\n', '\n  ')}`].join('\n');
};
