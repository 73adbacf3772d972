import { methodRules } from '../../conventions.ts';
import { createNames } from '../../openapi/names.ts';
import { around, braces, type Code, format, group, memberName, quote, toComment } from './code.ts';
import type { Unfit } from './collections.ts';
import type { Declarations } from './declarations.ts';
import type { Reader } from './fit.ts';
import { reserved, toCamelIdentifier, toIdentifier, toParameterName } from './identifiers.ts';
import type { Field, Node } from './node.ts';
import { type Content, isJson, type Operation } from './operations.ts';
import { readParameter } from './query.ts';

const segment = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2}|\{[^{}]+\})+$/;

/** Why `client.request` cannot send a request; undefined when it can. */
const refuse = ({ operation, path }: Unfit): string | undefined => {
  const { method, server, responses, parameters } = operation;
  if (!Object.hasOwn(methodRules, method)) return `every resource refuses ${method} with 405 (§4.2)`;
  if (server !== undefined) return `it is on another server, ${server}`;
  if (!path.split('/').every((part) => segment.test(part) && !/^(?:\.|%2e){1,2}$/i.test(part)))
    return 'the client writes no such path';
  if (responses.length > 0 && responses.every(({ status }) => status.startsWith('3')))
    return 'it redirects, and the client follows no redirect';
  const cookie = parameters.find((one) => one.in === 'cookie' && one.isRequired);
  return cookie && `it needs the cookie ${cookie.name}`;
};

const mayBeJson = (content: Content): boolean => isJson(content) || content.type === '*/*';

interface Argument {
  readonly name: string;
  readonly type: Code;
  readonly isOptional: boolean;
}

interface Request {
  readonly arguments: readonly Argument[];
  /** The members of the object that `client.request` is given. */
  readonly members: readonly Code[];
}

