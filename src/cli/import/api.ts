import { methodRules, tokenPath, versionPrefix } from '../../conventions.ts';
import { createClaim } from '../../openapi/names.ts';
import { findCollection } from './collections.ts';
import { createEndpointPaths } from './endpoints.ts';
import { keyOf } from './identifiers.ts';
import { objectAt, stringAt, stringsAt } from './json.ts';
import type { Model } from './model.ts';
import { isJson, isPlainJson, type Operation, serversOf } from './operations.ts';
import { namesNoField, readParameters, wordsOf } from './query.ts';
import type { Schema } from './schema.ts';

/** The API of a document, and the base URL of a client. */
export type Found = ReturnType<typeof findApi>;

/** An operation that is an endpoint of the API, and why it belongs to no collection. */
export type FoundEndpoint = Found['endpoints'][number];

/** An operation that is not declared, why, and whether it takes the scheme of the API. */
export type Unfit = Found['unfit'][number];

/** The request of an operation that belongs to no collection. */
export type ReadRequest = Exclude<Unfit['request'], string>;

/**
 * Whether a body may be left out. Documents often do not say that it is required: one with a field that is
 * required is so, too.
 */
const canLeaveOut = ({ requestBody }: Operation, body: Schema, { structureOf }: Model): boolean => {
  if (typeof requestBody.required === 'boolean') return !requestBody.required;
  const { properties, required = [] } = structureOf(body);
  return properties !== undefined && required.length === 0;
};

/** The request of an operation that belongs to no collection, or why `client.request` cannot send it. */
const readRequest = (operation: Operation, baseUrl: string, model: Model) => {
  const { method, url, isOnOtherServer, bodies, responses, notes } = operation;
  if (isOnOtherServer) return 'it is on another server';
  if (!url.startsWith(`${baseUrl}/`)) return 'it is outside the base URL of the collections';
  const { params: query, repeated, omitted } = readParameters([...operation.queryParameters], model);
  const sent = methodRules[method].body
    ? (bodies.find(isPlainJson) ?? bodies.find(isJson) ?? bodies[0])
    : undefined;
  const isKnown = sent && (isPlainJson(sent) || sent.type === 'multipart/form-data');
  const body = sent && model.read(isJson(sent) ? sent.schema : undefined, 'body');
  const contents = responses.flatMap((response) => response.contents);
  const json = contents.find(isJson);
  return {
    path: url.slice(baseUrl.length + 1),
    query,
    repeated,
    body,
    isBodyOptional: body !== undefined && canLeaveOut(operation, body, model),
    isForm: sent?.type === 'multipart/form-data',
    // A form knows its own type.
    contentType: isKnown ? undefined : sent?.type,
    response: json && model.read(json.schema, 'response'),
    accept: json === undefined ? contents[0]?.type : undefined,
    isAccepted: responses.some(({ status }) => status === '202'),
    notes: [...notes, ...omitted.map(wordsOf)],
  };
};

type Described = NonNullable<ReturnType<typeof findCollection>>;

/** The whole resources that the `expand` of some collection names: they are returned only then (§4.4). */
const findExpandable = (collections: readonly Described[], model: Model): ReadonlySet<Schema> => {
  const named = collections.flatMap(({ response, options: { expand } }) =>
    Array.isArray(expand) ? expand.flatMap((path) => model.nestedAt(response, path) ?? []) : [],
  );
  return new Set(named.filter((schema) => model.targetOf(schema) === undefined));
};

/** The names of what a collection expands, also where the document does not name them. */
const expandNamesOf = (
  { response, options: { expand } }: Described,
  expandable: ReadonlySet<Schema>,
  model: Model,
): readonly string[] | undefined => {
  if (expand !== true) return expand;
  const fields = Object.entries(model.structureOf(response).properties ?? {});
  const canExpand = (schema: Schema): boolean =>
    expandable.has(schema) || model.targetOf(schema) !== undefined;
  return fields.filter(([, field]) => canExpand(model.inside(field))).map(([name]) => name);
};

const pathPattern = /^(?:(?:[\w~-][\w.~-]*|:\w+)(?:\/(?!$)|$))+$/;

