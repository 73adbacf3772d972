import { jsonType, type Method, methodRules } from '../../conventions.ts';
import { isObject, type Json, listAt, objectAt, stringAt, stringsAt } from './json.ts';
import type { Located, References } from './references.ts';

/** Why an operation does not belong to a collection. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
}

/** A parameter of an operation, or a header field of a response. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly isRequired: boolean;
  readonly value: Json;
  readonly schema: unknown;
  readonly base: string;
}

/** A body in one content type. */
export interface Content {
  readonly type: string;
  readonly schema: unknown;
  readonly base: string;
}

export const isJson = ({ type }: Content): boolean =>
  type === jsonType || /^application\/[^/]+\+json$/.test(type);

export interface Response {
  readonly status: string;
  /** The names of its header fields, in lower case. */
  readonly headers: readonly string[];
  readonly contents: readonly Content[];
}

/** One method of one path. */
export interface Operation {
  readonly path: string;
  /** In upper case; also a method that the conventions disallow. */
  readonly method: Method | 'HEAD' | 'TRACE';
  readonly id: string | undefined;
  readonly summary: string | undefined;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  /** The request body in the document; empty when there is none. */
  readonly requestBody: Json;
  readonly bodies: readonly Content[];
  /** The responses with a status of 2xx or 3xx, except 304. */
  readonly responses: readonly Response[];
  /** Alternatives, each with the schemes that go together. */
  readonly security: readonly (readonly string[])[];
  /** Its own server; undefined when it is that of the document. */
  readonly server: string | undefined;
}

const methods = [...Object.keys(methodRules), 'HEAD', 'TRACE'] as readonly Operation['method'][];

const contentsOf = ({ value, base }: Located): readonly Content[] =>
  Object.entries(objectAt(value, 'content')).map(([type, content]) => ({
    type: type.split(';', 1)[0]?.trim().toLowerCase() ?? '',
    schema: isObject(content) ? content.schema : undefined,
    base,
  }));

const serversOf = (owner: Json): readonly string[] =>
  listAt(owner, 'servers')
    .filter(isObject)
    .flatMap((server) => stringAt(server, 'url') ?? [])
    // Without credentials, because the report quotes the URL.
    .map((url) => url.replace(/(?<=^[\w+.-]+:\/\/)[^/?#]*@/, ''));

/** Where a document says that the API lives. */
export const serverOf = (document: Json): string | undefined => serversOf(document)[0];

const isSameServer = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((url) => url.replace(/^https?:(?=\/\/)/, '').replace(/(?<!\/)\/+$/, ''));
  return a === b;
};

export const readOperations = (references: References): readonly Operation[] => {
  const { value: document, base } = references.root;
  const usualServer = serverOf(document) ?? '/';

  const readParameters = (owner: Json, at: string): readonly Parameter[] =>
    listAt(owner, 'parameters').flatMap((given) => {
      const located = references.follow(given, at);
      const name = located && stringAt(located.value, 'name');
      if (!name) return [];
      const { value, base } = located;
      const isRequired = value.required === true || value.in === 'path';
      const schema = value.schema ?? contentsOf(located)[0]?.schema;
      return [{ name, in: stringAt(value, 'in') ?? '', isRequired, value, schema, base }];
    });

  const readResponses = (operation: Json, at: string): readonly Response[] =>
    Object.entries(objectAt(operation, 'responses'))
      .filter(([status]) => /^[23]/.test(status) && status !== '304')
      .flatMap(([status, given]) => {
        const located = references.follow(given, at);
        if (located === undefined) return [];
        const headers = Object.keys(objectAt(located.value, 'headers')).map((name) => name.toLowerCase());
        return [{ status, headers, contents: contentsOf(located) }];
      });

  const readSecurity = (operation: Json): readonly (readonly string[])[] => {
    const own = Array.isArray(operation.security) ? operation.security : listAt(document, 'security');
    return own.filter(isObject).map((requirement) => Object.keys(requirement));
  };

  /** The server of an operation; undefined if it is that of the document. */
  const readServer = (operation: Json, item: Json): string | undefined => {
    const own = [operation, item].map(serversOf).find(({ length }) => length > 0) ?? [];
    return own.some((url) => isSameServer(url, usualServer)) ? undefined : own[0];
  };

  const readOperation = (method: Operation['method'], path: string, item: Located): Operation | undefined => {
    const operation = item.value[method.toLowerCase()];
    if (!isObject(operation)) return undefined;
    const at = item.base;
    const own = readParameters(operation, at);
    const isSame = (one: Parameter, other: Parameter): boolean =>
      one.name === other.name && one.in === other.in;
    const shared = readParameters(item.value, at).filter((one) => !own.some((other) => isSame(one, other)));
    const body = references.follow(operation.requestBody, at);
    return {
      path,
      method,
      id: stringAt(operation, 'operationId'),
      summary: stringAt(operation, 'summary'),
      tags: stringsAt(operation, 'tags'),
      parameters: [...shared, ...own],
      requestBody: body?.value ?? {},
      bodies: body === undefined ? [] : contentsOf(body),
      responses: readResponses(operation, at),
      security: readSecurity(operation),
      server: readServer(operation, item.value),
    };
  };

  return Object.entries(objectAt(document, 'paths')).flatMap(([path, given]) => {
    const item = path.startsWith('/') ? references.follow(given, base) : undefined;
    if (item === undefined) return [];
    return methods.flatMap((method) => readOperation(method, path, item) ?? []);
  });
};
