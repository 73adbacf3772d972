import { jsonType, type Method, methodRules } from '../../conventions.ts';
import { isObject } from '../../options.ts';
import { follow, type Json, listAt, objectAt, stringAt, stringsAt } from './json.ts';

/** Why an operation does not belong to a collection. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly isRequired: boolean;
  readonly value: Json;
  readonly schema: unknown;
}

/** A body in one content type. */
export interface Content {
  readonly type: string;
  readonly schema: unknown;
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
  readonly isDeprecated: boolean;
  /** What it has that neither a collection nor a function can express. */
  readonly notes: readonly string[];
}

const methods = [...Object.keys(methodRules), 'HEAD', 'TRACE'] as readonly Operation['method'][];

const contentsOf = (of: Json): readonly Content[] =>
  Object.entries(objectAt(of, 'content')).map(([type, content]) => ({
    type: type.split(';', 1)[0]?.trim().toLowerCase() ?? '',
    schema: isObject(content) ? content.schema : undefined,
  }));

const serversOf = (owner: Json): readonly string[] =>
  listAt(owner, 'servers')
    .filter(isObject)
    .flatMap((server) => stringAt(server, 'url') ?? [])
    // Without credentials, because the report quotes the URL.
    .map((url) => url.replace(/(?<=^[\w+.-]+:\/\/)[^/?#]*@/, ''));

/** Where a document says that the API lives. */
export const serverOf = (document: Json): string | undefined => serversOf(document)[0];

const withoutScheme = (url: string): string => url.replace(/^https?:(?=\/\/)/, '').replace(/(?<!\/)\/+$/, '');

export const readOperations = (document: Json): readonly Operation[] => {
  const usualServer = withoutScheme(serverOf(document) ?? '/');

  const readParameters = (owner: Json): readonly Parameter[] =>
    listAt(owner, 'parameters').flatMap((given) => {
      const value = follow(document, given)?.value ?? {};
      const name = stringAt(value, 'name');
      if (!name) return [];
      const isRequired = value.required === true || value.in === 'path';
      const schema = value.schema ?? contentsOf(value)[0]?.schema;
      return [{ name, in: stringAt(value, 'in') ?? '', isRequired, value, schema }];
    });

  const readResponses = (operation: Json): readonly Response[] =>
    Object.entries(objectAt(operation, 'responses'))
      .filter(([status]) => /^[23]/.test(status) && status !== '304')
      .flatMap(([status, given]) => {
        const { value } = follow(document, given) ?? {};
        if (value === undefined) return [];
        const headers = Object.keys(objectAt(value, 'headers')).map((name) => name.toLowerCase());
        return [{ status, headers, contents: contentsOf(value) }];
      });

  const readSecurity = (operation: Json): readonly (readonly string[])[] => {
    const own = Array.isArray(operation.security) ? operation.security : listAt(document, 'security');
    return own.filter(isObject).map((requirement) => Object.keys(requirement));
  };

  /** The server of an operation; undefined if it is that of the document. */
  const readServer = (operation: Json, item: Json): string | undefined => {
    const own = [operation, item].map(serversOf).find(({ length }) => length > 0) ?? [];
    return own.some((url) => withoutScheme(url) === usualServer) ? undefined : own[0];
  };

  const readOperation = (method: Operation['method'], path: string, item: Json): Operation | undefined => {
    const operation = item[method.toLowerCase()];
    if (!isObject(operation)) return undefined;
    const own = readParameters(operation);
    const shared = readParameters(item).filter(
      (one) => !own.some((other) => one.name === other.name && one.in === other.in),
    );
    const requestBody = follow(document, operation.requestBody)?.value ?? {};
    const callbacks = Object.keys(objectAt(operation, 'callbacks'));
    return {
      path,
      method,
      id: stringAt(operation, 'operationId'),
      summary: stringAt(operation, 'summary'),
      tags: stringsAt(operation, 'tags'),
      parameters: [...shared, ...own],
      requestBody,
      bodies: contentsOf(requestBody),
      responses: readResponses(operation),
      security: readSecurity(operation),
      server: readServer(operation, item),
      isDeprecated: operation.deprecated === true,
      notes: callbacks.length > 0 ? [`callbacks: requests of the server to you are no part of a client`] : [],
    };
  };

  return Object.entries(objectAt(document, 'paths')).flatMap(([path, given]) => {
    const item = path.startsWith('/') ? follow(document, given)?.value : undefined;
    return item === undefined ? [] : methods.flatMap((method) => readOperation(method, path, item) ?? []);
  });
};
