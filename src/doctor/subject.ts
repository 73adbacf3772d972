import { header, jsonType, type Operation, versionPrefix } from '../conventions.ts';
import type { HeaderFields } from '../http/fields.ts';
import { encodeSegment, formatPath } from '../http/url.ts';
import type { Collection } from '../index.ts';
import { operationsOf } from '../schema/collection.ts';
import type { Schema } from '../schema/types/shape.ts';
import type { Examination } from './examination.ts';
import { countIn, type Exchange, type Json, once, type WireRequest } from './exchange.ts';
import {
  blockedBy,
  breaks,
  cannotTell,
  demand,
  type Listed,
  recordsOf,
  requireSuccess,
  some,
  unlessJudged,
} from './judgement.ts';
import type { Session } from './session.ts';
import type { SendOptions, Wire } from './wire.ts';

/** Values of the parameters of a path or a query. */
export type Parameters = Readonly<Record<string, string | number>>;

/** What must be declared for a rule to be judged. */
export type Need = Operation | 'sort' | 'fields' | 'expand' | 'paging' | 'token' | 'basic';

/** True for an id that a path can have: with `''`, `.` or `..` it would lead to the collection, or above it. */
export const isId = (id: unknown): id is string | number => {
  try {
    return encodeSegment('id', id) !== '';
  } catch {
    return false;
  }
};

/** Creates the factory of the subjects of one diagnosis: collections, each with values for the parameters of its path. */
export const createSubjects = ({ api, base, sample = 100 }: Examination, wire: Wire, session: Session) => {
  // A declaration's collections were checked when they were declared.
  const collections = api.collections as Readonly<Record<string, Collection>>;
  const root = new URL(`${base.href}/${versionPrefix}${api.version}/`);

  return (key: string, parameters: Parameters | undefined) => {
    const collection = collections[key] as Collection;
    const { path, resource, options } = collection;
    const operations: readonly Need[] = operationsOf(collection);
    const url = (): string =>
      parameters === undefined
        ? cannotTell(`no value is known for the parameters of ${path}`)
        : root.href + formatPath(path, parameters);
    const listUrl = (query: Parameters = {}): string => {
      const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
      return search.size === 0 ? url() : `${url()}?${search}`;
    };
    const itemUrl = ({ id }: Json): string =>
      isId(id) ? `${url()}/${encodeSegment('id', id)}` : cannotTell('the resource has no id');
    const send = async (request: Partial<WireRequest>, how?: SendOptions): Promise<Exchange> => {
      const credentials = how?.isAnonymous ? {} : await session.authorize(how);
      const headers = { [header.accept]: jsonType, ...credentials, ...request.headers };
      return wire.send({ method: 'GET', url: url(), ...request, headers }, how);
    };
    const known = new Map<string, Promise<Exchange>>();
    const getOnce = once((address: string, headers: HeaderFields) => send({ url: address, headers }), known);
    const get = (address: string, headers: HeaderFields = {}): Promise<Exchange> => getOnce(address, headers);
    const list = async (query?: Parameters): Promise<Listed> => recordsOf(await get(listUrl(query)));
    const someRecords = async (): Promise<readonly [Json, ...Json[]]> =>
      some((await list()).records, 'the collection is empty');
    const idsOfFirstPage = async (): Promise<string> => {
      const { exchange, records } = await list();
      return JSON.stringify([countIn(exchange, 'totalCount'), ...records.map(({ id }) => id)]);
    };

    return {
      /** The key in the declaration. */
      key,
      path,
      resource,
      options,
      /** The values of the path parameters; undefined when one is unknown. */
      parameters,
      /** The URL that every path of the API begins with, including the major version (§9.3). */
      root,
      url,
      listUrl,
      itemUrl,
      /** Sends a request with the credentials of the user, unless `headers` has others. */
      send,
      /** A GET as the user. A GET that was sent is not sent again, until its response is forgotten. */
      get,
      /** A page of the list; the check ends where the response has none. */
      list,
      /** The records of the first page, at least one. */
      someRecords,
      /** Forgets the responses, so that memory does not grow with the run. */
      forget: (): void => known.clear(),
      /** Whether something is declared that a rule needs. */
      has: (need: Need): boolean => {
        if (need === 'token' || need === 'basic') return session.takesTokens === (need === 'token');
        if (need === 'sort' || need === 'fields' || need === 'expand' || need === 'paging') {
          const option = options[need];
          return option !== undefined && (!Array.isArray(option) || option.length > 0);
        }
        return operations.includes(need);
      },
      /** True for a resource that some collection of the API fetches on its own (§2.1). */
      isFetchable: (target: Schema): boolean =>
        Object.values(collections).some(
          (other) => other.resource === target && operationsOf(other).includes('get'),
        ),
      /** Reads the first page anew: true if it has other records than before. What was read before is forgotten. */
      hasChanged: (): Promise<boolean> =>
        unlessJudged(async () => {
          const before = await idsOfFirstPage();
          known.clear();
          return before !== (await idsOfFirstPage());
        }, false),
      /** The response to the list, whatever its status. */
      firstPage: (headers?: HeaderFields): Promise<Exchange> => get(url(), headers),
      /** A GET of the first resource of the list. */
      item: async (): Promise<Exchange> => {
        const [record] = await someRecords();
        return requireSuccess(await get(itemUrl(record)));
      },
      /** A GET of a resource that does not exist; its id has the type of those that do. */
      unknownItem: async (): Promise<Exchange> => {
        const [{ id }] = await someRecords();
        const isUuid = typeof id === 'string' && /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(id);
        const text = isUuid ? '00000000-0000-4000-8000-00000000d0c7' : 'restkin-doctor-none';
        const unknown = typeof id === 'number' ? 2_000_000_011 : text;
        return send({ url: itemUrl({ id: unknown }), isInvalid: true });
      },
      /** The first records of the list, from several pages if necessary: those that are compared with the declaration. */
      sample: async (): Promise<Listed> => {
        const first = await list();
        const records: Json[] = [...some(first.records, 'the collection is empty')];
        for (let page = 2; options.paging !== undefined && records.length < sample; page++) {
          const { records: more } = await list({ page });
          if (more.length === 0 || more[0]?.id === records[0]?.id) break;
          records.push(...more);
          if (more.length < first.records.length) break;
        }
        return { ...first, records: records.slice(0, sample) };
      },
      /** The target of a link. A link to another origin breaks the rule and is not followed. */
      linkTarget: (exchange: Exchange, name: string, link: unknown): URL => {
        const { url: from } = exchange.request;
        const target = URL.canParse(String(link), from) ? new URL(String(link), from) : undefined;
        if (target?.origin !== root.origin)
          return breaks(exchange, `${name} at ${root.origin}`, 'another place');
        return target.pathname.startsWith(root.pathname) ? target : blockedBy('§9.3');
      },
      /** Demands that a list with an invalid query is refused. */
      demandRefused: async (query: Parameters, what: string): Promise<void> =>
        demandRefusal(await send({ url: listUrl(query), isInvalid: true }), what),
    };
  };
};

