import { header } from '../../conventions.ts';
import type { Family, ListForm, Place, QueryNames, WholeFamily } from '../../families/family.ts';
import { valueAt } from '../../families/path.ts';
import * as presets from '../../families/presets.ts';
import { formatFamilyQuery } from '../../families/query.ts';
import { readFamily } from '../../families/read-family.ts';
import { isObject } from '../../options.ts';
import { Stopped, UsageError } from '../errors.ts';
import { findItems, nextParameters, type Row, readAs, splitUrl } from './evidence.ts';
import { isJsonServer1, jsonServer1 } from './json-server.ts';
import { describeWay, hasEnd, listOf } from './list.ts';
import { findNumbers } from './numbers.ts';
import type { Observe, SeenResponse, SeenResponses } from './observe.ts';
import { isByOffset, isOffsetName } from './offset.ts';

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
  readonly rows: readonly Row[];
  readonly hasSelf: boolean;
  readonly baseUrl: string;
  readonly path: string;
  readonly version: number | undefined;
}

/** The preset that fits best, with what is known to differ; of several, the first, with the others. */
const nearest = (responses: SeenResponses) => {
  if (isJsonServer1(responses[0])) {
    const family = readFamily({ ...presets.jsonServer, ...jsonServer1 });
    return { preset: 'jsonServer', known: jsonServer1, reading: readAs(family, responses), ties: [] };
  }
  const all = Object.entries(presets).map(([preset, family]) => {
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

/** The name of a number in the body, which is mostly that of its parameter too. */
const nameAt = (place: Place | undefined): string | undefined =>
  place && 'body' in place ? place.body.split('.').at(-1) : undefined;

/** The names of the page and its size beside the records, where the preset does not know them. */
const namesInBody = (first: SeenResponse, { query, list }: WholeFamily): QueryNames => {
  if (isByOffset(first) || hasEnd([first], list)) return {};
  const numbers = findNumbers([first]);
  const page = nameAt(numbers.number) ?? query.page;
  const perPage = nameAt(numbers.size) ?? query.perPage;
  return {
    ...(page !== undefined && page !== query.page && { page }),
    ...(perPage !== undefined && perPage !== query.perPage && { perPage }),
  };
};

/**
 * The names of the page and its size, as the URL of the next page has them, or the one that was given: the
 * number after the first, and the number of records. Undefined where the preset has them, and where nothing
 * shows them.
 */
const pageNamesOf = (first: SeenResponse, rows: readonly Row[], family: WholeFamily): QueryNames => {
  if (isJsonServer1(first)) return {};
  const { query, firstPage } = family;
  const next = nextParameters(first);
  const given = first.url.searchParams;
  const find = (known: string | undefined, value: number, parameters: URLSearchParams | undefined) => {
    const isKnown = known !== undefined && parameters?.has(known) === true;
    return isKnown ? undefined : [...(parameters ?? [])].find((one) => one[1] === String(value))?.[0];
  };
  // What the first page was asked for too does not lead to the second one. A URL with an offset has no page.
  const changed = isByOffset(first)
    ? undefined
    : new URLSearchParams([...(next ?? [])].filter(([name, value]) => given.get(name) !== value));
  const page = next?.has(query.page ?? '') ? undefined : find(query.page, firstPage + 1, changed);
  const size = new URLSearchParams([...given, ...(next ?? [])].filter(([name]) => !isOffsetName(name)));
  size.delete(page ?? query.page ?? '');
  const perPage = find(query.perPage, rows.length, size);
  const shown = { ...(page !== undefined && { page }), ...(perPage !== undefined && { perPage }) };
  return next === undefined ? { ...namesInBody(first, family), ...shown } : shown;
};

/** True where the first page, which no parameter asks for, has the number 0 in its body. */
const isFromZero = ({ url, body }: SeenResponse, { number }: ListForm): boolean =>
  url.search === '' && number !== undefined && 'body' in number && valueAt(body, number.body) === 0;

const differencesOf = (responses: SeenResponses, rows: readonly Row[], family: WholeFamily): Family => {
  const [first] = responses;
  const { url } = first;
  const names = pageNamesOf(first, rows, family);
  const list = listOf(responses, family);
  const isLinkedByOffset = isByOffset(first) && list.next !== 'number';
  const trailingSlash = url.pathname.endsWith('/');
  const identity = rows.every((row) => Object.hasOwn(row, 'self')) ? ['id', 'self'] : ['id'];
  return {
    ...(splitUrl(url, family) === undefined && { path: '' }),
    ...(Object.keys(names).length > 0 && { query: { ...family.query, ...names } }),
    ...(family.firstPage === 1 && isFromZero(first, list) && { firstPage: 0 }),
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
  ['', 'data'].find(
    (path) => isObject(valueAt(body, path)) && isSame(valueAt(body, `${path}.id`.replace(/^\./, '')), id),
  );

const recordUrl = (url: URL, id: unknown, trailingSlash: boolean): URL => {
  const record = new URL(url.origin);
  const end = trailingSlash ? '/' : '';
  record.pathname = `${url.pathname.replace(/\/$/, '')}/${encodeURIComponent(String(id))}${end}`;
  return record;
};

/** True for an array without links and totals. */
const isBare = ({ body, headers }: SeenResponse): boolean =>
  Array.isArray(body) &&
  !headers.has(header.link) &&
  ![...headers.keys()].some((name) => name.includes('total'));

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
  return `${names.join(', ')}, and the form of invalid fields`;
};

/** What the second page does not tell of the names that it was asked for by. */
const describeUnproven = (rows: readonly Row[], read: unknown, { page, perPage }: QueryNames) => {
  const [first] = Array.isArray(read) ? read : [];
  const isOther = first !== undefined && !isSame(first?.id, rows[0]?.id);
  if (!isOther) return [`whether ${page} and ${perPage} are its names for pages and their size`];
  const isOne = Array.isArray(read) && read.length === 1 && rows.length > 1;
  return isOne ? [] : [`its name for the size of a page: ${perPage} had no effect; name it in query.perPage`];
};

/** The pages among the responses: the whole list that json-server 1 sends without being asked for one is none. */
const pagesOf = (first: SeenResponse, second: SeenResponse | undefined): SeenResponses => {
  if (second === undefined) return [first];
  return isBare(first) && isJsonServer1(second) ? [second] : [first, second];
};

/** Looks at a list, a page of it and one record: three requests at most. */
export const recognise = async (url: URL, observe: Observe): Promise<Recognised> => {
  const asFound = await observe(url);
  const items = findItems(asFound.body);
  if (items === undefined)
    throw new UsageError('The response has no list of records; name the URL of a list');
  const rows = valueAt(asFound.body, items) as readonly Row[];
  // A list without a sign of pages is that of a server that pages only if it is asked for a page.
  const guess = isBare(asFound) ? readFamily(presets.jsonServer) : nearest([asFound]).reading.family;
  const asked = { ...guess.query, ...pageNamesOf(asFound, rows, guess) };
  const second = await tryToObserve(secondPage(url, { ...guess, query: asked }), observe);
  const responses = pagesOf(asFound, second);
  const [first] = responses;
  const { preset, known, reading, ties } = nearest(responses);
  const { family } = reading;
  const names = { ...family.query, ...pageNamesOf(first, rows, family) };
  const isAsked = asked.page === names.page && asked.perPage === names.perPage;
  const read = second === undefined || !isAsked ? undefined : valueAt(second.body, items);
  // A server that pages by offset has no page to be asked for, and the names of json-server 1 are known.
  const hasProof = isByOffset(first) || isJsonServer1(first);
  const unproven = hasProof ? [] : describeUnproven(rows, read, names);
  const unknown = [describeUnseen(preset, family), ...unproven];
  const id = rows[0]?.id;
  const one =
    id === undefined
      ? undefined
      : await tryToObserve(recordUrl(url, id, url.pathname.endsWith('/')), observe);
  const item = one && findItem(one.body, id);
  if (item === undefined) unknown.push('whether one record can be read, and where it stands in the response');
  const parts = splitUrl(url, family);
  const differences = differencesOf(responses, rows, family);
  const way = describeWay(responses, differences.list ?? family.list, names.page ?? 'page');
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
    rows,
    baseUrl: url.origin + (parts?.base ?? ''),
    path: parts?.path ?? url.pathname.replace(/^\/|\/$/g, ''),
    version: parts?.version === undefined ? undefined : Number(parts.version),
    hasSelf: rows.length > 0 && rows.every((row) => Object.hasOwn(row, 'self')),
  };
};
