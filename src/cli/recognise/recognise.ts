import type { Family, ListForm, QueryNames, WholeFamily } from '../../families/family.ts';
import { valueAt } from '../../families/path.ts';
import * as presets from '../../families/presets.ts';
import { formatFamilyQuery } from '../../families/query.ts';
import { readFamily } from '../../families/read-family.ts';
import { sorted } from '../../openapi/names.ts';
import { Stopped, UsageError } from '../errors.ts';
import { findItems, type Row, readAs, splitUrl } from './evidence.ts';
import { isJsonServer1, jsonServer1 } from './json-server.ts';
import { cursorOf, describeWay, hasEnd, listOf } from './list.ts';
import {
  describeUnproven,
  isSizeLowered,
  isSizeShown,
  type Proof,
  pageNamesOf,
  proveNames,
} from './names.ts';
import { hasPageLinks, objectsIn } from './next.ts';
import type { Observe, SeenResponse, SeenResponses } from './observe.ts';
import { isByOffset } from './offset.ts';
import { findUnnumbered, type Unnumbered } from './unnumbered.ts';

/** What was seen of a server. */
export interface Recognised {
  /** The name of the nearest preset in `restkin/families`. */
  readonly preset: string;
  /** Other presets that fit as well. */
  readonly ties: readonly string[];
  /** The parts that differ from the preset. */
  readonly differences: Family;
  /** The parts that the responses do not tell, in words. */
  readonly unknown: readonly string[];
  /** How the server pages, where a family cannot say it: a sentence. */
  readonly note?: string | undefined;
  /** The records of the list, and the one that was read alone: it may lack fields that they have. */
  readonly rows: readonly Row[];
  readonly hasSelf: boolean;
  readonly baseUrl: string;
  readonly path: string;
  readonly version: number | undefined;
}

/** The preset that fits best, with what is known to differ; of several, the first by name, with the others. */
const nearest = (responses: SeenResponses) => {
  if (isJsonServer1(responses[0])) {
    const family = readFamily({ ...presets.jsonServer, ...jsonServer1 });
    return { preset: 'jsonServer', known: jsonServer1, reading: readAs(family, responses), ties: [] };
  }
  const all = Object.entries(sorted(presets)).map(([preset, family]) => {
    return { preset, reading: readAs(readFamily(family), responses) };
  });
  const best = all.reduce((one, other) => (other.reading.score > one.reading.score ? other : one));
  const equal = all.filter((one) => one !== best && one.reading.score === best.reading.score);
  return { ...best, known: {}, ties: equal.map(({ preset }) => preset) };
};

/** The URL of the second page of one record, in the names of a family. */
const secondPage = (url: URL, family: WholeFamily): URL => {
  const probe = new URL(url);
  for (const [name, value] of formatFamilyQuery({ page: 2, perPage: 1 }, family, true))
    probe.searchParams.set(name, value);
  return probe;
};

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/** True where the first page, which no parameter asks for, has the number 0 in its body. */
const isFromZero = ({ url, body }: SeenResponse, { number }: ListForm): boolean =>
  url.search === '' && number !== undefined && 'body' in number && valueAt(body, number.body) === 0;

/**
 * Whether a declaration keeps the name for the size of a page. A name that nothing shows may be a filter for
 * the server, whose list would then end without a record.
 */
const isSizeKept = (
  responses: SeenResponses,
  family: WholeFamily,
  perPage: string | undefined,
  { isOne }: Proof,
  isRefuted: boolean,
): boolean => {
  const [first] = responses;
  if (isOne || isSizeShown(first, perPage) || isJsonServer1(first)) return true;
  return !isRefuted && (hasPageLinks(first) || hasEnd(responses, family.list));
};

const withoutSize = (names: QueryNames): QueryNames =>
  Object.fromEntries(Object.entries(names).filter(([name]) => name !== 'perPage'));

