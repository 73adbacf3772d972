import { tokenPath, versionPrefix } from '../../conventions.ts';
import { createClaim } from '../../openapi/names.ts';
import { type FoundCollection, findCollection, type Placed } from './collections.ts';
import { keyOf, toParameterName } from './identifiers.ts';
import { objectAt, stringAt, stringsAt } from './json.ts';
import type { Model } from './model.ts';
import { type Operation, serversOf } from './operations.ts';
import { type FoundRequest, readRequest } from './requests.ts';

/** An operation that belongs to no collection, and why. */
export interface Unfit {
  readonly operation: Operation;
  readonly reason: string;
  /** Whether it takes the scheme of the collections. */
  readonly isOfApi: boolean;
  /** The request that it takes, or why the client cannot send it. */
  readonly request: FoundRequest | string;
}

/** The API of a document, and the base URL of a client. */
export type Found = ReturnType<typeof findApi>;

const parameterPattern = /^\{([^{}]+)\}$/;

/** The path of a collection: with `:name` for a parameter. */
const toCollectionPath = (segments: readonly string[]): string => {
  const toName = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : toParameterName(name));
  return segments
    .map((segment) => segment.replace(parameterPattern, (_, name: string) => `:${toName(name)}`))
    .join('/');
};

const isAllowed = (own: readonly string[], auth: readonly string[]): boolean =>
  own.length === 0 || own.join() === auth.join();

/** Why an operation belongs to no collection, whatever it does; undefined when it may. */
const refusalOf = (operation: Operation, path: string, auth: readonly string[]): string | undefined => {
  const { auth: own, isOnOtherServer } = operation;
  if (!isAllowed(own, auth)) return `it takes ${own.join(' or ')}, and others take ${auth.join(' or ')} (§5)`;
  if (isOnOtherServer) return 'it is on another server';
  return /^(?:(?:[\w~-][\w.~-]*|:\w+)(?:\/(?!$)|$))+$/.test(path)
    ? undefined
    : 'a segment of its path is empty, or is neither a name nor a parameter';
};

/** Finds the collections of the newest major version, and the operations that fit none. */
export const findApi = (all: readonly Operation[], model: Model) => {
  const { document } = model;
  const [server = ''] = serversOf(document);
  // A client asks for its tokens by itself (§4.1).
  const operations = all.filter(({ path }) => !path.endsWith(`/${tokenPath}`));
  const pattern = new RegExp(`^(.*?)/${versionPrefix}(\\d{1,9})/(.+)$`);
  const partsOf = ({ path }: Operation): readonly string[] => pattern.exec(server + path) ?? [];
  const version = Math.max(0, ...operations.map((one) => Number(partsOf(one)[2] ?? 0)));
  const isCurrent = (operation: Operation): boolean => Number(partsOf(operation)[2]) === version;
  const [, baseUrl = server] = operations.filter(isCurrent).map(partsOf)[0] ?? [];
  const auth = operations.map((one) => one.auth).find(({ length }) => length > 0) ?? [];
  const tagPattern = new RegExp(`^(.+) ${versionPrefix}${version}: (.+)$`);
  const tagOf = ({ value }: Operation): readonly string[] =>
    stringsAt(value, 'tags').flatMap((tag) => tagPattern.exec(tag) ?? []);

  const refused = new Map<Operation, string>();
  const groups = new Map<string, Placed[]>();
  for (const operation of operations) {
    const [, base, , rest = ''] = partsOf(operation);
    const segments = rest.split('/');
    const endsWithId = parameterPattern.test(segments.at(-1) ?? '');
    const path = toCollectionPath(endsWithId ? segments.slice(0, -1) : segments);
    // Documents often give a parameter another name when a second parameter follows it.
    const shape = path.replace(/:\w+/g, ':');
    const elsewhere = base === undefined ? 'no major version, for example /v1/' : 'another major version';
    const reason =
      base === baseUrl && isCurrent(operation)
        ? refusalOf(operation, path, auth)
        : `its path has ${elsewhere} (§9)`;
    if (reason !== undefined) refused.set(operation, reason);
    else groups.set(shape, [...(groups.get(shape) ?? []), { operation, path, endsWithId }]);
  }

  const claimKey = createClaim();
  const collections = [...groups.values()].flatMap((group): FoundCollection[] => {
    const found = findCollection(group, model, refused);
    const [first] = group;
    if (found === undefined || first === undefined) return [];
    const key = tagOf(first.operation)[2] ?? keyOf(first.path);
    return [{ ...found, path: first.path, key: claimKey(key) }];
  });
  const unfit = operations.flatMap((operation): Unfit[] => {
    const reason = refused.get(operation);
    if (reason === undefined) return [];
    const url = server + operation.path;
    const path = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length + 1) : undefined;
    const isOfApi = collections.length > 0 && isAllowed(operation.auth, auth) && isCurrent(operation);
    return [{ operation, reason, isOfApi, request: readRequest(operation, path, model) }];
  });
  const title = stringAt(objectAt(document, 'info'), 'title')?.trim() || 'api';
  const [name = title] = operations.flatMap((one) => tagOf(one).slice(1, 2));
  return { name, version, auth, collections, unfit, baseUrl };
};
