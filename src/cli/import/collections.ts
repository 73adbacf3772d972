import { type Operation as Kind, operations as kinds } from '../../conventions.ts';
import { createClaim } from '../../openapi/names.ts';
import { type Fitting, fitOperation } from './fit.ts';
import { keyOf } from './identifiers.ts';
import { follow, objectAt, stringAt } from './json.ts';
import type { Model } from './model.ts';
import { Misfit, type Operation, serverOf } from './operations.ts';
import { type FoundOptions, optionsOf } from './options.ts';
import {
  isMethodsRequest,
  isTokenEndpoint,
  type Place,
  pathOfServer,
  placeOf,
  schemeNames,
} from './place.ts';
import { type FoundRequest, readRequest } from './requests.ts';
import type { Schema } from './schema.ts';

/** A collection, from the operations of the document that fit the conventions. */
export interface FoundCollection {
  readonly key: string;
  readonly path: string;
  readonly resource: Schema;
  readonly options: FoundOptions;
  /** What of its operations is not declared. */
  readonly notes: readonly string[];
}

export interface FoundApi {
  readonly name: string;
  readonly version: number;
  /** The path of its base URL. */
  readonly prefix: string;
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
  /** Its path below the base URL; undefined when it is outside of that. */
  readonly path: string | undefined;
  /** The request that it takes, or why the client cannot send it. */
  readonly request: FoundRequest | string;
}

export interface Found {
  readonly apis: readonly FoundApi[];
  readonly unfit: readonly Unfit[];
  /** The path of the base URL: that of the first API, or of the server where there is none. */
  readonly prefix: string;
}

/** An operation with its place and the schemes that it takes; no schemes if it is open to everybody. */
interface Placed extends Place {
  readonly operation: Operation;
  readonly auth: readonly string[];
}

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

const mostCommon = (lists: readonly (readonly string[])[]): readonly string[] => {
  const stated = lists.filter(({ length }) => length > 0);
  return groupBy(stated, (list) => list.join()).toSorted((a, b) => b.length - a.length)[0]?.[0] ?? [];
};

type Refused = Map<Operation, string>;

/** The operations of one path that fit the conventions, by their kind. */
const fitEach = (placed: readonly Placed[], model: Model, refused: Refused): ReadonlyMap<Kind, Fitting> => {
  const found = new Map<Kind, Fitting>();
  for (const { operation, isOfOne } of placed) {
    try {
      const fitting = fitOperation(operation, isOfOne, model);
      if (found.has(fitting.kind)) throw new Misfit('another path of the document means the same');
      found.set(fitting.kind, fitting);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      refused.set(operation, error.message);
    }
  }
  return found;
};

const isNumber = (type: unknown): boolean => type === 'integer' || type === 'number';

/** Why a path names its resource by something else than the `id`; undefined when it does by that. */
const otherKeyOf = ({ operation, kind }: Fitting, resource: Schema, model: Model): string | undefined => {
  const [, name = ''] = /\{([^{}]+)\}\/?$/.exec(operation.path) ?? [];
  if (kind === 'list' || kind === 'create') return undefined;
  const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
  const { type } = follow(model.document, parameter?.schema)?.value ?? {};
  const { type: idType } = model.structureOf(model.fieldOf(resource, 'id') ?? {});
  const isOtherType = typeof type === 'string' && idType !== undefined && isNumber(type) !== isNumber(idType);
  const isField = name !== 'id' && model.fieldOf(resource, name) !== undefined;
  if (!isField && (!isOtherType || /id$/i.test(name))) return undefined;
  return `its path has \`{${name}}\`, which is not the \`id\` of the resource`;
};

const findCollection = (path: string, placed: readonly Placed[], model: Model, refused: Refused) => {
  const found = fitEach(placed, model, refused);
  // The response of GET is the most complete one.
  const [resource] = (['get', 'list', 'create'] as const).flatMap((kind) => found.get(kind)?.resource ?? []);
  const operations = new Map<Kind, Fitting>();
  for (const fitting of kinds.flatMap((kind) => found.get(kind) ?? [])) {
    const { kind, operation, resource: own } = fitting;
    const other = resource && otherKeyOf(fitting, resource, model);
    if (resource === undefined) refused.set(operation, 'no operation of its path returns the resource');
    else if (other !== undefined) refused.set(operation, other);
    else if (own === undefined || model.matches(resource, own)) operations.set(kind, fitting);
    else refused.set(operation, 'what it returns differs from the other operations of its path');
  }
  if (resource === undefined || operations.size === 0) return undefined;
  const all = [...operations.values()];
  const notes = all.flatMap((fitting) => fitting.notes);
  const deprecated = all.filter(({ operation }) => operation.isDeprecated).map(({ kind }) => kind);
  if (deprecated.length > 0) notes.push(`the document calls ${deprecated.join(', ')} deprecated`);
  const options = optionsOf(operations, resource, model, (note) => notes.push(note));
  return { path, resource, options, notes: [...new Set(notes)] };
};

