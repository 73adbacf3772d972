import { header } from '../../conventions.ts';
import type { Family, ListForm, Place, WholeFamily } from '../../families/family.ts';
import { valueAt } from '../../families/path.ts';
import * as presets from '../../families/presets.ts';
import { formatFamilyQuery } from '../../families/query.ts';
import { readFamily } from '../../families/read-family.ts';
import { isObject } from '../../options.ts';
import { Stopped, UsageError } from '../errors.ts';
import { findItems, nextParameters, type Row, readAs, splitUrl } from './evidence.ts';
import type { Answer, Observe } from './observe.ts';

/** What was seen of a server. */
export interface Recognised {
  /** The name of the nearest preset in `restkin/families`. */
  readonly preset: string;
  /** The parts that differ from the preset. */
  readonly differences: Family;
  /** The parts that the responses do not tell, in words. */
  readonly unknown: readonly string[];
  readonly rows: readonly Row[];
  readonly hasSelf: boolean;
  readonly baseUrl: string;
  readonly path: string;
  readonly version: number | undefined;
}

type Answers = readonly [Answer, ...Answer[]];

/** The preset that fits best; of several, the first. */
const nearest = (answers: Answers) => {
  const all = Object.entries(presets).map(([preset, family]) => {
    return { preset, reading: readAs(readFamily(family), answers) };
  });
  return all.reduce((best, one) => (one.reading.score > best.reading.score ? one : best));
};

/** The URL of the second page of one record, in the names of a family. */
const secondPage = (url: URL, family: WholeFamily): URL => {
  const probe = new URL(url);
  for (const [name, value] of formatFamilyQuery({ page: 2, perPage: 1 }, family, true))
    probe.searchParams.set(name, value);
  return probe;
};

const isFound = (place: Place, { headers, body }: Answer): boolean =>
  'header' in place ? headers.has(place.header) : valueAt(body, place.body) !== undefined;

/** The parts of a list that the responses have: of the preset, and a header of totals that it does not know. */
const listOf = (answers: Answers, { list }: WholeFamily): ListForm => {
  const [{ body, headers }] = answers;
  const { items: known = '', next = 'link', ...others } = list;
  const items = findItems(body) ?? known;
  const kept = Object.entries(others).filter(
    ([, place]) => !isPlace(place) || place.optional || answers.some((answer) => isFound(place, answer)),
  );
  const hasTotal = kept.some(([name]) => name === 'totalCount');
  const total = [...headers.keys()].find((name) => /total(?:-?count)?$/.test(name));
  return {
    ...(items !== '' && { items }),
    next: headers.has(header.link) ? 'link' : next,
    ...Object.fromEntries(kept),
    ...(!hasTotal && total !== undefined && { totalCount: { header: total } }),
  };
};

const isPlace = (value: unknown): value is Place => isObject(value);

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/** The name of the page in the URL that leads from the first page to the next; undefined where the preset has it. */
const pageNameOf = (first: Answer, { query, firstPage }: WholeFamily): string | undefined => {
  const parameters = nextParameters(first);
  if (parameters === undefined || (query.page !== undefined && parameters.has(query.page))) return undefined;
  return [...parameters].find(([, value]) => value === String(firstPage + 1))?.[0];
};

const differencesOf = (answers: Answers, rows: readonly Row[], family: WholeFamily): Family => {
  const [first] = answers;
  const { url } = first;
  const page = pageNameOf(first, family);
  const list = listOf(answers, family);
  const trailingSlash = url.pathname.endsWith('/');
  const identity = rows.every((row) => Object.hasOwn(row, 'self')) ? ['id', 'self'] : ['id'];
  return {
    ...(splitUrl(url, family) === undefined && { path: '' }),
    ...(page !== undefined && { query: { ...family.query, page } }),
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
const isBare = ({ body, headers }: Answer): boolean =>
  Array.isArray(body) &&
  !headers.has(header.link) &&
  ![...headers.keys()].some((name) => name.includes('total'));

/** What a URL responds with; undefined where it fails, unless the command is stopped. */
const tryToObserve = (url: URL, observe: Observe): Promise<Answer | undefined> =>
  observe(url).catch((error: unknown) => {
    if (error instanceof Stopped) throw error;
    return undefined;
  });

/** Looks at a list, a page of it and one record: three requests at most. */
export const recognise = async (url: URL, observe: Observe): Promise<Recognised> => {
  const first = await observe(url);
  const items = findItems(first.body);
  if (items === undefined)
    throw new UsageError('The response has no list of records; name the URL of a list');
  const rows = valueAt(first.body, items) as readonly Row[];
  // A list without a sign of pages is that of a server that pages only if it is asked for a page.
  const guess = isBare(first) ? readFamily(presets.jsonServer) : nearest([first]).reading.family;
  const second = await tryToObserve(secondPage(url, guess), observe);
  const answers: Answers = second === undefined ? [first] : [first, second];
  const { preset, reading } = nearest(answers);
  const { family } = reading;
  const unknown = ['how the server names sort, fields and expand, and invalid fields'];
  const read = second === undefined ? [] : valueAt(second.body, items);
  const isProven = Array.isArray(read) && read.length === 1 && isSame(read[0]?.id, rows[1]?.id);
  if (!isProven || !isSame(guess.query, family.query))
    unknown.push(
      `whether ${family.query.page} and ${family.query.perPage} are its names for pages and their size`,
    );
  const id = rows[0]?.id;
  const one =
    id === undefined
      ? undefined
      : await tryToObserve(recordUrl(url, id, url.pathname.endsWith('/')), observe);
  const item = one && findItem(one.body, id);
  if (item === undefined) unknown.push('whether one record can be read, and where it stands in the response');
  const parts = splitUrl(url, family);
  return {
    preset,
    differences: {
      ...differencesOf(answers, rows, family),
      ...(item !== undefined && item !== family.item && { item }),
    },
    unknown,
    rows,
    baseUrl: url.origin + (parts?.base ?? ''),
    path: parts?.path ?? url.pathname.replace(/^\/|\/$/g, ''),
    version: parts?.version === undefined ? undefined : Number(parts.version),
    hasSelf: rows.length > 0 && rows.every((row) => Object.hasOwn(row, 'self')),
  };
};
