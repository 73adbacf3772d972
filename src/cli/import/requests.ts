import { header, type Method, methodRules } from '../../conventions.ts';
import { createClaim } from '../../openapi/names.ts';
import { braces, imported, quote, toComment } from './code.ts';
import type { Unfit } from './collections.ts';
import { reserved, toIdentifier, toParameterName } from './identifiers.ts';
import { type Content, isJson, type Operation } from './operations.ts';
import type { Program } from './print-schema.ts';
import { parametersSchema, readParameter } from './query.ts';
import type { Model } from './resources.ts';
import type { Direction, Schema } from './schema.ts';

/** True for a path that a URL would change, or that the client refuses. */
const isOddPath = (path: string): boolean =>
  !/^(?:(?:[\w~!$&'()*+,;=:@.-]|%[0-9A-F]{2}|\{[^{}]+\})+(?:\/|$))+$/i.test(path) ||
  path.split('/').some((part) => /^(?:\.|%2e){1,2}$/i.test(part));

/** Why `client.request` cannot send a request; undefined when it can. */
const refuse = ({ operation, path }: Unfit, model: Model): string | undefined => {
  const { method, server, responses, parameters } = operation;
  if (!Object.hasOwn(methodRules, method)) return `every resource refuses ${method} with 405 (§4.2)`;
  if (server !== undefined) return `it is on another server, ${server}`;
  if (path === undefined) return 'it is outside the base URL of the collections';
  if (isOddPath(path)) return 'its path is none that a URL can have';
  if (responses.length > 0 && responses.every(({ status }) => status.startsWith('3')))
    return 'it redirects, and the client follows no redirect';
  const unsent = parameters.find(
    (one) =>
      one.isRequired &&
      (one.in === 'cookie' || (one.in === 'query' && readParameter(one, model) === undefined)),
  );
  return unsent && `it needs the ${unsent.in} parameter \`${unsent.name}\`, which the client does not write`;
};

const mayBeJson = (content: Content): boolean => isJson(content) || content.type === '*/*';

/** An argument of a function, and the members of the argument of `client.request` that it gives. */
interface Written {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly members: readonly string[];
}

/** The path as a template, with an argument for each parameter. */
const writePath = (path: string, api: string | undefined) => {
  const claim = createClaim(api === undefined ? reserved : [...reserved, api]);
  const found: Written[] = [];
  const code = path.replace(/\{([^{}]+)\}|[`\\$]/g, (matched, parameter: string | undefined) => {
    if (parameter === undefined) return `\\${matched}`;
    const name = claim(toParameterName(parameter));
    found.push({ name, type: 'string | number', isOptional: false, members: [] });
    return `\${encodeURIComponent(${name})}`;
  });
  return { found, member: `path: ${found.length === 0 ? quote(path) : `\`${code}\``}` };
};

/** Header fields that the client writes by itself, so that OpenAPI ignores them as parameters. */
const ignoredHeaders: readonly string[] = [header.accept, header.authorization, header.contentType];

const writeHeaders = ({ parameters }: Operation, note: (reason: string) => void): readonly Written[] => {
  const all = parameters.filter(
    (one) => one.in === 'header' && !ignoredHeaders.includes(one.name.toLowerCase()),
  );
  if (all.length === 0) return [];
  note(`the types of the header fields ${all.map(({ name }) => name).join(', ')}`);
  const isOptional = all.every(({ isRequired }) => !isRequired);
  return [{ name: 'headers', type: 'Readonly<Record<string, string>>', isOptional, members: ['headers'] }];
};

const bodyTypes: Readonly<Record<string, string>> = {
  'multipart/form-data': 'FormData',
  'application/x-www-form-urlencoded': 'URLSearchParams',
};

const bodyTypeOf = (type: string): string =>
  bodyTypes[type] ?? (type.startsWith('text/') ? 'string' : 'Uint8Array<ArrayBuffer>');

const parameterOf = ({ name, type, isOptional }: Written): string => {
  if (!isOptional) return `${name}: ${type}`;
  return name === 'query' ? `query: ${type} = {}` : `${name}?: ${type}`;
};

/** The arguments and the members of a request. `note` gets the parts that are not declared. */
const writeParts = (
  { operation, path = '' }: Unfit,
  name: string,
  api: string | undefined,
  { model, declare }: Program,
  note: (reason: string) => void,
) => {
  const { method, parameters, bodies, requestBody, responses } = operation;
  const declareOwn = (schema: Schema, direction: Direction, suffix: string): string =>
    declare(`${name} ${suffix}`, { name: toIdentifier(name, 'Request') + suffix, schema, direction });
  const inputOf = (code: string): string => `${imported('z')}.input<typeof ${code}>`;

  const writeQuery = (): readonly Written[] => {
    const fields = new Map<string, Schema>();
    for (const parameter of parameters.filter((one) => one.in === 'query' || one.in === 'cookie')) {
      const field = parameter.in === 'query' ? readParameter(parameter, model) : undefined;
      if (field === undefined) note(`the ${parameter.in} parameter \`${parameter.name}\``);
      else fields.set(parameter.name, field);
    }
    if (fields.size === 0) return [];
    const schema = parametersSchema(fields, parameters);
    const type = inputOf(declareOwn(schema, 'body', 'Query'));
    return [{ name: 'query', type, isOptional: schema.required?.length === 0, members: ['query'] }];
  };

  const writeBody = (): readonly Written[] => {
    const json = bodies.find(mayBeJson);
    const content = json ?? bodies[0];
    if (content === undefined) return [];
    if (!methodRules[method as Method].body) {
      note(`the request body: ${method} has none (§4.2)`);
      return [];
    }
    const written = content.type.includes('*') ? 'application/octet-stream' : content.type;
    const type = json
      ? inputOf(declareOwn(model.reader.read(json.schema, 'body'), 'body', 'Body'))
      : bodyTypeOf(written);
    const isTyped = json !== undefined || type === 'FormData';
    const members = isTyped ? ['body'] : ['body', `contentType: ${quote(written)}`];
    return [{ name: 'body', type, isOptional: requestBody.required !== true, members }];
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
      note('the body, because one of its responses has none');
      return [];
    }
    if (json.schema === undefined) return [];
    return [`schema: ${declareOwn(model.reader.read(json.schema, 'response'), 'response', 'Response')}`];
  };

  const place = writePath(path, api);
  const parts = [...writeQuery(), ...writeBody(), ...writeHeaders(operation, note)];
  const all = [...place.found, ...parts.toReversed()];
  return {
    // Required arguments come first.
    arguments: all.toSorted((one, other) => Number(one.isOptional) - Number(other.isOptional)),
    members: [
      `method: ${quote(method)}`,
      place.member,
      ...(api === undefined ? [] : [api === 'api' ? api : `api: ${api}`]),
      ...parts.flatMap(({ members }) => members),
      ...writeResponse(),
    ],
  };
};

/** Writes a function for an operation that belongs to no collection, or a comment if the client cannot send the request. */
export const writeRequest = (
  unfit: Unfit,
  name: string,
  api: string | undefined,
  program: Program,
): string => {
  const { operation, reason } = unfit;
  const title = `${operation.method} ${operation.path}`;
  const impossible = refuse(unfit, program.model);
  program.report(title, impossible ?? reason);
  if (impossible !== undefined) return `// ${toComment(`${title} is not declared: ${impossible}`, 200)}.`;
  const notes = [...operation.notes];
  const request = writeParts(unfit, name, api, program, (note) => notes.push(note));
  for (const note of notes) program.report(title, note);
  if (operation.isDeprecated) program.report(title, 'the document calls it deprecated');
  const lines = [`Not part of a collection: ${reason}`, ...notes.map((note) => `Not declared: ${note}`)];
  const comments = [
    '/**',
    ` * ${toComment(`${title}${operation.summary ? `: ${operation.summary}` : ''}`)}`,
    ' *',
    ...lines.map((line) => ` * ${toComment(line, 200)}.`),
    ...(operation.isDeprecated ? [' *', ' * @deprecated The document says so.'] : []),
    ' */',
  ];
  const parameters = [`client: ${imported('Client')}`, ...request.arguments.map(parameterOf)];
  const start = `export const ${name} = (${parameters.join(', ')}) =>`;
  const sent = `client.request(${braces(request.members)});`;
  const gap = start.length + sent.length < 100 ? ' ' : '\n  ';
  return [...comments, `${start}${gap}${sent.replaceAll('\n', '\n  ')}`].join('\n');
};