/** Whether an operation takes the schemes of its API, or none. */
const isAllowed = (own: readonly string[], auth: readonly string[]): boolean =>
  own.length === 0 || own.join() === auth.join();

/** Why an operation cannot belong to a collection of its API, whatever it does; undefined when it can. */
const refuseAny = ({ operation, path, auth: own }: Placed, auth: readonly string[]): string | undefined => {
  if (!isAllowed(own, auth)) return `it takes ${own.join(' or ')}, and others take ${auth.join(' or ')} (§5)`;
  if (operation.server !== undefined) return 'it is on another server';
  return path === undefined
    ? 'a segment of its path is empty, or is neither a name nor a parameter'
    : undefined;
};

const findApi = (placed: Group<Placed>, title: string, model: Model) => {
  const [{ version, prefix, names }] = placed;
  const auth = mostCommon(placed.map((one) => one.auth));
  const refused: Refused = new Map();
  const fitting = placed.filter((one) => {
    const reason = refuseAny(one, auth);
    if (reason !== undefined) refused.set(one.operation, reason);
    return reason === undefined;
  });
  const claimKey = createClaim();
  // Documents often give a parameter another name when a second parameter follows it.
  const groups = groupBy(fitting, ({ path = '' }) => path.replace(/:\w+/g, ':'));
  const collections = groups.flatMap((group): FoundCollection[] => {
    const [{ path = '', names: own }] = group;
    const found = findCollection(path, group, model, refused);
    return found ? [{ ...found, key: claimKey(own?.collection ?? keyOf(path)) }] : [];
  });
  const api: FoundApi = { name: names?.api ?? title, version, prefix, auth, collections };
  const unfit = placed.flatMap(({ operation, auth: own }) => {
    const reason = refused.get(operation);
    const isSame = collections.length > 0 && isAllowed(own, auth);
    return reason === undefined ? [] : [{ operation, reason, api: isSame ? api : undefined }];
  });
  return { api, unfit };
};

/** Finds the collections of a document, and the operations that fit none. */
export const findCollections = (operations: readonly Operation[], model: Model): Found => {
  const server = serverOf(model.document);
  const serverPath = pathOfServer(server);
  const nameOf = schemeNames(model.document);
  const title = stringAt(objectAt(model.document, 'info'), 'title')?.trim() || 'api';
  const placed: Placed[] = [];
  const unplaced: Omit<Unfit, 'path' | 'request'>[] = [];
  for (const operation of operations) {
    if (isTokenEndpoint(operation) || isMethodsRequest(operation)) continue;
    const place = placeOf(operation, server);
    const schemes = operation.security.filter(({ length }) => length > 0);
    const auth = [...new Set(schemes.map((together) => together.map(nameOf).join('+')))];
    if (place !== undefined) placed.push({ ...place, operation, auth });
    else {
      const reason = 'its path has no major version, for example /v1/ (§9)';
      unplaced.push({ operation, reason, api: undefined });
    }
  }
  const ofApi = ({ names, version, prefix }: Placed): string =>
    [names?.api ?? title, version, prefix].join('\n');
  const found = groupBy(placed, ofApi).map((group) => findApi(group, title, model));
  const apis = found.map(({ api }) => api).filter(({ collections }) => collections.length > 0);
  const prefix = apis[0]?.prefix ?? serverPath;
  const unfit = [...found.flatMap((one) => one.unfit), ...unplaced].map((one): Unfit => {
    const whole = serverPath + one.operation.path;
    const base = `${one.api?.prefix ?? prefix}/`;
    const path = whole.startsWith(base) ? whole.slice(base.length) : undefined;
    return { ...one, path, request: readRequest(one.operation, path, model) };
  });
  return { apis, unfit, prefix };
};
