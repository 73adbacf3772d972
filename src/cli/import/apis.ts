import { tokenPath, versionPrefix } from '../../conventions.ts';
import { createClaim } from '../../openapi/names.ts';
import { type FoundCollection, findCollection, type Placed, type Refused } from './collections.ts';
import { keyOf, toParameterName } from './identifiers.ts';
import { objectAt, stringAt } from './json.ts';
import type { Model } from './model.ts';
import { type Operation, serversOf } from './operations.ts';
import { type FoundRequest, readRequest } from './requests.ts';

export interface FoundApi {
  readonly name: string;
  readonly version: number;
  /** The schemes that it takes; empty when the document names none. */
  readonly auth: readonly string[];
  readonly collections: readonly FoundCollection[];
}

/** An operation that belongs to no collection, and why. */
export interface Unfit {
  readonly operation: Operation;
  readonly reason: string;
  /** The API that it belongs to, if it takes the same scheme. */
  readonly api: FoundApi | undefined;
  /** The request that it takes, or why the client cannot send it. */
  readonly request: FoundRequest | string;
}

export interface Found {
  readonly apis: readonly FoundApi[];
  readonly unfit: readonly Unfit[];
  /** The base URL of a client. */
  readonly baseUrl: string;
}

/** An operation in the terms of the conventions (§9): `{base}/v<major>/<path>`. */
interface PlacedInApi extends Placed {
  readonly version: number;
  /** The path of its collection, with `:name` for a parameter. */
  readonly path: string;
  /** The API and the collection, where a tag names them as `restkin openapi` writes it. */
  readonly api: string;
  readonly key: string | undefined;
}

const place = (operation: Operation, version: number, rest: string, title: string): PlacedInApi => {
  const segments = rest.split('/');
  const endsWithId = /^\{[^{}]+\}$/.test(segments.at(-1) ?? '');
  const claim = createClaim();
  const parts = (endsWithId ? segments.slice(0, -1) : segments).map((segment) => {
    const [, name] = /^\{([^{}]+)\}$/.exec(segment) ?? [];
    if (name === undefined) return segment;
    return `:${claim(/^[A-Za-z_]\w*$/.test(name) ? name : toParameterName(name))}`;
  });
  const tagPattern = new RegExp(`^(.+) ${versionPrefix}${version}: (.+)$`);
  const [, api = title, key] = operation.tags.map((tag) => tagPattern.exec(tag)).find(Boolean) ?? [];
  return { operation, version, path: parts.join('/'), endsWithId, api, key };
};

type Group<T> = readonly [T, ...T[]];

const groupBy = <T>(items: readonly T[], keyOfItem: (item: T) => string): readonly Group<T>[] => {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const group = groups.get(keyOfItem(item));
    if (group === undefined) groups.set(keyOfItem(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
};

const noVersion = 'its path has no major version, for example /v1/ (§9)';

const isAllowed = (own: readonly string[], auth: readonly string[]): boolean =>
  own.length === 0 || own.join() === auth.join();

const findApi = (placed: Group<PlacedInApi>, model: Model, refused: Refused): FoundApi => {
  const [{ version, api: name }] = placed;
  const auth = placed.map(({ operation }) => operation.auth).find(({ length }) => length > 0) ?? [];
  const fitting = placed.filter(({ operation, path }) => {
    const { auth: own, isOnOtherServer } = operation;
    if (!isAllowed(own, auth))
      refused.set(operation, `it takes ${own.join(' or ')}, and others take ${auth.join(' or ')} (§5)`);
    else if (isOnOtherServer) refused.set(operation, 'it is on another server');
    else if (!/^(?:(?:[\w~-][\w.~-]*|:\w+)(?:\/(?!$)|$))+$/.test(path))
      refused.set(operation, 'a segment of its path is empty, or is neither a name nor a parameter');
    return !refused.has(operation);
  });
  const claimKey = createClaim();
  // Documents often give a parameter another name when a second parameter follows it.
  const groups = groupBy(fitting, ({ path }) => path.replace(/:\w+/g, ':'));
  const collections = groups.flatMap((group): FoundCollection[] => {
    const [{ path, key }] = group;
    const found = findCollection(group, model, refused);
    return found ? [{ ...found, path, key: claimKey(key ?? keyOf(path)) }] : [];
  });
  return { name, version, auth, collections };
};

/** Finds the collections of a document, and the operations that fit none. */
export const findApis = (all: readonly Operation[], model: Model): Found => {
  const { document } = model;
  const title = stringAt(objectAt(document, 'info'), 'title')?.trim() || 'api';
  const [server = ''] = serversOf(document);
  const placePattern = new RegExp(`^(.*?)/${versionPrefix}(\\d{1,9})/(.+)$`);
  // The client asks for the methods and the tokens by itself (§4.1, §4.2).
  const operations = all.filter(
    ({ method, path }) => method !== 'OPTIONS' && !path.endsWith(`/${tokenPath}`),
  );
  const urls = operations.map(({ path }) => placePattern.exec(server + path) ?? []);
  const baseUrl = urls.find(([url]) => url !== undefined)?.[1] ?? server;
  const placed = operations.flatMap((operation, index) => {
    const [, base, version, rest] = urls[index] ?? [];
    if (base !== baseUrl || rest === undefined) return [];
    return [place(operation, Number(version), rest, title)];
  });
  const refused: Refused = new Map();
  const groups = groupBy(placed, ({ api, version }) => `${api}\n${version}`);
  const found = groups.map((group) => ({ group, api: findApi(group, model, refused) }));
  const apis = found.map(({ api }) => api).filter(({ collections }) => collections.length > 0);
  const unfit = operations.flatMap((operation): Unfit[] => {
    const group = found.find((one) => one.group.some((other) => other.operation === operation));
    const reason = group === undefined ? noVersion : refused.get(operation);
    if (reason === undefined) return [];
    const url = server + operation.path;
    const path = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length + 1) : undefined;
    const isOfApi = group && group.api.collections.length > 0 && isAllowed(operation.auth, group.api.auth);
    const request = readRequest(operation, path, model);
    return [{ operation, reason, api: isOfApi ? group.api : undefined, request }];
  });
  return { apis, unfit, baseUrl };
};
