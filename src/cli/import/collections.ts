import { type Operation as Kind, operations as kinds } from '../../conventions.ts';
import type { RateLimit } from '../../index.ts';
import { createNames } from '../../openapi/names.ts';
import { type Fitting, fitOperation, kindOf, type Reader } from './fit.ts';
import { keyOf } from './identifiers.ts';
import { isCount, isObject, type Json, listAt, objectAt, stringAt } from './json.ts';
import { matches, type Node } from './node.ts';
import { type Operation, serverOf } from './operations.ts';
import { isMethodsRequest, isTokenEndpoint, type Place, placeOf, schemeNames } from './place.ts';

/** A collection with the operations of the document that fit the conventions. */
export interface FoundCollection {
  readonly key: string;
  readonly path: string;
  readonly resource: Node;
  readonly operations: ReadonlyMap<Kind, Fitting>;
}

/** An API of a document. */
export interface FoundApi {
  readonly name: string;
  readonly version: number;
  /** What its base URL has besides the server's. */
  readonly prefix: string;
  /** The schemes that it takes; empty when the document names none. */
  readonly auth: readonly string[];
  /** How many requests it allows in a window (§8); undefined when the document does not say so. */
  readonly rateLimit: RateLimit | undefined;
  readonly collections: readonly FoundCollection[];
}

/** An operation that belongs to no collection, and why. */
export interface Unfit {
  readonly operation: Operation;
  readonly reason: string;
  /** The API that it belongs to, if it takes the same scheme. */
  readonly api: FoundApi | undefined;
  /** Its path below the base URL. */
  readonly path: string;
}

/** What a document declares. */
export interface Found {
  readonly apis: readonly FoundApi[];
  readonly unfit: readonly Unfit[];
}

interface Placed {
  readonly operation: Operation;
  readonly place: Place;
}

const groupBy = <T>(
  items: readonly T[],
  keyOfItem: (item: T) => string,
): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOfItem(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
};

/** The schemes that an operation takes; none for one that is open to everybody. */
const authOf = ({ security }: Operation, nameOf: (name: string) => string): readonly string[] => [
  ...new Set(security.flatMap((together) => (together.length === 0 ? [] : [together.map(nameOf).join('+')]))),
];

const mostCommon = (lists: readonly (readonly string[])[]): readonly string[] => {
  const groups = [
    ...groupBy(
      lists.filter(({ length }) => length > 0),
      (list) => list.join(),
    ).values(),
  ];
  return groups.toSorted((a, b) => b.length - a.length)[0]?.[0] ?? [];
};

/** The limit that each of these operations has by one of its tags (§8). */
const rateLimitOf = (operations: readonly Operation[], document: Json): RateLimit | undefined => {
  const tags = listAt(document, 'tags').filter(isObject);
  const limits = operations.map((operation) =>
    objectAt(
      tags.find(({ name }) => operation.tags.some((tag) => tag === name)) ?? {},
      'x-restkin-rate-limit',
    ),
  );
  const [{ requests, perMs } = {}] = limits;
  const isSame = limits.every((limit) => limit.requests === requests && limit.perMs === perMs);
  if (!isSame || !isCount(requests) || !Number.isFinite(perMs) || Number(perMs) <= 0) return undefined;
  return { requests, perMs: Number(perMs) };
};

type Refuse = (operation: Operation, reason: string) => void;

