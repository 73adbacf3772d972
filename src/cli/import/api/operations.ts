import { jsonType, type Method, methodRules } from '../../../conventions.ts';
import { conventions, type WholeFamily } from '../../../families/family.ts';
import { isObject } from '../../../options.ts';
import { follow, type Json, leadsNowhere, listAt, objectAt, stringAt, targetOf } from '../json.ts';
import { toPathName } from '../print/identifiers.ts';
import type { Renamed } from '../renamed.ts';
import { authOf } from '../security.ts';

/** Why an operation does not belong to a collection. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
}

/** Why callbacks and webhooks are not declared. */
export const toYou = 'requests of the server to you are no part of a client';

/** One method of one path. */
export type Operation = ReturnType<typeof readOperation>;

/** Operations that belong to no collection, each with the reason. */
export type Refused = ReadonlyMap<Operation, string>;

/** A body in one content type. */
export type Content = ReturnType<typeof contentsOf>[number];

/** A client asks for the methods of a resource by itself (§4.2). */
export const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** True for what the client sends as JSON. */
export const isPlainJson = ({ type }: Content): boolean => [jsonType, '*/*'].includes(type);

export const isJson = (content: Content): boolean =>
  isPlainJson(content) || /^application\/[^/]+\+json$/.test(content.type);

/** The JSON in which an operation responds. */
export const jsonResponsesOf = ({ responses }: Pick<Operation, 'responses'>): readonly Content[] =>
  responses.flatMap(({ contents }) => contents.filter(isJson));

/** True for a response that promises the result for later (§7.1). */
export const isLater = ({ status }: Operation['responses'][number]): boolean => status === '202';

export const hasBody = ({ contents }: Operation['responses'][number]): boolean => contents.length > 0;

/** Reports the body of a 202 where no other response has one: a declaration does not read it (§7.1). */
export const notesOfLater = ({ responses }: Operation): readonly string[] => {
  const withBody = responses.filter(hasBody);
  return withBody.length > 0 && withBody.every(isLater)
    ? ['the body of its response 202: `client.request` returns it']
    : [];
};

const contentsOf = (of: Json) =>
  Object.entries(objectAt(of, 'content')).map(([type, content]) => ({
    type: type.split(';', 1)[0]?.trim().toLowerCase() ?? '',
    schema: isObject(content) ? content.schema : undefined,
    isExampleAlone:
      isObject(content) &&
      content.schema === undefined &&
      (content.example !== undefined || content.examples !== undefined),
  }));

/** The URL of a server, with the usual values of its variables. */
const urlOf = (server: Json): string => {
  const variables = objectAt(server, 'variables');
  return (stringAt(server, 'url') ?? '').replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    return stringAt(objectAt(variables, name), 'default') ?? whole;
  });
};

/** Where a document, a path or an operation says that it lives, without credentials. */
export const serversOf = (owner: Json): readonly string[] =>
  listAt(owner, 'servers')
    .filter(isObject)
    .map(urlOf)
    // A base URL needs `http:` or `https:`.
    .map((url) => url.replace(/^(?=\/\/)/, 'https:'))
    .map((url) => url.replace(/(?<=\/\/)[^/]*@/, '').replace(/\/+$/, ''));

const parameterPattern = /^\{([^{}]+)\}$/;

/** Whether a path is that of one resource. */
export const isOfOne = ({ path }: Pick<Operation, 'path'>): boolean => /\}\/?$/.test(path);

/** The path of a collection: with `:name` for a parameter. */
const toCollectionPath = (segments: readonly string[]): string =>
  segments
    .map((segment) => segment.replace(parameterPattern, (_, name: string) => `:${toPathName(name)}`))
    .join('/');

