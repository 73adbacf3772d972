import { header, jsonType, type Operation, versionPrefix } from '../conventions.ts';
import type { HeaderFields } from '../http/fields.ts';
import { encodeSegment, formatPath } from '../http/url.ts';
import type { Collection } from '../index.ts';
import { operationsOf } from '../schema/collection.ts';
import type { Schema } from '../schema/types/shape.ts';
import { fits } from './data.ts';
import { countIn, type Exchange, type Json, once, type WireRequest } from './exchange.ts';
import {
  blockedBy,
  breaks,
  cannotTell,
  demandRefusal,
  type Listed,
  recordsOf,
  some,
  unlessJudged,
  type Weight,
} from './judgement.ts';
import type { Examination } from './options.ts';
import type { Session } from './session.ts';
import { isPlainNumber, toUnknownId } from './unknown-id.ts';
import type { SendOptions, Wire } from './wire.ts';

/** Of a path or a query. */
export type Parameters = Readonly<Record<string, string | number>>;

const options = ['sort', 'fields', 'expand', 'paging'] as const;

export type Need = Operation | (typeof options)[number] | 'token' | 'basic';

export const reasonOf = (need: Need): string => {
  if (need === 'token' || need === 'basic') return `the API is not examined with ${need}`;
  return `\`${need}\` is not declared${need === 'list' ? ', or needs a parameter' : ''}`;
};

/** True for an id that a path can have: with `''`, `.` or `..` it would lead to the collection, or above it. */
export const isId = (id: unknown): id is string | number => {
  try {
    return encodeSegment('id', id) !== '';
  } catch {
    return false;
  }
};

