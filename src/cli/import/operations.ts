import { jsonType, type Method, methodRules } from '../../conventions.ts';
import { isObject } from '../../options.ts';
import { follow, type Json, listAt, objectAt, stringAt, stringsAt } from './json.ts';

/** Why an operation does not belong to a collection, or cannot be sent at all. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly isRequired: boolean;
  readonly value: Json;
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
  /** The names of §5 of the schemes that it takes, or their own names; empty if it is open to everybody. */
  readonly auth: readonly string[];
  readonly isOnOtherServer: boolean;
  readonly isDeprecated: boolean;
  /** What it has that neither a collection nor a function can express. */
  readonly notes: readonly string[];
}

/** Why callbacks and webhooks are not declared. */
export const toYou = 'requests of the server to you are no part of a client';

const methods = [...Object.keys(methodRules), 'HEAD', 'TRACE'] as readonly Operation['method'][];

const contentsOf = (of: Json): readonly Content[] =>
  Object.entries(objectAt(of, 'content')).map(([type, content]) => ({
    type: type.split(';', 1)[0]?.trim().toLowerCase() ?? '',
    schema: isObject(content) ? content.schema : undefined,
  }));

/** Where a document, a path or an operation says that it lives, without credentials. */
export const serversOf = (owner: Json): readonly string[] =>
  listAt(owner, 'servers')
    .filter(isObject)
    .map((server) => stringAt(server, 'url') ?? '')
    .map((url) => url.replace(/(?<=\/\/)[^/]*@/, '').replace(/\/+$/, ''));

/** The name of §5 for a scheme of a document; any other scheme keeps its name. */
const schemeOf = (document: Json, name: string): string => {
  const scheme = objectAt(objectAt(objectAt(document, 'components'), 'securitySchemes'), name);
  const kind = stringAt(scheme, 'scheme')?.toLowerCase();
  if (kind === 'basic') return 'basic';
  return kind === 'bearer' || Object.hasOwn(objectAt(scheme, 'flows'), 'password') ? 'token' : name;
};

export const readOperations = (document: Json): readonly Operation[] => {
  const [server = ''] = serversOf(document);

  const readParameters = (owner: Json): readonly Parameter[] =>
    listAt(owner, 'parameters').flatMap((given) => {
      const value = follow(document, given)?.value ?? {};
      const name = stringAt(value, 'name') ?? '';
      const isRequired = value.required === true || value.in === 'path';
      return name === '' ? [] : [{ name, in: stringAt(value, 'in') ?? '', isRequired, value }];
    });

  const readResponses = (operation: Json): readonly Response[] =>
    Object.entries(objectAt(operation, 'responses'))
      .filter(([status]) => /^[23]/.test(status) && status !== '304')
      .map(([status, given]) => {
        const value = follow(document, given)?.value ?? {};
        const headers = Object.keys(objectAt(value, 'headers')).map((name) => name.toLowerCase());
        return { status, headers, contents: contentsOf(value) };
      });

  const readAuth = (operation: Json): readonly string[] => {
    const own = Array.isArray(operation.security) ? operation.security : listAt(document, 'security');
    const alternatives = own.filter(isObject).map((together) => Object.keys(together));
    const named = alternatives.map((names) => names.map((name) => schemeOf(document, name)).join('+'));
    return [...new Set(named)].filter((name) => name !== '');
  };

  const readOperation = (method: Operation['method'], path: string, item: Json): Operation | undefined => {
    const operation = item[method.toLowerCase()];
    if (!isObject(operation)) return undefined;
    const own = readParameters(operation);
    const shared = readParameters(item).filter(
      (one) => !own.some((other) => one.name === other.name && one.in === other.in),
    );
    const requestBody = follow(document, operation.requestBody)?.value ?? {};
    const servers = [operation, item].map(serversOf).find(({ length }) => length > 0) ?? [''];
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
      auth: readAuth(operation),
      isOnOtherServer: servers[0] !== '' && !servers.includes(server),
      isDeprecated: operation.deprecated === true,
      notes: operation.callbacks === undefined ? [] : [`callbacks: ${toYou}`],
    };
  };

  return Object.entries(objectAt(document, 'paths')).flatMap(([path, given]) => {
    const item = follow(document, given)?.value ?? {};
    return methods.flatMap((method) => readOperation(method, path, item) ?? []);
  });
};