/** Finds the collections of the newest major version, and the operations that fit none. */
export const findApi = (all: readonly Operation[], model: Model) => {
  const [server = ''] = serversOf(model.document);
  // A client asks for its tokens by itself (§4.1).
  const operations = all.filter(({ path }) => !path.endsWith(`/${tokenPath}`));
  const version = Math.max(0, ...operations.map((one) => one.version ?? 0));
  const { base: baseUrl = server } = operations.find((one) => one.version === version) ?? {};
  const auth = operations.map((one) => one.auth).find(({ length }) => length > 0) ?? [];
  const isAllowed = (own: readonly string[]): boolean => own.length === 0 || own.join() === auth.join();
  const tagPattern = new RegExp(`^(.+) ${versionPrefix}${version}: (.+)$`);
  const tagOf = ({ value }: Operation): readonly string[] =>
    stringsAt(value, 'tags').flatMap((tag) => tagPattern.exec(tag) ?? []);

  /** Why an operation belongs to no collection, whatever it does; undefined when it may. */
  const refusalOf = (operation: Operation): string | undefined => {
    const { auth: own, collection, isOnOtherServer } = operation;
    if (operation.version === undefined) return 'its path has no major version, for example /v1/ (§9)';
    if (operation.version !== version || operation.base !== baseUrl)
      return 'its path has another major version (§9)';
    if (!isAllowed(own)) return `it takes ${own.join(' or ')}, and others take ${auth.join(' or ')} (§5)`;
    if (isOnOtherServer) return 'it is on another server';
    if (pathPattern.test(collection)) return undefined;
    return 'a segment of its path is empty, or is neither a name nor a parameter';
  };

  const refused = new Map<Operation, string>();
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const reason = refusalOf(operation);
    // Documents often give a parameter another name when a second parameter follows it.
    const shape = operation.collection.replace(/:\w+/g, ':');
    if (reason === undefined) groups.set(shape, [...(groups.get(shape) ?? []), operation]);
    else refused.set(operation, reason);
  }

  const claimKey = createClaim();
  const described = [...groups.values()].flatMap((group) => {
    const found = findCollection(group, model, refused);
    const [first] = group;
    if (found === undefined || first === undefined) return [];
    const { collection: path } = first;
    return [{ ...found, path, key: claimKey(tagOf(first)[2] ?? keyOf(path)) }];
  });
  const expandable = findExpandable(described, model);
  const collections = described.map((collection) => {
    const { options, notes } = collection;
    const expand = expandNamesOf(collection, expandable, model);
    const isUseless = options.expand === true && expand?.length === 0;
    return {
      ...collection,
      options: { ...options, expand },
      notes: isUseless ? [...notes, namesNoField('expand')] : notes,
    };
  });
  const prefix = version === 0 ? '' : `${versionPrefix}${version}/`;
  // A PATCH of a collection is its bulk request.
  const bulkPatches = collections.flatMap(({ path, options }) =>
    options.bulk ? [{ method: 'PATCH', path }] : [],
  );
  const toEndpointPath = createEndpointPaths(prefix, bulkPatches);
  const outside = operations.flatMap((operation) => {
    const reason = refused.get(operation);
    if (reason === undefined) return [];
    const isOfApi = isAllowed(operation.auth) && (operation.version ?? 0) === version;
    const request = readRequest(operation, baseUrl, model);
    const isJsonOrForm = typeof request !== 'string' && request.contentType === undefined;
    const path = isOfApi && isJsonOrForm ? toEndpointPath(operation, request.path) : undefined;
    return [{ operation, reason, isOfApi, request, path }];
  });
  const endpoints = outside.flatMap(({ operation, reason, request, path }) =>
    path === undefined || typeof request === 'string' ? [] : [{ operation, reason, request, path }],
  );
  const unfit = outside.filter(({ path }) => path === undefined);
  const title = stringAt(objectAt(model.document, 'info'), 'title')?.trim() || 'api';
  const [name = title] = operations.flatMap((one) => tagOf(one).slice(1, 2));
  const notes = auth.length > 0 ? [] : ['the scheme that it takes (§5), because the document names none'];
  return {
    name,
    version,
    auth: auth.length > 0 ? auth : ['custom'],
    notes,
    collections,
    endpoints,
    unfit,
    baseUrl,
    expandable,
  };
};