/** The parts of a family that differ from those of a preset, where the responses show them. */
const differencesOf = (
  responses: SeenResponses,
  rows: readonly Row[],
  family: WholeFamily,
  query: QueryNames,
  { isFromZero: isThird }: Proof,
): Family => {
  const [first] = responses;
  const { url } = first;
  const list = listOf(responses, family);
  const isLinkedByOffset = isByOffset(first) && list.next !== 'number';
  const trailingSlash = url.pathname.endsWith('/');
  const identity = rows.every((row) => Object.hasOwn(row, 'self')) ? ['id', 'self'] : ['id'];
  return {
    ...(splitUrl(url, family) === undefined && { path: '' }),
    ...(!isSame(query, family.query) && { query }),
    ...(family.firstPage === 1 && (isThird || isFromZero(first, list)) && { firstPage: 0 }),
    ...(!family.clampsSize &&
      isSizeLowered(first, rows.length, { ...family, query, list }) && { clampsSize: true }),
    ...(isLinkedByOffset && family.pageRequired && { pageRequired: false }),
    // The preset asks with them for totals, and another server may take them for a filter.
    ...(Object.keys(family.listParameters).length > 0 &&
      !hasEnd(responses, family.list) && { listParameters: {} }),
    ...(trailingSlash !== family.trailingSlash && { trailingSlash }),
    ...(!isSame(list, { ...family.list, next: family.list.next ?? 'link' }) && { list }),
    ...(rows.length > 0 && !isSame(identity, family.identity) && { identity: identity as ['id'] }),
  };
};

/** The place of a record in the response to a call for one; undefined where it has none that is known. */
const findItem = (body: unknown, id: unknown): string | undefined =>
  objectsIn(body).find((path) => isSame(Object(valueAt(body, path)).id, id));

const recordUrl = (url: URL, id: unknown, trailingSlash: boolean): URL => {
  const record = new URL(url.origin);
  const end = trailingSlash ? '/' : '';
  record.pathname = `${url.pathname.replace(/\/$/, '')}/${encodeURIComponent(String(id))}${end}`;
  return record;
};

/** True for an array without links and totals. */
const isBare = (response: SeenResponse): boolean =>
  Array.isArray(response.body) &&
  !hasPageLinks(response) &&
  ![...response.headers.keys()].some((name) => name.includes('total'));

/** A family whose lists a cursor or an offset continues, without page numbers. */
const withoutNumbers = (
  differences: Family,
  family: WholeFamily,
  { next, query, totals }: Unnumbered,
): Family => {
  const { page: _page, perPage: _perPage, ...names } = { ...family.query, ...differences.query };
  const { items }: ListForm = differences.list ?? family.list;
  return {
    ...differences,
    ...(family.pageRequired && { pageRequired: false }),
    query: { ...names, ...query },
    list: { ...(items !== undefined && { items }), next, ...totals },
  };
};

/** What a URL responds with; undefined where it fails, unless the command is stopped. */
const tryToObserve = (url: URL, observe: Observe): Promise<SeenResponse | undefined> =>
  observe(url).catch((error: unknown) => {
    if (error instanceof Stopped) throw error;
    return undefined;
  });

/** The parts of a preset that no list shows. */
const describeUnseen = (preset: string, { query: { sort, fields, expand } }: WholeFamily): string => {
  const names = Object.entries({ sort, fields, expand }).map(([part, name]) =>
    name === undefined ? `${part} (none in ${preset})` : `${part} (\`${name}\` in ${preset})`,
  );
  return `${names.join(', ')}, what writes respond with (created, written), and the form of invalid fields`;
};

/**
 * The pages among the responses: the whole list that json-server 1 sends without being asked for one is none.
 */
const pagesOf = (first: SeenResponse, second: SeenResponse | undefined): SeenResponses => {
  if (second === undefined) return [first];
  return isBare(first) && isJsonServer1(second) ? [second] : [first, second];
};

const rowsOf = (response: SeenResponse): readonly Row[] => {
  const rows = valueAt(response.body, findItems(response.body) ?? '');
  return Array.isArray(rows) ? (rows as readonly Row[]) : [];
};