/** Makes the subject of a collection with values for the parameters of its path. */
export type CreateSubject = ReturnType<typeof createSubjects>;

/** A collection of the API under examination. */
export type Subject = ReturnType<CreateSubject>;

/** Input that is invalid must be refused (§7.1): another 4xx than 400 is judged by §7.2.1. */
export const demandRefusal = (exchange: Exchange, what: string): void => {
  const { status } = exchange;
  if (status >= 500) blockedBy('§7.1 500');
  demand(status >= 400, exchange, `400 for ${what}`, `${status}`);
  if (status !== 400) blockedBy('§7.2.1');
};

const mostTried = 3;

const idsIn = async (subject: Subject): Promise<readonly (string | number)[]> => {
  if (!subject.has('list')) return [];
  const records = await unlessJudged(async () => (await subject.list()).records, []);
  return records
    .map(({ id }) => id)
    .filter(isId)
    .slice(0, mostTried);
};

/**
 * The subjects of all collections, each with values for the parameters of its path: those that are given, and for
 * `companies/:companyId/orders` the id of a company that has orders. A collection whose parameters stay unknown cannot be
 * examined.
 *
 * @param plain - the subjects of the paths without parameters
 */
export const locateSubjects = async (
  { api, pathParameters: given = {} }: Examination,
  plain: readonly Subject[],
  create: CreateSubject,
): Promise<readonly Subject[]> => {
  const located = [...plain];
  const locate = async (key: string, path: string): Promise<Subject> => {
    const segments = path.split('/');
    const at = segments.findLastIndex((part) => part.startsWith(':') && !Object.hasOwn(given, part.slice(1)));
    if (at < 0) return create(key, given);
    const above = located.find((other) => other.path === segments.slice(0, at).join('/'));
    let subject = create(key, undefined);
    for (const id of above === undefined ? [] : await idsIn(above)) {
      subject = create(key, { ...given, ...above?.parameters, [(segments[at] ?? '').slice(1)]: id });
      if ((await idsIn(subject)).length > 0) break;
    }
    return subject;
  };
  const keys = Object.keys(api.collections);
  const others = Object.entries(api.collections).filter(([, { path }]) => path.includes(':'));
  // Shorter paths first, because a longer one may begin with a shorter one.
  for (const [key, { path }] of others.toSorted(([, a], [, b]) => a.path.length - b.path.length))
    located.push(await locate(key, path));
  return located.toSorted((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key));
};