/** The path as a template, with an argument for each parameter. */
const readPath = (
  path: string,
  api: string | undefined,
): { readonly code: string; readonly arguments: readonly Argument[] } => {
  const names = createNames([...reserved, ...(api === undefined ? [] : [api])]);
  const found: Argument[] = [];
  const code = path.replace(/\{([^{}]+)\}|[`\\$]/g, (matched, parameter: string | undefined) => {
    if (parameter === undefined) return `\\${matched}`;
    const name = names.claim(toParameterName(parameter));
    found.push({ name, type: 'string | number', isOptional: false });
    return `\${encodeURIComponent(${name})}`;
  });
  return { code: found.length === 0 ? quote(path) : `\`${code}\``, arguments: found };
};

const bodyTypes: Readonly<Record<string, string>> = {
  'multipart/form-data': 'FormData',
  'application/x-www-form-urlencoded': 'URLSearchParams',
};

const bodyTypeOf = (type: string): string =>
  bodyTypes[type] ?? (type.startsWith('text/') ? 'string' : 'Uint8Array<ArrayBuffer>');

/** Makes a function of each operation that belongs to no collection. */
export const createRequests = (declarations: Declarations, { schemas }: Reader) => {
  const read = (content: Content, direction: 'response' | 'body', note: (reason: string) => void): Node =>
    schemas.read(content.schema, { base: content.base, direction, note });

  const readQuery = (
    operation: Operation,
    name: string,
    note: (reason: string) => void,
  ): Argument | undefined => {
    const fields = new Map<string, Field>();
    for (const parameter of operation.parameters.filter((one) => one.in === 'query')) {
      const { field, refused } = readParameter(parameter, schemas);
      if (refused === undefined) fields.set(parameter.name, field);
      else note(`the query parameter \`${parameter.name}\` ${refused}`);
    }
    if (fields.size === 0) return undefined;
    const node: Node = { kind: 'object', isResource: false, fields, rest: undefined };
    const isOptional = [...fields.values()].every((field) => field.isOptional);
    return {
      name: 'query',
      type: `z.input<typeof ${declarations.constant(node, `${name}Query`)}>`,
      isOptional,
    };
  };

  const readBody = (
    operation: Operation,
    name: string,
    note: (reason: string) => void,
  ): Request | undefined => {
    const json = operation.bodies.find(mayBeJson);
    const content = json ?? operation.bodies[0];
    if (content === undefined || !methodRules[operation.method as keyof typeof methodRules].body) {
      if (content !== undefined) note(`${operation.method} has no request body (§4.2)`);
      return undefined;
    }
    const isOptional = operation.requestBody.required !== true;
    if (json !== undefined) {
      const node = read(json, 'body', note);
      const type = `z.input<typeof ${declarations.constant(node, `${name}Body`)}>`;
      return { arguments: [{ name: 'body', type, isOptional }], members: ['body'] };
    }
    const written = content.type.includes('*') ? 'application/octet-stream' : content.type;
    const type = bodyTypeOf(written);
    const members = type === 'FormData' ? ['body'] : ['body', `contentType: ${quote(written)}`];
    return { arguments: [{ name: 'body', type, isOptional }], members };
  };

  const readHeaders = ({ parameters }: Operation): Argument | undefined => {
    const fields = parameters.filter((one) => one.in === 'header' && one.isRequired);
    if (fields.length === 0) return undefined;
    const type = braces(fields.map(({ name }) => `readonly ${memberName(name)}: string`));
    return { name: 'headers', type, isOptional: false };
  };

  const readResponse = (
    { responses }: Operation,
    name: string,
    note: (reason: string) => void,
  ): readonly string[] => {
    const succeeded = responses.filter(({ status }) => status.startsWith('2'));
    const contents = succeeded.flatMap((response) => response.contents);
    const json = contents.find(mayBeJson);
    if (json !== undefined) {
      if (succeeded.some((response) => response.contents.length === 0)) {
        note('the body is not checked, because one of its responses has none');
        return [];
      }
      return json.schema === undefined
        ? []
        : [`schema: ${declarations.constant(read(json, 'response', note), `${name}Response`)}`];
    }
    const [first] = contents;
    return first === undefined ? [] : [`accept: ${quote(first.type)}`];
  };

  const readRequest = (
    unfit: Unfit,
    name: string,
    api: string | undefined,
    note: (reason: string) => void,
  ): Request => {
    const { operation } = unfit;
    const path = readPath(unfit.path, api);
    const pascal = toIdentifier(name, 'Request');
    const query = readQuery(operation, pascal, note);
    const body = readBody(operation, pascal, note);
    const headers = readHeaders(operation);
    const all = [
      ...path.arguments,
      ...(body?.arguments ?? []),
      ...(headers ? [headers] : []),
      ...(query ? [query] : []),
    ];
    return {
      // What has to be given comes first.
      arguments: [
        ...all.filter(({ isOptional }) => !isOptional),
        ...all.filter(({ isOptional }) => isOptional),
      ],
      members: [
        `method: ${quote(operation.method)}`,
        `path: ${path.code}`,
        ...(api === undefined ? [] : [api === 'api' ? api : `api: ${api}`]),
        ...(query ? ['query'] : []),
        ...(body?.members ?? []),
        ...(headers ? ['headers'] : []),
        ...readResponse(operation, pascal, note),
      ],
    };
  };

  /** Adds the function, or a comment where nothing can be called. */
  return (unfit: Unfit, api: string | undefined): void => {
    const { operation, reason } = unfit;
    const title = `${operation.method} ${operation.path}`;
    const impossible = refuse(unfit);
    declarations.report(title, impossible ?? reason);
    if (impossible !== undefined) {
      declarations.add(`// ${toComment(`${title} is not declared: ${impossible}`, 200)}.`);
      return;
    }
    const name = declarations.claim(toCamelIdentifier(operation.id ?? title.toLowerCase(), 'request'));
    const notes: string[] = [];
    const request = readRequest(unfit, name, api, (reason) => notes.push(reason));
    for (const note of notes) declarations.report(title, note);
    const comments = [
      '/**',
      ` * ${toComment(`${title}${operation.summary ? `: ${operation.summary}` : ''}`)}`,
      ' *',
      ` * ${toComment(`Not part of a collection: ${reason}`, 200)}.`,
      ...notes.map((note) => ` * ${toComment(`Not declared: ${note}`, 200)}.`),
      ' */',
    ];
    const parameters = request.arguments.map(({ name: argument, type, isOptional }) => {
      if (!isOptional) return around(`${argument}: `, type);
      return argument === 'query' ? around('query: ', type, ' = {}') : around(`${argument}?: `, type);
    });
    const head = group(`export const ${name} = (`, ['client: Client', ...parameters], ') =>');
    const sent = format(around('client.request(', braces(request.members), ');'), '  ', 0);
    const start = format(head);
    const line = `${start} ${sent}`;
    const isShort = !line.includes('\n') && line.length <= 100;
    declarations.add([...comments, isShort ? line : `${start}\n  ${sent}`].join('\n'), 'Client');
  };
};
