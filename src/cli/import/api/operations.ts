import type { Method } from '../../../conventions.ts';
import { conventions, type WholeFamily } from '../../../families/family.ts';
import { isObject } from '../../../options.ts';
import { type Json, listAt, objectAt, stringAt, targetOf } from '../json.ts';
import { toPathName } from '../print/identifiers.ts';
import type { Renamed } from '../renamed.ts';
import { authOf } from '../security.ts';
import { readBodies, readResponses } from './contents.ts';
import { missingIn, readHeaders, readOtherContents, readPathStyles, toYou } from './notes.ts';
import { placeOf, serversOf } from './urls.ts';

/** Why an operation does not belong to a collection. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
}

/** One method of one path. */
export type Operation = ReturnType<typeof readOperation>;

/** Operations that belong to no collection, each with the reason. */
export type Refused = ReadonlyMap<Operation, string>;

/** A client asks for the methods of a resource by itself (§4.2). */
export const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Reads a method of a path. `item` is the path in the document. */
const readOperation = (document: Json, path: string, item: Json, method: Method, value: Json) => {
  const resolved = (given: unknown): Json => targetOf(document, given);
  const parameters = [...listAt(item, 'parameters'), ...listAt(value, 'parameters')].map(resolved);
  // A parameter of the operation replaces that of its path.
  const namedIn = (place: string): ReadonlyMap<string, Json> =>
    new Map(parameters.filter((one) => one.in === place).map((one) => [stringAt(one, 'name') ?? '', one]));
  const responses = readResponses(document, method, value);
  const successful = responses.filter(({ status }) => status.startsWith('2'));
  const redirects = responses
    .map(({ status }) => status.toUpperCase())
    .filter((status) => status.startsWith('3') && status !== '304');
  const requestBody = resolved(value.requestBody);
  const bodies = readBodies(document, method, requestBody);
  const [server = ''] = serversOf(document);
  const servers = [value, item].map(serversOf).find(({ length }) => length > 0);
  const referring = [
    ...listAt(item, 'parameters'),
    ...listAt(value, 'parameters'),
    value.requestBody,
    ...Object.values(objectAt(value, 'responses')),
  ];
  return {
    ...placeOf(server, path, conventions),
    server,
    path,
    method,
    /** The operation in the document. */
    value,
    /** What an export wrote of the family of its collection. */
    ownFamily: item['x-restkin-family'],
    /** What an export wrote of the `key` of its collection. */
    ownKey: stringAt(item, 'x-restkin-key'),
    pathParameters: namedIn('path'),
    queryParameters: namedIn('query'),
    requestBody,
    bodies,
    /** The responses of a success. */
    responses: successful,
    /** The statuses of its redirects. */
    redirects,
    auth: authOf(document, value),
    isOnOtherServer: servers?.includes(server) === false,
    /** What it has that neither a collection nor a function can express. */
    notes: [
      ...(value.deprecated === true ? ['the document calls it deprecated'] : []),
      ...referring.flatMap((one) => missingIn(document, one)),
      ...readHeaders(namedIn('header'), namedIn('cookie')),
      ...readPathStyles(namedIn('path')),
      ...readOtherContents(method, value, bodies, successful),
      ...redirects.map((status) => `a redirect (${status}), which the client refuses`),
      ...(value.callbacks === undefined ? [] : [`callbacks: ${toYou}`]),
    ],
  };
};

/** The operations of a document, each where it is by the conventions. */
export const readOperations = (document: Json): readonly Operation[] =>
  Object.entries(objectAt(document, 'paths')).flatMap(([path, given]) => {
    const item = targetOf(document, given);
    return methods.flatMap((method) => {
      const value = item[method.toLowerCase()];
      return isObject(value) ? [readOperation(document, path, item, method, value)] : [];
    });
  });

/** What a report calls an operation: `GET /orders`. */
export const titleOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** What the document calls an operation. */
export const idOf = ({ value }: Operation): string | undefined => stringAt(value, 'operationId');

/** The name that an operation has in the declaration which the document was made from. */
export const declaredNameOf = ({ value }: Operation): string | undefined => stringAt(value, 'x-restkin-name');

/** Operations where they are in a family. */
export const placeIn = (operations: readonly Operation[], family: WholeFamily): readonly Operation[] =>
  operations.map((one) => ({ ...one, ...placeOf(one.server, one.path, family) }));

/** The path parameters that no declaration can have under their names. */
export const renamedParameters = (operations: readonly Operation[]): readonly Renamed[] =>
  operations.flatMap(({ pathParameters }) =>
    Array.from(
      pathParameters.keys(),
      (from) => ({ what: 'path parameter', from, to: toPathName(from) }) as const,
    ),
  );

/** The newest major version of operations, and the base URL in front of it. */
export const newestOf = (operations: readonly Operation[]) => {
  const major = Math.max(0, ...operations.map((one) => one.version ?? 0));
  return { major, base: operations.find((one) => one.version === major)?.base };
};

/** The methods of other kinds, and the references without a target. */
export const readOthers = (document: Json): readonly { readonly where: string; readonly reason: string }[] =>
  Object.entries(objectAt(document, 'paths')).flatMap(([path, given]) => {
    const item = targetOf(document, given);
    const others = ['HEAD', 'OPTIONS', 'TRACE'].filter((method) => isObject(item[method.toLowerCase()]));
    return [
      ...missingIn(document, given).map((reason) => ({ where: path, reason })),
      ...others.map((method) => ({
        where: `${method} ${path}`,
        reason: `a declaration has no ${method} (§4.2)`,
      })),
    ];
  });
