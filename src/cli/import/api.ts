import { operations as kinds, tokenPath, versionPrefix } from '../../conventions.ts';
import { basePathOf } from '../../families/family.ts';
import { createClaim, toPascalCase } from '../../openapi/names.ts';
import { findCollection } from './collections.ts';
import { belowOne, createPlaces } from './endpoints.ts';
import { expandNamesOf, findExpandable } from './expansions.ts';
import { isConventional } from './families.ts';
import { keyOf } from './identifiers.ts';
import { objectAt, stringAt, stringsAt } from './json.ts';
import type { Model } from './model.ts';
import { type Operation, serversOf } from './operations.ts';
import { namesNoField } from './query-parts.ts';
import { readRequest } from './requests.ts';

/** The API of a document, and the base URL of a client. */
export type Found = ReturnType<typeof findApi>;

/** An operation that is an endpoint or an action of a collection, and why it is no operation of one. */
export type FoundEndpoint = Found['endpoints'][number];

/** An operation that is not declared, why, and whether it takes the scheme of the API. */
export type Unfit = Found['unfit'][number];

/** Why an operation of a document that was made from a declaration belongs to no collection. */
export const declaredEndpoint = 'the declaration of the document has it as an endpoint';

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
  const { family } = model;
  const isVersioned = family.path.includes('{version}');
  const tagPattern = new RegExp(`^(.+) ${versionPrefix}${isVersioned ? `(${version})` : '(\\d+)'}: (.+)$`);
  /** The name, the version and the collection in a tag of a document that was made from a declaration. */
  const tagOf = ({ value }: Operation): readonly string[] =>
    stringsAt(value, 'tags').flatMap((tag) => tagPattern.exec(tag)?.slice(1) ?? []);

  /** Whether the document was made from a declaration, which has the operation as an endpoint or an action. */
  const isDeclaredEndpoint = (operation: Operation): boolean => {
    const [, , key] = tagOf(operation);
    const id = stringAt(operation.value, 'operationId');
    return key !== undefined && id !== undefined && kinds.every((kind) => id !== key + toPascalCase(kind));
  };

  /** Why an operation belongs to no collection, whatever it does; undefined when it may. */
  const refusalOf = (operation: Operation): string | undefined => {
    const { auth: own, collection, isOnOtherServer } = operation;
    if (operation.isOtherSlash) return 'its path does not end with a slash';
    if (operation.version === undefined)
      return isConventional(family)
        ? 'its path has no major version, for example /v1/ (§9)'
        : `its path is not below ${family.path}/`;
    if (operation.version !== version || operation.base !== baseUrl)
      return 'its path has another major version (§9)';
    if (!isAllowed(own)) return `it takes ${own.join(' or ')}, and others take ${auth.join(' or ')} (§5)`;
    if (isOnOtherServer) return 'it is on another server';
    if (isDeclaredEndpoint(operation)) return declaredEndpoint;
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

  const fitting = [...groups.values()].flatMap((group) => {
    const found = findCollection(group, model, refused);
    const [first] = group;
    return found === undefined || first === undefined ? [] : [{ ...found, first, path: first.collection }];
  });
  const claimKey = createClaim();
  const described = fitting.flatMap(({ first, ...found }) => {
    const key = tagOf(first)[2] ?? keyOf(found.path);
    const isAction = found.options.operations?.join() === 'create' && tagOf(first).length === 0;
    const owner =
      isAction && fitting.find((one) => belowOne(first, found.path, { key, ...one }, model) !== undefined);
    if (!owner) return [{ ...found, key: claimKey(key) }];
    refused.set(first, 'what it returns is not listed below its path');
    return [];
  });
  /** Without versions, a document of the conventions is that of a family without a path in front. */
  const isBare = isConventional(family) && operations.every((one) => one.version === undefined);
  const prefix = isBare ? '' : `${basePathOf(family, version)}/`.slice(1);
  // A PATCH of a collection is its bulk request.
  const bulkPatches = described.flatMap(({ path, options }) =>
    options.bulk ? [{ method: 'PATCH', path }] : [],
  );
  const findPlace = createPlaces(prefix, bulkPatches, described, model);
  const outside = operations.flatMap((operation) => {
    const reason = refused.get(operation);
    if (reason === undefined) return [];
    const isInside = isBare ? operation.version === undefined : operation.version === version;
    const isOfApi = isAllowed(operation.auth) && isInside && !operation.isOtherSlash;
    const request = readRequest(operation, baseUrl, model);
    const isJsonOrForm = typeof request !== 'string' && request.contentType === undefined;
    const place = isOfApi && isJsonOrForm ? findPlace(operation, request.path) : undefined;
    return [{ operation, reason, isOfApi, request, place }];
  });
  const placed = outside.flatMap(({ operation, reason, request, place }) =>
    place === undefined || typeof request === 'string' ? [] : [{ operation, reason, request, ...place }],
  );
  const unfit = outside.filter(({ place }) => place === undefined);

  const expandable = findExpandable(
    [
      ...described.map(({ response, options: { expand } }) => ({ response, expand })),
      ...placed.map(({ request: { response = {}, expand } }) => ({ response, expand })),
    ],
    model,
  );
  const collections = described.map((collection) => {
    const { response, options, notes } = collection;
    const expand = expandNamesOf({ response, expand: options.expand }, expandable, model);
    const isUseless = options.expand === true && expand?.length === 0;
    return {
      ...collection,
      options: { ...options, expand },
      notes: isUseless ? [...notes, namesNoField('expand')] : notes,
    };
  });
  const endpoints = placed.map((one) => {
    const { response = {}, expand } = one.request;
    return { ...one, expand: expandNamesOf({ response, expand }, expandable, model) };
  });
  const title = stringAt(objectAt(model.document, 'info'), 'title')?.trim() || 'api';
  const [name = title, ofTag] = operations.flatMap(tagOf);
  const notes = auth.length > 0 ? [] : ['the scheme that it takes (§5), because the document names none'];
  return {
    name,
    /** The major version; undefined where neither a path nor a tag has it. */
    version: isVersioned && !isBare ? version : ofTag === undefined ? undefined : Number(ofTag),
    isBare,
    auth: auth.length > 0 ? auth : ['custom'],
    notes,
    collections,
    endpoints,
    unfit,
    baseUrl,
    expandable,
  };
};
