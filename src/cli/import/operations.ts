import { jsonType, type Method } from '../../conventions.ts';
import { isObject } from '../../options.ts';
import { type Json, listAt, objectAt, stringAt, targetOf } from './json.ts';

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
}

/** A body in one content type. */
export interface Content {
  readonly type: string;
  readonly schema: unknown;
}

/** One method of one path. */
export interface Operation {
  readonly path: string;
  readonly method: Method;
  /** The operation in the document. */
  readonly value: Json;
  readonly parameters: readonly Parameter[];
  /** The request body in the document; empty when there is none. */
  readonly requestBody: Json;
  readonly bodies: readonly Content[];
  /** The responses with a status of 2xx or 3xx, except 304; the names of their header fields are in lower case. */
  readonly responses: readonly {
    readonly status: string;
    readonly headers: readonly string[];
    readonly contents: readonly Content[];
  }[];
  /** The names of §5 of the schemes that it takes, or their own names; empty if it is open to everybody. */
  readonly auth: readonly string[];
  readonly isOnOtherServer: boolean;
  /** What it has that neither a collection nor a function can express. */
  readonly notes: readonly string[];
}

/** A client asks for the methods of a resource by itself (§4.2). */
const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export const isJson = ({ type }: Content): boolean =>
  type === jsonType || /^application\/[^/]+\+json$/.test(type);

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

const authOf = (document: Json, operation: Json): readonly string[] => {
  const own = Array.isArray(operation.security) ? operation.security : listAt(document, 'security');
  const alternatives = own.filter(isObject).map((together) => Object.keys(together));
  const names = alternatives.map((all) => all.map((name) => schemeOf(document, name)).join('+'));
  return [...new Set(names)].filter((name) => name !== '');
};

export const readOperations = (document: Json): readonly Operation[] => {
  const [server = ''] = serversOf(document);

  const readParameters = (owner: Json): readonly (readonly [string, Parameter])[] =>
    listAt(owner, 'parameters').map((given) => {
      const value = targetOf(document, given);
      const [name = '', place = ''] = [stringAt(value, 'name'), stringAt(value, 'in')];
      return [`${place} ${name}`, { name, in: place, isRequired: value.required === true, value }];
    });

  const readResponses = (operation: Json): Operation['responses'] =>
    Object.entries(objectAt(operation, 'responses'))
      .filter(([status]) => /^[23]/.test(status) && status !== '304')
      .map(([status, given]) => {
        const value = targetOf(document, given);
        const headers = Object.keys(objectAt(value, 'headers')).map((name) => name.toLowerCase());
        return { status, headers, contents: contentsOf(value) };
      });

  const readOperation = (method: Method, path: string, item: Json): Operation | undefined => {
    const value = item[method.toLowerCase()];
    if (!isObject(value)) return undefined;
    const requestBody = targetOf(document, value.requestBody);
    const servers = [value, item].map(serversOf).find(({ length }) => length > 0) ?? [server];
    return {
      path,
      method,
      value,
      parameters: [...new Map([...readParameters(item), ...readParameters(value)]).values()],
      requestBody,
      bodies: contentsOf(requestBody),
      responses: readResponses(value),
      auth: authOf(document, value),
      isOnOtherServer: !servers.includes(server),
      notes: [
        ...(value.deprecated === true ? ['the document calls it deprecated'] : []),
        ...(value.callbacks === undefined ? [] : [`callbacks: ${toYou}`]),
      ],
    };
  };

  return Object.entries(objectAt(document, 'paths')).flatMap(([path, item]) =>
    methods.flatMap((method) => readOperation(method, path, targetOf(document, item)) ?? []),
  );
};

/** Why callbacks and webhooks are not declared. */
export const toYou = 'requests of the server to you are no part of a client';