/** The URL of an operation in a family: what is before the path of the family, the version, and the rest. */
const urlPattern = ({ path }: WholeFamily): RegExp => {
  const parts = path.split('{version}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^(?<base>.*?)/${parts.join('(?<version>\\d{1,9})')}/(?<rest>.+)$`);
};

/** Where an operation belongs (§9): below which base URL, to which major version, and to which collection. */
const placeOf = (server: string, given: string, family: WholeFamily) => {
  const path = given.replace(/(?<=.)\/$/, '');
  const url = server + path;
  const found = family.path === '' ? undefined : urlPattern(family).exec(url)?.groups;
  const { base, rest = '' } = family.path === '' ? { base: server, rest: path.slice(1) } : (found ?? {});
  const segments = rest.split('/');
  const endsWithId = parameterPattern.test(segments.at(-1) ?? '');
  const collection = toCollectionPath(endsWithId ? segments.slice(0, -1) : segments);
  // A family without versions has one that no URL shows.
  const version = base === undefined ? undefined : Number(found?.version ?? 0);
  return { url, base, version, collection, endsWithId, isSlashed: path !== given };
};

/** The statuses that `2XX` stands for. */
const statusesOfSuccess = (method: Method, contents: readonly Content[]): readonly string[] => {
  if (contents.length === 0) return ['204'];
  return method === 'POST' ? ['200', '201'] : ['200'];
};

/** Reads a method of a path. `item` is the path in the document. */
const readOperation = (document: Json, path: string, item: Json, method: Method, value: Json) => {
  const resolved = (given: unknown): Json => targetOf(document, given);
  const parameters = [...listAt(item, 'parameters'), ...listAt(value, 'parameters')].map(resolved);
  // A parameter of the operation replaces that of its path.
  const namedIn = (place: string): ReadonlyMap<string, Json> =>
    new Map(parameters.filter((one) => one.in === place).map((one) => [stringAt(one, 'name') ?? '', one]));
  const responses = Object.entries(objectAt(value, 'responses')).flatMap(([status, given]) => {
    const headers = Object.keys(objectAt(resolved(given), 'headers')).map((name) => name.toLowerCase());
    const contents = contentsOf(resolved(given));
    const statuses = /^2xx$/i.test(status) ? statusesOfSuccess(method, contents) : [status];
    return statuses.map((one) => ({ status: one, headers, contents }));
  });
  const successful = responses.filter(({ status }) => status.startsWith('2'));
  const redirects = responses
    .map(({ status }) => status.toUpperCase())
    .filter((status) => status.startsWith('3') && status !== '304');
  const isWithoutBody = !methodRules[method].body && isEmptyBody(document, resolved(value.requestBody));
  const bodies = isWithoutBody ? [] : contentsOf(resolved(value.requestBody));
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
    requestBody: resolved(value.requestBody),
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

/** Whether a body may be left out and has no fields, as that of each GET of Stripe. */
const isEmptyBody = (document: Json, body: Json): boolean =>
  body.required !== true &&
  contentsOf(body).every(({ schema }) => {
    const {
      type: _type,
      properties,
      additionalProperties: rest = false,
      ...others
    } = targetOf(document, schema);
    return isObject(properties) && rest === false && Object.keys({ ...properties, ...others }).length === 0;
  });

/** What a report says of a reference that leads nowhere. */
const missingIn = (document: Json, given: unknown): readonly string[] => {
  if (!isObject(given) || typeof given.$ref !== 'string') return [];
  const { pointer, isMissing } = follow(document, given);
  return isMissing ? [leadsNowhere(pointer)] : [];
};

/** What of the bodies is not declared: one form of each is. */
const readOtherContents = (
  method: Method,
  { responses }: Json,
  bodies: readonly Content[],
  successful: readonly { readonly contents: readonly Content[] }[],
): readonly string[] => {
  const othersIn = (contents: readonly Content[]): readonly Content[] =>
    contents.some(isJson) ? contents.filter((one) => !isJson(one)) : contents.slice(1);
  const types = successful.flatMap(({ contents }) => {
    const json = contents.filter(isJson).map(({ schema }) => JSON.stringify(schema));
    // The same value in another form, as documents of Swagger have for all operations, is no loss.
    const isSame = ({ schema }: Content): boolean =>
      schema !== undefined && json.includes(JSON.stringify(schema));
    return othersIn(contents).flatMap((one) => (isSame(one) ? [] : [one.type]));
  });
  const hasExampleAlone = (contents: readonly Content[]): boolean =>
    contents.some((one) => isJson(one) && one.isExampleAlone);
  const shown = [
    ...(hasExampleAlone(bodies) ? ['request body'] : []),
    ...(successful.some(({ contents }) => hasExampleAlone(contents)) ? ['response'] : []),
  ];
  const isDefault = successful.length === 0 && isObject(responses) && responses.default !== undefined;
  // A `fetch` refuses the body of a GET.
  const wayOfBody = method === 'DELETE' ? ': `client.fetch` sends one' : '';
  const isRefused = bodies.length > 0 && !methodRules[method].body;
  return [
    ...[...new Set(types)].map((type) => `its response as ${type}`),
    ...shown.map((what) => `the fields of its ${what}, of which the document has an example alone`),
    ...othersIn(bodies).map(({ type }) => `its request body as ${type}`),
    ...(isDefault ? ['its response `default`, because no status says that it is a success'] : []),
    ...(isRefused ? [`its request body, because ${method} has none (§4.2)${wayOfBody}`] : []),
  ];
};

/** Header fields that OpenAPI wants ignored among parameters, and one that the client has an option for. */
const ignoredHeaders = ['accept', 'authorization', 'content-type', 'if-none-match'];

/** What a request has beside its path, query and body. */
const readHeaders = (
  headers: ReadonlyMap<string, Json>,
  cookies: ReadonlyMap<string, Json>,
): readonly string[] => {
  const noteOf = (what: string, [name, { required }]: readonly [string, Json]): string =>
    `${what} \`${name}\`${required === true ? ', which it needs' : ''}: pass it in \`headers\``;
  const own = [...headers].filter(([name]) => !ignoredHeaders.includes(name.toLowerCase()));
  return [
    ...own.map((one) => noteOf('the header field', one)),
    ...[...cookies].map((one) => noteOf('the cookie', one)),
  ];
};

/** Path parameters that are not sent as they are, such as `;id=7`. */
const readPathStyles = (all: ReadonlyMap<string, Json>): readonly string[] =>
  [...all].flatMap(([name, { style = 'simple' }]) =>
    style === 'simple' ? [] : [`the style of the path parameter \`${name}\``],
  );

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

/** The methods of other kinds, and the paths that lead nowhere. */
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