export const createSubjects = ({ api, base, headers: own }: Examination, wire: Wire, session: Session) => {
  // A declaration's collections were checked when they were declared.
  const collections = api.collections as Readonly<Record<string, Collection>>;
  const root = new URL(`${base.href}/${versionPrefix}${api.version}/`);

  return once((key: string, parameters: Parameters | undefined) => {
    const collection = collections[key] as Collection;
    const { path, resource, options: declared } = collection;
    const isListed = declared.params === undefined || fits(declared.params, {});
    const has: ReadonlySet<Need> = new Set([
      ...operationsOf(collection).filter((operation) => operation !== 'list' || isListed),
      ...options.filter((name) => [declared[name] ?? []].flat().length > 0),
      ...(own !== undefined ? [] : ([session.takesTokens ? 'token' : 'basic'] as const)),
    ]);
    const url = (): string =>
      parameters === undefined
        ? cannotTell(`no value is known for the parameters of ${path}; pass \`pathParameters\``)
        : root.href + formatPath(path, parameters);
    const listUrl = (query: Parameters = {}): string => {
      const search = new URLSearchParams(query as Readonly<Record<string, string>>);
      return search.size === 0 ? url() : `${url()}?${search}`;
    };
    const itemUrl = ({ id }: Json): string =>
      isId(id) ? `${url()}/${encodeSegment('id', id)}` : cannotTell('the resource has no id');
    /** The one way to send a request to the API. A body is JSON unless `headers` says otherwise. */
    const send = async (request: Partial<WireRequest>, how?: SendOptions): Promise<Exchange> => {
      const credentials = how?.isAnonymous ? {} : await session.authorize(how);
      const content = request.body === undefined ? {} : { [header.contentType]: jsonType };
      const headers = { [header.accept]: jsonType, ...credentials, ...content, ...request.headers };
      return wire.send({ method: 'GET', url: url(), ...request, headers }, how);
    };
    const known = new Map<string, Promise<Exchange>>();
    const getOnce = once((address: string, headers: HeaderFields) => send({ url: address, headers }), known);
    const get = (address: string, headers: HeaderFields = {}): Promise<Exchange> => getOnce(address, headers);
    const list = async (query?: Parameters): Promise<Listed> => recordsOf(await get(listUrl(query)));
    const firstRecords = async () => {
      const { exchange, records } = await list();
      return { exchange, records: some(records, 'the collection is empty') };
    };
    const idsOfFirstPage = async (): Promise<string> => {
      const { exchange, records } = await list();
      return JSON.stringify([countIn(exchange, 'totalCount'), ...records.map(({ id }) => id)]);
    };

    return {
      key,
      path,
      resource,
      options: declared,
      /** The values of the path parameters; undefined when one is unknown. */
      parameters,
      /** The URL that every path of the API begins with, including the major version (§9.3). */
      root,
      url,
      listUrl,
      itemUrl,
      send,
      /** A GET that was sent is not sent again, until its response is forgotten. */
      get,
      list,
      firstRecords,
      /** Forgets the responses, so that memory does not grow with the run. */
      forget: (): void => known.clear(),
      has: (need: Need): boolean => has.has(need),
      /** True for a resource that some collection of the API fetches on its own (§2.1). */
      isFetchable: (target: Schema): boolean =>
        Object.values(collections).some(
          (other) => other.resource === target && operationsOf(other).includes('get'),
        ),
      /** Reads the first page anew: true if it has other records than before. What was read before is forgotten. */
      hasChanged: (): Promise<boolean> =>
        unlessJudged(async () => {
          if (!has.has('list')) return false;
          const before = await idsOfFirstPage();
          known.clear();
          return before !== (await idsOfFirstPage());
        }, false),
      firstPage: (headers?: HeaderFields): Promise<Exchange> => get(url(), headers),
      /** A GET of a resource that does not exist. Its id has the form of those that do, as far as it can be seen. */
      unknownItem: async (): Promise<Exchange> => {
        const { records } = await firstRecords();
        const known = String(records[0].id);
        const exchange = await send({ url: itemUrl({ id: toUnknownId(known) }), isInvalid: true });
        if (exchange.status === 400 && !isPlainNumber(known))
          cannotTell('an id that was made up got 400, and its form may be wrong');
        return exchange;
      },
      /** The target of a link. A link to another origin breaks the rule and is not followed. */
      linkTarget: (exchange: Exchange, name: string, link: unknown, weight?: Weight): URL => {
        const { url: from } = exchange.request;
        const target = URL.canParse(String(link), from) ? new URL(String(link), from) : undefined;
        if (target?.origin !== root.origin)
          return breaks(exchange, `${name} at ${root.origin}`, 'another place', weight);
        return target.pathname.startsWith(root.pathname) ? target : blockedBy('§9.3');
      },
      demandRefused: async (query: Parameters, what: string): Promise<void> =>
        demandRefusal(await send({ url: listUrl(query), isInvalid: true }), what),
    };
  });
};

export type CreateSubject = ReturnType<typeof createSubjects>;

/** A collection of the API under examination. */
export type Subject = ReturnType<CreateSubject>;

/** The subjects of all collections. `companies/:companyId/orders` gets the id of the first company, unless one is given. */
export const locateSubjects = async (
  { api, pathParameters: given = {} }: Examination,
  create: CreateSubject,
): Promise<readonly Subject[]> => {
  const located: Subject[] = [];
  const parametersOf = async (path: string): Promise<Parameters | undefined> => {
    const segments = path.split('/');
    const at = segments.findLastIndex((part) => part.startsWith(':') && !Object.hasOwn(given, part.slice(1)));
    if (at < 0) return given;
    const above = located.find((other) => other.path === segments.slice(0, at).join('/'));
    if (above?.has('list') !== true) return undefined;
    const { records } = await unlessJudged(() => above.list(), { records: [] });
    const [id] = records.map((record) => record.id).filter(isId);
    if (id === undefined) return undefined;
    return { ...given, ...above.parameters, [(segments[at] ?? '').slice(1)]: id };
  };
  const keys = Object.keys(api.collections);
  // Shorter paths first, because a longer one may begin with a shorter one.
  const ordered = Object.entries(api.collections).toSorted(([, a], [, b]) => a.path.length - b.path.length);
  for (const [key, { path }] of ordered) located.push(create(key, await parametersOf(path)));
  return located.toSorted((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key));
};
