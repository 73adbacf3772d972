import { tokenPath, versionPrefix } from '../../conventions.ts';
import { createClaim } from '../../openapi/names.ts';
import { findCollection } from './collections.ts';
import { keyOf } from './identifiers.ts';
import { objectAt, stringAt, stringsAt } from './json.ts';
import type { Model } from './model.ts';
import { type Operation, serversOf } from './operations.ts';
import { readRequest } from './requests.ts';

/** The API of a document, and the base URL of a client. */
export type Found = ReturnType<typeof findApi>;

/** A resource with what the document offers of it (§4.2). */
export type FoundCollection = Found['collections'][number];

/** An operation that belongs to no collection, why, and whether it takes the scheme of the collections. */
export type Unfit = Found['unfit'][number];

const isAllowed = (own: readonly string[], auth: readonly string[]): boolean =>
  own.length === 0 || own.join() === auth.join();

const pathPattern = /^(?:(?:[\w~-][\w.~-]*|:\w+)(?:\/(?!$)|$))+$/;

/** Finds the collections of the newest major version, and the operations that fit none. */
export const findApi = (all: readonly Operation[], model: Model) => {
  const [server = ''] = serversOf(model.document);
  // A client asks for its tokens by itself (§4.1).
  const operations = all.filter(({ path }) => !path.endsWith(`/${tokenPath}`));
  const version = Math.max(0, ...operations.map((one) => one.version ?? 0));
  const { base: baseUrl = server } = operations.find((one) => one.version === version) ?? {};
  const auth = operations.map((one) => one.auth).find(({ length }) => length > 0) ?? [];
  const tagPattern = new RegExp(`^(.+) ${versionPrefix}${version}: (.+)$`);
  const tagOf = ({ value }: Operation): readonly string[] =>
    stringsAt(value, 'tags').flatMap((tag) => tagPattern.exec(tag) ?? []);

  /** Why an operation belongs to no collection, whatever it does; undefined when it may. */
  const refusalOf = (operation: Operation): string | undefined => {
    const { auth: own, collection, isOnOtherServer } = operation;
    if (operation.version === undefined) return 'its path has no major version, for example /v1/ (§9)';
    if (operation.version !== version || operation.base !== baseUrl)
      return 'its path has another major version (§9)';
    if (!isAllowed(own, auth))
      return `it takes ${own.join(' or ')}, and others take ${auth.join(' or ')} (§5)`;
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
  const collections = [...groups.values()].flatMap((group) => {
    const found = findCollection(group, model, refused);
    const [first] = group;
    if (found === undefined || first === undefined) return [];
    const { collection: path } = first;
    return [{ ...found, path, key: claimKey(tagOf(first)[2] ?? keyOf(path)) }];
  });
  const unfit = operations.flatMap((operation) => {
    const reason = refused.get(operation);
    if (reason === undefined) return [];
    const { url } = operation;
    const isOfApi =
      collections.length > 0 && isAllowed(operation.auth, auth) && operation.version === version;
    const path = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length + 1) : undefined;
    return [{ operation, reason, isOfApi, request: readRequest(operation, path, model) }];
  });
  const title = stringAt(objectAt(model.document, 'info'), 'title')?.trim() || 'api';
  const [name = title] = operations.flatMap((one) => tagOf(one).slice(1, 2));
  return { name, version, auth, collections, unfit, baseUrl };
};
