import { header, type Method, methodRules } from '../../conventions.ts';
import { createClaim } from '../../openapi/names.ts';
import { braces, imported, memberName, quote, toComment } from './code.ts';
import type { Unfit } from './collections.ts';
import { reserved, toIdentifier, toParameterName } from './identifiers.ts';
import { type Content, isJson, type Operation, type Parameter } from './operations.ts';
import type { Program } from './print-schema.ts';
import { parametersSchema, readParameter } from './query.ts';
import type { Model } from './resources.ts';
import type { Direction, Schema } from './schema.ts';

/** True for a path that a URL would change, or that the client refuses. */
const isOddPath = (path: string): boolean =>
  !/^(?:(?:[\w~!$&'()*+,;=:@.-]|%[0-9A-F]{2}|\{[^{}]+\})+(?:\/|$))+$/i.test(path) ||
  path.split('/').some((part) => /^(?:\.|%2e){1,2}$/i.test(part));

/** Why the client cannot send a parameter that a request needs; undefined when it can. */
const refuseParameter = (parameter: Parameter, model: Model): string | undefined => {
  const { name, in: place, isRequired, value } = parameter;
  if (!isRequired) return undefined;
  if (place === 'cookie') return `it needs the cookie ${name}`;
  if (place === 'path' && (value.style ?? 'simple') !== 'simple')
    return `its path parameter \`${name}\` has the style ${JSON.stringify(value.style)}`;
  const refused = place === 'query' ? readParameter(parameter, model).refused : undefined;
  return refused && `it needs the query parameter \`${name}\`, which ${refused}`;
};

/** Why `client.request` cannot send a request; undefined when it can. */
const refuse = ({ operation, path }: Unfit, model: Model): string | undefined => {
  const { method, server, responses, parameters } = operation;
  if (!Object.hasOwn(methodRules, method)) return `every resource refuses ${method} with 405 (§4.2)`;
  if (server !== undefined) return `it is on another server, ${server}`;
  if (isOddPath(path))
    return 'its path has an empty segment, `.`, `..` or characters that a URL path cannot have';
  if (responses.length > 0 && responses.every(({ status }) => status.startsWith('3')))
    return 'it redirects, and the client follows no redirect';
  return parameters.flatMap((parameter) => refuseParameter(parameter, model) ?? [])[0];
};

const mayBeJson = (content: Content): boolean => isJson(content) || content.type === '*/*';

interface Argument {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
}

/** Arguments of a function, and members of the argument of `client.request`. */
interface Written {
  readonly arguments: readonly Argument[];
  readonly members: readonly string[];
}

const nothing: Written = { arguments: [], members: [] };

/** The path as a template, with an argument for each parameter. */
const writePath = (path: string, api: string | undefined): Written => {
  const claim = createClaim(api === undefined ? reserved : [...reserved, api]);
  const found: Argument[] = [];
  const code = path.replace(/\{([^{}]+)\}|[`\\$]/g, (matched, parameter: string | undefined) => {
    if (parameter === undefined) return `\\${matched}`;
    const name = claim(toParameterName(parameter));
    found.push({ name, type: 'string | number', isOptional: false });
    return `\${encodeURIComponent(${name})}`;
  });
  return { arguments: found, members: [`path: ${found.length === 0 ? quote(path) : `\`${code}\``}`] };
};

const ignoredHeaders: readonly string[] = [header.accept, header.authorization, header.contentType];

/** The header parameters of an operation, without those that OpenAPI ignores: the client writes them by itself. */
const headersOf = ({ parameters }: Operation): readonly Parameter[] =>
  parameters.filter((one) => one.in === 'header' && !ignoredHeaders.includes(one.name.toLowerCase()));

const writeHeaders = (operation: Operation): Written => {
  const all = headersOf(operation);
  if (all.length === 0) return nothing;
  const required = all.filter(({ isRequired }) => isRequired);
  const others = required.length < all.length ? ['readonly [name: string]: string'] : [];
  const type = braces([...required.map(({ name }) => `readonly ${memberName(name)}: string`), ...others]);
  return { arguments: [{ name: 'headers', type, isOptional: required.length === 0 }], members: ['headers'] };
};

const bodyTypes: Readonly<Record<string, string>> = {
  'multipart/form-data': 'FormData',
  'application/x-www-form-urlencoded': 'URLSearchParams',
};

const bodyTypeOf = (type: string): string =>
  bodyTypes[type] ?? (type.startsWith('text/') ? 'string' : 'Uint8Array<ArrayBuffer>');

const parameterOf = ({ name, type, isOptional }: Argument): string => {
  if (!isOptional) return `${name}: ${type}`;
  return name === 'query' ? `query: ${type} = {}` : `${name}?: ${type}`;
};

/** Tells a reader about a base URL that differs from the usual one. */
export const baseUrlNote = (prefix: string): string =>
  prefix === '' ? 'Its base URL has no path.' : `Its base URL ends with \`${prefix}\`.`;

/** The arguments of a function for a request. `note` gets the parts that are not declared. */
const writeArguments = (
  { operation, path }: Unfit,
  name: string,
  api: string | undefined,
  { model, declare }: Program,
  note: (reason: string) => void,
): Written => {
  const { method, parameters, bodies, requestBody, responses } = operation;
  const declareOwn = (schema: Schema, direction: Direction, suffix: string): string =>
    declare(`${name} ${suffix}`, { name: toIdentifier(name, 'Request') + suffix, schema, direction });
  const inputOf = (code: string): string => `${imported('z')}.input<typeof ${code}>`;

  const writeQuery = (): Written => {
    const fields = new Map<string, Schema>();
    for (const parameter of parameters.filter((one) => one.in === 'query')) {
      const { field, refused } = readParameter(parameter, model);
      if (refused === undefined) fields.set(parameter.name, field);
      else note(`the query parameter \`${parameter.name}\` ${refused}`);
    }
    if (fields.size === 0) return nothing;
    const schema = parametersSchema(fields, parameters);
    const type = inputOf(declareOwn(schema, 'body', 'Query'));
    return {
      arguments: [{ name: 'query', type, isOptional: schema.required?.length === 0 }],
      members: ['query'],
    };
  };

  const writeBody = (): Written => {
    const json = bodies.find(mayBeJson);
    const content = json ?? bodies[0];
    if (content === undefined) return nothing;
    if (!methodRules[method as Method].body) {
      note(`${method} has no request body (§4.2)`);
      return nothing;
    }
    const written = content.type.includes('*') ? 'application/octet-stream' : content.type;
    const type = json
      ? inputOf(declareOwn(model.reader.read(json.schema, 'body'), 'body', 'Body'))
      : bodyTypeOf(written);
    const isTyped = json !== undefined || type === 'FormData';
    return {
      arguments: [{ name: 'body', type, isOptional: requestBody.required !== true }],
      members: isTyped ? ['body'] : ['body', `contentType: ${quote(written)}`],
    };
  };

  const writeResponse = (): readonly string[] => {
    const succeeded = responses.filter(({ status }) => status.startsWith('2'));
    const contents = succeeded.flatMap((response) => response.contents);
    const json = contents.find(mayBeJson);
    const [first] = contents;
    if (first === undefined) return [];
    if (json === undefined)
      return [`accept: ${quote(first.type)}`, `as: '${first.type.startsWith('text/') ? 'text' : 'bytes'}'`];
    if (succeeded.some((response) => response.contents.length === 0)) {
      note('the body is not checked, because one of its responses has none');
      return [];
    }
    if (json.schema === undefined) return [];
    return [`schema: ${declareOwn(model.reader.read(json.schema, 'response'), 'response', 'Response')}`];
  };

  const place = writePath(path, api);
  const [query, body, headers] = [writeQuery(), writeBody(), writeHeaders(operation)];
  const all = [place, body, headers, query].flatMap((part) => part.arguments);
  return {
    // Required arguments come first.
    arguments: all.toSorted((one, other) => Number(one.isOptional) - Number(other.isOptional)),
    members: [
      `method: ${quote(method)}`,
      ...place.members,
      ...(api === undefined ? [] : [api === 'api' ? api : `api: ${api}`]),
      ...[query, body, headers].flatMap((part) => part.members),
      ...writeResponse(),
    ],
  };
};

/** Writes a function for an operation that belongs to no collection, or a comment if the client cannot send the request. */
export const writeRequest = (
  unfit: Unfit,
  name: string,
  api: string | undefined,
  usualPrefix: string,
  program: Program,
): string => {
  const { operation, reason } = unfit;
  const title = `${operation.method} ${operation.path}`;
  const impossible = refuse(unfit, program.model);
  program.report(title, impossible ?? reason);
  if (impossible !== undefined) return `// ${toComment(`${title} is not declared: ${impossible}`, 200)}.`;
  const notes = [...operation.notes];
  const request = writeArguments(unfit, name, api, program, (note) => notes.push(note));
  for (const cookie of operation.parameters.filter((one) => one.in === 'cookie'))
    notes.push(`the cookie \`${cookie.name}\`: the client sends none`);
  for (const note of notes) program.report(title, note);
  if (operation.isDeprecated) program.report(title, 'the document calls it deprecated');
  const optional = headersOf(operation).flatMap((one) => (one.isRequired ? [] : [one.name]));
  const isElsewhere = unfit.prefix !== (unfit.api?.prefix ?? usualPrefix);
  const comments = [
    '/**',
    ` * ${toComment(`${title}${operation.summary ? `: ${operation.summary}` : ''}`)}`,
    ' *',
    ...[
      `Not part of a collection: ${reason}`,
      ...notes.map((note) => `Not declared: ${note}`),
      ...(optional.length > 0 ? [`Optional header fields: ${optional.join(', ')}`] : []),
    ].map((line) => ` * ${toComment(line, 200)}.`),
    ...(isElsewhere ? [` * ${toComment(baseUrlNote(unfit.prefix))}`] : []),
    ...(operation.isDeprecated ? [' *', ' * @deprecated The document says so.'] : []),
    ' */',
  ];
  const parameters = [`client: ${imported('Client')}`, ...request.arguments.map(parameterOf)];
  const start = `export const ${name} = (${parameters.join(', ')}) =>`;
  const sent = `client.request(${braces(request.members)});`;
  return [
    ...comments,
    `${start}${start.length + sent.length < 100 ? ' ' : '\n  '}${sent.replaceAll('\n', '\n  ')}`,
  ].join('\n');
};
