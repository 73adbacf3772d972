import { type Method, methodRules } from '../../conventions.ts';
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

/** An argument of a function that sends a request. */
interface Argument {
  readonly name: string;
  readonly type: Code;
  readonly isOptional: boolean;
}

/** What a part of a request is written as. */
interface Written {
  readonly arguments: readonly Argument[];
  /** Members of the object that `client.request` is given. */
  readonly members: readonly Code[];
}

const nothing: Written = { arguments: [], members: [] };

/** The path as a template, with an argument for each parameter. */
const writePath = (path: string, api: string | undefined): Written => {
  const names = createNames(api === undefined ? reserved : [...reserved, api]);
  const found: Argument[] = [];
  const code = path.replace(/\{([^{}]+)\}|[`\\$]/g, (matched, parameter: string | undefined) => {
    if (parameter === undefined) return `\\${matched}`;
    const name = names.claim(toParameterName(parameter));
    found.push({ name, type: 'string | number', isOptional: false });
    return `\${encodeURIComponent(${name})}`;
  });
  return { arguments: found, members: [`path: ${found.length === 0 ? quote(path) : `\`${code}\``}`] };
};

const writeHeaders = ({ parameters }: Operation): Written => {
  const fields = parameters.filter((one) => one.in === 'header' && one.isRequired);
  if (fields.length === 0) return nothing;
  const type = braces(fields.map(({ name }) => `readonly ${memberName(name)}: string`));
  return { arguments: [{ name: 'headers', type, isOptional: false }], members: ['headers'] };
};

const bodyTypes: Readonly<Record<string, string>> = {
  'multipart/form-data': 'FormData',
  'application/x-www-form-urlencoded': 'URLSearchParams',
};

const bodyTypeOf = (type: string): string =>
  bodyTypes[type] ?? (type.startsWith('text/') ? 'string' : 'Uint8Array<ArrayBuffer>');

/** An argument, as a parameter of the function. */
const parameterOf = ({ name, type, isOptional }: Argument): Code => {
  if (!isOptional) return around(`${name}: `, type);
  return name === 'query' ? around('query: ', type, ' = {}') : around(`${name}?: `, type);
};

/** Makes a function of each operation that belongs to no collection. */
export const createRequests = (declarations: Declarations, { schemas }: Reader) => {
  /** Writes a request; `note` takes what is not declared. */
  const writeRequest = (
    { operation, path }: Unfit,
    name: string,
    api: string | undefined,
    note: (reason: string) => void,
  ): Written => {
    const { method, parameters, bodies, requestBody, responses } = operation;
    const pascal = toIdentifier(name, 'Request');
    const declare = ({ schema, base }: Content, direction: 'response' | 'body', suffix: string): string =>
      declarations.constant(schemas.read(schema, { base, direction, note }), pascal + suffix);

    const writeQuery = (): Written => {
      const fields = new Map<string, Field>();
      for (const parameter of parameters.filter((one) => one.in === 'query')) {
        const { field, refused } = readParameter(parameter, schemas);
        if (refused === undefined) fields.set(parameter.name, field);
        else note(`the query parameter \`${parameter.name}\` ${refused}`);
      }
      if (fields.size === 0) return nothing;
      const node: Node = { kind: 'object', isResource: false, fields, rest: undefined };
      const type = `z.input<typeof ${declarations.constant(node, `${pascal}Query`)}>`;
      const isOptional = [...fields.values()].every((field) => field.isOptional);
      return { arguments: [{ name: 'query', type, isOptional }], members: ['query'] };
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
      const type = json ? `z.input<typeof ${declare(json, 'body', 'Body')}>` : bodyTypeOf(written);
      const isTyped = json !== undefined || type === 'FormData';
      return {
        arguments: [{ name: 'body', type, isOptional: requestBody.required !== true }],
        members: isTyped ? ['body'] : ['body', `contentType: ${quote(written)}`],
      };
    };

    const writeResponse = (): Written => {
      const succeeded = responses.filter(({ status }) => status.startsWith('2'));
      const contents = succeeded.flatMap((response) => response.contents);
      const json = contents.find(mayBeJson);
      const [first] = contents;
      if (first === undefined) return nothing;
      if (json === undefined) return { ...nothing, members: [`accept: ${quote(first.type)}`] };
      if (succeeded.some((response) => response.contents.length === 0)) {
        note('the body is not checked, because one of its responses has none');
        return nothing;
      }
      if (json.schema === undefined) return nothing;
      return { ...nothing, members: [`schema: ${declare(json, 'response', 'Response')}`] };
    };

    const [place, query, body, headers] = [
      writePath(path, api),
      writeQuery(),
      writeBody(),
      writeHeaders(operation),
    ];
    const all = [place, body, headers, query].flatMap((part) => part.arguments);
    const apiMembers = api === undefined ? [] : [api === 'api' ? api : `api: ${api}`];
    return {
      // What has to be given comes first.
      arguments: all.toSorted((one, other) => Number(one.isOptional) - Number(other.isOptional)),
      members: [
        `method: ${quote(method)}`,
        ...place.members,
        ...apiMembers,
        ...[query, body, headers, writeResponse()].flatMap((part) => part.members),
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
    const request = writeRequest(unfit, name, api, (note) => notes.push(note));
    for (const note of notes) declarations.report(title, note);
    const comments = [
      '/**',
      ` * ${toComment(`${title}${operation.summary ? `: ${operation.summary}` : ''}`)}`,
      ' *',
      ` * ${toComment(`Not part of a collection: ${reason}`, 200)}.`,
      ...notes.map((note) => ` * ${toComment(`Not declared: ${note}`, 200)}.`),
      ' */',
    ];
    const parameters = ['client: Client', ...request.arguments.map(parameterOf)];
    const start = format(group(`export const ${name} = (`, parameters, ') =>'));
    const sent = format(around('client.request(', braces(request.members), ');'), '  ', 0);
    const line = `${start} ${sent}`;
    const isShort = !line.includes('\n') && line.length <= 100;
    declarations.add([...comments, isShort ? line : `${start}\n  ${sent}`].join('\n'), 'Client');
  };
};