/** A second page of one record, in the names of a family, or in those of json-server 1. */
const askForSecond = async (
  asFound: SeenResponse,
  rows: readonly Row[],
  family: WholeFamily,
  observe: Observe,
): Promise<SeenResponse | undefined> => {
  const second = await tryToObserve(secondPage(asFound.url, family), observe);
  const { isOther, isOne } = proveNames(rows, second && rowsOf(second));
  // It takes `_limit` for the end of a list, and pages by `_per_page` alone.
  if (!isBare(asFound) || isOther || !isOne) return second;
  const other = readFamily({ ...presets.jsonServer, ...jsonServer1 });
  const page = await tryToObserve(secondPage(asFound.url, other), observe);
  return page !== undefined && isJsonServer1(page) ? page : second;
};

/**
 * Looks at a list, a page of it and one record: three requests at most, one more for json-server 1, and up to
 * three more for a cursor or an offset.
 */
export const recognise = async (url: URL, observe: Observe): Promise<Recognised> => {
  const asFound = await observe(url);
  if (findItems(asFound.body) === undefined)
    throw new UsageError('The response has no list of records; name the URL of a list');
  const rows = rowsOf(asFound);
  // A list without a sign of pages is that of a server that pages only if it is asked for a page.
  const guess = isBare(asFound) ? readFamily(presets.jsonServer) : nearest([asFound]).reading.family;
  const asked = { ...guess.query, ...pageNamesOf(asFound, rows, guess) };
  const ask = async (page: URL): Promise<readonly Row[] | undefined> => {
    const response = await tryToObserve(page, observe);
    return response && rowsOf(response);
  };
  const unnumbered = await findUnnumbered(asFound, rows, pageNamesOf(asFound, rows, guess).perPage, ask);
  const second = unnumbered
    ? undefined
    : await askForSecond(asFound, rows, { ...guess, query: asked }, observe);
  const responses = pagesOf(asFound, second);
  const [first] = responses;
  const { preset, known, reading, ties } = nearest(responses);
  const { family } = reading;
  const names = { ...family.query, ...pageNamesOf(first, rows, family) };
  const isAsked = asked.page === names.page && asked.perPage === names.perPage;
  const proof = proveNames(rows, second && isAsked ? rowsOf(second) : undefined);
  const isRefuted = second !== undefined && isAsked && rows.length > 1 && !proof.isOne;
  const isKept = isSizeKept(responses, family, names.perPage, proof, isRefuted);
  const query = isKept ? names : withoutSize(names);
  const numbered = differencesOf(responses, rows, family, query, proof);
  const differences = unnumbered ? withoutNumbers(numbered, family, unnumbered) : numbered;
  const list = differences.list ?? family.list;
  // A server that pages by offset or a cursor has no page to be asked for, and the names of json-server 1 are
  // known.
  const hasProof = isByOffset(first) || isJsonServer1(first) || cursorOf(responses) !== undefined;
  const unproven = hasProof ? [] : describeUnproven(proof, names, isKept);
  const unknown = [describeUnseen(preset, family), ...unproven];
  const id = rows[0]?.id;
  const one =
    id === undefined
      ? undefined
      : await tryToObserve(recordUrl(url, id, url.pathname.endsWith('/')), observe);
  const item = one && findItem(one.body, id);
  if (rows.length > 0 && id === undefined)
    unknown.push(
      'which field is the id: the records have no `id`, which each resource has; use client.request',
    );
  if (item === undefined) unknown.push('whether one record can be read, and where it stands in the response');
  const parts = splitUrl(url, family);
  const way = describeWay(responses, list, names.page ?? 'page');
  if (way.unknown !== undefined) unknown.push(way.unknown);
  return {
    preset,
    ties,
    differences: {
      ...known,
      ...differences,
      ...(item !== undefined && item !== family.item && { item }),
    },
    unknown,
    note: way.note,
    rows: item === undefined ? rows : [...rows, valueAt(one?.body, item) as Row],
    baseUrl: url.origin + (parts?.base ?? ''),
    path: parts?.path ?? url.pathname.replace(/^\/|\/$/g, ''),
    version: parts?.version === undefined ? undefined : Number(parts.version),
    hasSelf: rows.length > 0 && rows.every((row) => Object.hasOwn(row, 'self')),
  };
};
