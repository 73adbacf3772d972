import { createClaim } from '../../openapi/names.ts';
import { braces, quote, toComment } from './code.ts';
import type { Unfit } from './collections.ts';
import { reserved, toIdentifier, toParameterName } from './identifiers.ts';
import type { Printer } from './print-schema.ts';
import type { Argument, FoundRequest } from './requests.ts';
import type { Schema } from './schema.ts';

/** The path as a template, and the names of its parameters. */
const printPath = (path: string, api: string | undefined) => {
  const claim = createClaim(api === undefined ? reserved : [...reserved, api]);
  const names: string[] = [];
  const code = path.replace(/\{([^{}]+)\}|[`\\$]/g, (matched, parameter: string | undefined) => {
    if (parameter === undefined) return `\\${matched}`;
    const name = claim(toParameterName(parameter));
    names.push(name);
    return `\${encodeURIComponent(${name})}`;
  });
  return { names, code: names.length === 0 ? quote(path) : `\`${code}\`` };
};

const printParameter = ({ name, of, isOptional }: Argument, owner: string, printer: Printer): string => {
  const inputOf = (schema: Schema): string =>
    `${printer.use('z')}.input<typeof ${printer.declare(schema, owner + toIdentifier(name, ''), 'body')}>`;
  const type = typeof of === 'string' ? of : inputOf(of);
  if (!isOptional) return `${name}: ${type}`;
  return name === 'query' ? `query: ${type} = {}` : `${name}?: ${type}`;
};

const printResponse = ({ response }: FoundRequest, owner: string, printer: Printer): readonly string[] => {
  if (response === undefined) return [];
  if (typeof response !== 'string')
    return [`schema: ${printer.declare(response, `${owner}Response`, 'response')}`];
  return [`accept: ${quote(response)}`, `as: '${response.startsWith('text/') ? 'text' : 'bytes'}'`];
};

/** Prints the function for an operation that belongs to no collection. `api` is the name of its API. */
export const printRequest = (
  { operation, reason, path = '' }: Unfit,
  request: FoundRequest,
  name: string,
  api: string | undefined,
  printer: Printer,
): string => {
  const place = printPath(path, api);
  const owner = toIdentifier(name, 'Request');
  const given = request.arguments.map((one) => ({ ...one, code: printParameter(one, owner, printer) }));
  const [required, optional] = [false, true].map((isOptional) =>
    given.toReversed().flatMap((one) => (one.isOptional === isOptional ? [one.code] : [])),
  );
  const members = [
    `method: ${quote(operation.method)}`,
    `path: ${place.code}`,
    ...(api === undefined ? [] : [api === 'api' ? api : `api: ${api}`]),
    ...request.arguments.flatMap(({ name: member, contentType }) =>
      contentType === undefined ? [member] : [member, `contentType: ${quote(contentType)}`],
    ),
    ...printResponse(request, owner, printer),
  ];
  const summary = operation.summary ? `: ${operation.summary}` : '';
  const lines = [
    `Not part of a collection: ${reason}`,
    ...request.notes.map((note) => `Not declared: ${note}`),
  ];
  const comments = [
    '/**',
    ` * ${toComment(`${operation.method} ${operation.path}${summary}`)}`,
    ' *',
    ...lines.map((line) => ` * ${toComment(line, 200)}.`),
    ...(operation.isDeprecated ? [' *', ' * @deprecated The document says so.'] : []),
    ' */',
  ];
  const ofPath = place.names.map((parameter) => `${parameter}: string | number`);
  const parameters = [`client: ${printer.use('Client')}`, ...ofPath, required, optional].flat();
  const start = `export const ${name} = (${parameters.join(', ')}) =>`;
  const sent = `client.request(${braces(members)});`;
  const gap = start.length + sent.length < 100 ? ' ' : '\n  ';
  return [...comments, `${start}${gap}${sent.replaceAll('\n', '\n  ')}`].join('\n');
};
