import { tokenPath, versionPrefix } from '../../conventions.ts';
import { createClaim } from '../../openapi/names.ts';
import { type FoundCollection, findCollection, type Placed } from './collections.ts';
import { keyOf, toParameterName } from './identifiers.ts';
import { objectAt, stringAt, stringsAt } from './json.ts';
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

/** The APIs of a document, and the base URL of a client. */
export type Found = ReturnType<typeof findApis>;

const parameterPattern = /^\{([^{}]+)\}$/;

const place = (operation: Operation, version: number, rest: string, title: string): Placed => {
  const segments = rest.split('/');
  const endsWithId = parameterPattern.test(segments.at(-1) ?? '');
  const claim = createClaim();
  const parts = (endsWithId ? segments.slice(0, -1) : segments).map((segment) => {
    const [, name] = parameterPattern.exec(segment) ?? [];
    if (name === undefined) return segment;
    return `:${claim(/^[A-Za-z_]\w*$/.test(name) ? name : toParameterName(name))}`;
  });
  const tagPattern = new RegExp(`^(.+) ${versionPrefix}${version}: (.+)$`);
  const tags = stringsAt(operation.value, 'tags');
  const [, api = title, key] = tags.map((tag) => tagPattern.exec(tag)).find(Boolean) ?? [];
  return { operation, version, path: parts.join('/'), endsWithId, api, key };
};

type Group = readonly [Placed, ...Placed[]];

const groupBy = (all: readonly Placed[], keyOfOne: (one: Placed) => string): readonly Group[] => {
  const groups = new Map<string, [Placed, ...Placed[]]>();
  for (const one of all) {
    const group = groups.get(keyOfOne(one));
    if (group === undefined) groups.set(keyOfOne(one), [one]);
    else group.push(one);
  }
  return [...groups.values()];
};

const isAllowed = (own: readonly string[], auth: readonly string[]): boolean =>
  own.length === 0 || own.join() === auth.join();

/** Why an operation belongs to no collection of an API, whatever it does; undefined when it may. */
const refusalOf = ({ operation, path }: Placed, auth: readonly string[]): string | undefined => {
  const { auth: own, isOnOtherServer } = operation;
  if (!isAllowed(own, auth)) return `it takes ${own.join(' or ')}, and others take ${auth.join(' or ')} (§5)`;
  if (isOnOtherServer) return 'it is on another server';
  return /^(?:(?:[\w~-][\w.~-]*|:\w+)(?:\/(?!$)|$))+$/.test(path)
    ? undefined
    : 'a segment of its path is empty, or is neither a name nor a parameter';
};

/** The collections of one API. `refused` gets the operations that do not fit. */
const findApi = (placed: Group, model: Model, refused: Map<Operation, string>): FoundApi => {
  const [{ version, api: name }] = placed;
  const auth = placed.map(({ operation }) => operation.auth).find(({ length }) => length > 0) ?? [];
  const fitting = placed.filter((one) => {
    const reason = refusalOf(one, auth);
    if (reason !== undefined) refused.set(one.operation, reason);
    return reason === undefined;
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
export const findApis = (all: readonly Operation[], model: Model) => {
  const [server = ''] = serversOf(model.document);
  const title = stringAt(objectAt(model.document, 'info'), 'title')?.trim() || 'api';
  // A client asks for its tokens by itself (§4.1).
  const operations = all.filter(({ path }) => !path.endsWith(`/${tokenPath}`));
  const pattern = new RegExp(`^(.*?)/${versionPrefix}(\\d{1,9})/(.+)$`);
  const partsOf = ({ path }: Operation): readonly string[] => pattern.exec(server + path) ?? [];
  const [, baseUrl = server] = operations.map(partsOf).find(({ length }) => length > 0) ?? [];
  const placed = operations.flatMap((operation) => {
    const [, base, version, rest] = partsOf(operation);
    return base !== baseUrl || rest === undefined ? [] : [place(operation, Number(version), rest, title)];
  });
  const refused = new Map<Operation, string>();
  const groups = groupBy(placed, ({ api, version }) => `${api}\n${version}`);
  const found = new Map(groups.map((group) => [group, findApi(group, model, refused)]));
  const unfit = operations.flatMap((operation): Unfit[] => {
    const [group, api] = [...found].find(([one]) => one.some((other) => other.operation === operation)) ?? [];
    const reason = group ? refused.get(operation) : 'its path has no major version, for example /v1/ (§9)';
    if (reason === undefined) return [];
    const url = server + operation.path;
    const path = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length + 1) : undefined;
    const isOfApi = api !== undefined && api.collections.length > 0 && isAllowed(operation.auth, api.auth);
    const request = readRequest(operation, path, model);
    return [{ operation, reason, api: isOfApi ? api : undefined, request }];
  });
  const apis = [...found.values()].filter(({ collections }) => collections.length > 0);
  return { apis, unfit, baseUrl };
};