const findCollection = (
  placed: readonly Placed[],
  reader: Reader,
  refuse: Refuse,
): Omit<FoundCollection, 'key'> | undefined => {
  const found = new Map<Kind, { readonly operation: Operation; readonly fitting: Fitting }>();
  for (const { operation, place } of placed) {
    const kind = kindOf(operation.method, place.isOfOne);
    if (kind === undefined) {
      refuse(
        operation,
        `${operation.method} is no operation of ${place.isOfOne ? 'a resource' : 'a collection'} (§4.2)`,
      );
      continue;
    }
    const fit = fitOperation(operation, kind, reader);
    if ('reason' in fit) refuse(operation, fit.reason);
    else if (found.has(kind)) refuse(operation, 'another path of the document is the same one');
    else found.set(kind, { operation, fitting: fit });
  }
  // What GET returns says most.
  const resource = (['get', 'list', 'create'] as const)
    .map((kind) => found.get(kind)?.fitting.resource)
    .find((one) => one !== undefined);
  if (resource === undefined) {
    for (const { operation } of found.values())
      refuse(operation, 'no operation of its path returns the resource');
    return undefined;
  }
  const operations = kinds.flatMap((kind): [Kind, Fitting][] => {
    const one = found.get(kind);
    if (one === undefined) return [];
    const { resource: own } = one.fitting;
    if (own === undefined || matches(resource, 'response', own)) return [[kind, one.fitting]];
    refuse(one.operation, 'what it returns differs from the other operations of its path');
    return [];
  });
  return { path: placed[0]?.place.path ?? '', resource, operations: new Map(operations) };
};

/** Why an operation is none of its API's collections, whatever it does. */
const refuseAny = (
  { operation, place }: Placed,
  own: readonly string[],
  auth: readonly string[],
): string | undefined => {
  if (own.length > 0 && own.join() !== auth.join())
    return `it takes ${own.join(' or ')}, and others take ${auth.join(' or ')} (§5)`;
  if (operation.server !== undefined) return 'it is on another server';
  return place.path === undefined ? 'a segment of its path is no name and no parameter' : undefined;
};

const findApi = (
  placed: readonly Placed[],
  { version, prefix, names }: Place,
  title: string,
  reader: Reader,
) => {
  const nameOf = schemeNames(reader.references.root.value);
  const auth = mostCommon(placed.map(({ operation }) => authOf(operation, nameOf)));
  const refused = new Map<Operation, string>();
  const refuse: Refuse = (operation, reason) => void refused.set(operation, reason);
  const fitting = placed.filter((one) => {
    const reason = refuseAny(one, authOf(one.operation, nameOf), auth);
    if (reason !== undefined) refuse(one.operation, reason);
    return reason === undefined;
  });
  const keys = createNames();
  const collections = [...groupBy(fitting, ({ place }) => place.path ?? '').values()].flatMap((group) => {
    const found = findCollection(group, reader, refuse);
    const key = group[0]?.place.names?.collection;
    return found === undefined ? [] : [{ ...found, key: keys.claim(key ?? keyOf(found.path)) }];
  });
  const rateLimit = rateLimitOf(
    fitting.map(({ operation }) => operation),
    reader.references.root.value,
  );
  const api: FoundApi = { name: names?.api ?? title, version, prefix, auth, rateLimit, collections };
  const unfit = placed.flatMap(({ operation, place }): Unfit[] => {
    const reason = refused.get(operation);
    if (reason === undefined) return [];
    const own = authOf(operation, nameOf);
    const isSame = collections.length > 0 && (own.length === 0 || own.join() === auth.join());
    return [{ operation, reason, path: place.below, api: isSame ? api : undefined }];
  });
  return { api, unfit };
};

/** Finds the collections of a document, and what fits none. */
export const findCollections = (operations: readonly Operation[], reader: Reader): Found => {
  const document = reader.references.root.value;
  const server = serverOf(document);
  const title = stringAt(objectAt(document, 'info'), 'title')?.trim() || 'api';
  const placed: Placed[] = [];
  const unplaced: Unfit[] = [];
  for (const operation of operations) {
    if (isTokenEndpoint(operation) || isMethodsRequest(operation)) continue;
    const place = placeOf(operation, server);
    if (place !== undefined) placed.push({ operation, place });
    else {
      const reason = 'its path has no major version, for example /v1/ (§9)';
      unplaced.push({ operation, reason, api: undefined, path: operation.path.slice(1) });
    }
  }
  const ofApi = ({ place }: Placed): string =>
    [place.names?.api ?? title, place.version, place.prefix].join('\n');
  const found = [...groupBy(placed, ofApi).values()].flatMap((group) =>
    group[0] === undefined ? [] : [findApi(group, group[0].place, title, reader)],
  );
  return {
    apis: found.map(({ api }) => api).filter(({ collections }) => collections.length > 0),
    unfit: [...found.flatMap(({ unfit }) => unfit), ...unplaced],
  };
};
