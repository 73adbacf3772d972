import { type Family, itemPathOf, type QueryNames, type WholeFamily } from '../../families/family.ts';
import * as presets from '../../families/presets.ts';
import { readFamily } from '../../families/read-family.ts';
import { sorted } from '../../openapi/names.ts';
import { UsageError } from '../errors.ts';
import { differencesOf, withoutNumbers } from './differences.ts';
import { type SeenEndpoint, toSeenEndpoint } from './endpoint.ts';
import { findItems, type Row, readAs, splitUrl } from './evidence.ts';
import { findIdField, readIds, readingIds } from './id-field.ts';
import { isJsonServer1, jsonServer1 } from './json-server.ts';
import { lookForEnd } from './last-page.ts';
import { cursorOf, describeWay } from './list.ts';
import {
  describeLargestSize,
  describeLeftOut,
  ownParametersOf,
  pageNamesOf,
  totalParametersOf,
} from './names.ts';
import type { Observe, SeenResponse, SeenResponses } from './observe.ts';
import { isByOffset } from './offset.ts';
import { askForSecond, isBare, pagesOf, readRecord, rowsOf, tryToObserve } from './probes.ts';
import { describeUnproven, proveNames } from './proof.ts';
import { findSizeName } from './size-name.ts';
import { findUnnumbered, findUsualOffset, type Unnumbered } from './unnumbered.ts';

/** What was seen of a server. */
export interface Recognised {
  /** The name of the nearest preset in `restkin/families`. */
  readonly preset: string;
  /** Other presets that fit as well. */
  readonly ties: readonly string[];
  /** The parts that differ from the preset. */
  readonly differences: Family;
  /** The parameters of the URL that are none of the family. */
  readonly params: readonly string[];
  /** The parts that the responses do not tell, in words. */
  readonly unknown: readonly string[];
  /** How the server pages, where a family cannot say it: a sentence. */
  readonly note?: string | undefined;
  /** The records of the list, and the one that was read alone: it may lack fields that they have. */
  readonly rows: readonly Row[];
  readonly hasSelf: boolean;
  /** The list of records without an `id`, which are no resources; undefined for a collection. */
  readonly endpoint: SeenEndpoint | undefined;
  /** Whether the path of the list ends with a slash, and that of the record without. */
  readonly isListSlashed: boolean;
  readonly baseUrl: string;
  readonly path: string;
  readonly version: number | undefined;
}

/** The preset that fits best, with what is known to differ; of several the first by name, with the others. */
const nearest = (responses: SeenResponses) => {
  if (isJsonServer1(responses[0])) {
    const family = readFamily({ ...presets.jsonServer, ...jsonServer1 });
    return { preset: 'jsonServer', known: jsonServer1, family, ties: [] };
  }
  const all = Object.entries(sorted(presets)).map(([preset, family]) => {
    return { preset, ...readAs(readFamily(family), responses) };
  });
  const best = all.reduce((one, other) => (other.score > one.score ? other : one));
  const equal = all.filter((one) => one !== best && one.score === best.score);
  return { preset: best.preset, known: {}, family: best.family, ties: equal.map(({ preset }) => preset) };
};

/** How a list continues after its first page, as requests for it have shown. */
interface Continuation {
  /** The pages that were seen. */
  readonly responses: SeenResponses;
  /** How it continues without page numbers. */
  readonly unnumbered: Unnumbered | undefined;
  /** The second page, and the names that it was asked for by. */
  readonly second: SeenResponse | undefined;
  readonly asked: QueryNames;
  /** The names of the page and its size that had an effect, where those of the preset had none. */
  readonly found: QueryNames;
  /** The names for the size of a page that had no effect, where each usual one was tried. */
  readonly tried: readonly string[];
}

/** Asks for records behind the first page of a list, in the names of a family. */
const lookFurtherAs = async (
  guess: WholeFamily,
  asFound: SeenResponse,
  rows: readonly Row[],
  observe: Observe,
): Promise<Continuation> => {
  const names = pageNamesOf(asFound, rows, guess);
  const asked = { ...guess.query, ...names };
  const ask = async (page: URL): Promise<readonly Row[] | undefined> => {
    const response = await tryToObserve(page, observe);
    return response && rowsOf(response);
  };
  const unnumbered = await findUnnumbered(asFound, rows, names.perPage, ask);
  const onePage = { responses: [asFound], second: undefined, asked, found: {}, tried: [] } as const;
  if (unnumbered !== undefined) return { ...onePage, unnumbered };
  const family = { ...guess, query: asked };
  const usual = await askForSecond(asFound, rows, family, observe);
  const { query, second, tried } = await findSizeName(asFound, rows, family, usual, observe);
  const { isOther } = proveNames(rows, second && rowsOf(second));
  const byOffset = isOther ? undefined : await findUsualOffset(asFound, rows, names.perPage, ask);
  if (byOffset !== undefined) return { ...onePage, unnumbered: byOffset };
  const { page, perPage } = query ?? {};
  const found = { ...(page !== undefined && { page }), ...(perPage !== undefined && { perPage }) };
  return {
    responses: pagesOf(asFound, second),
    unnumbered,
    second,
    asked: { ...asked, ...found },
    found,
    tried,
  };
};

/** Asks for records behind the first page of a list. */
const lookFurther = async (
  asFound: SeenResponse,
  rows: readonly Row[],
  observe: Observe,
): Promise<Continuation> => {
  const { family } = nearest([asFound]);
  if (!isBare(asFound)) return lookFurtherAs(family, asFound, rows, observe);
  // A list without a sign of pages is that of a server that pages only if it is asked for a page.
  const found = await lookFurtherAs(readFamily(presets.jsonServer), asFound, rows, observe);
  const { isOther } = proveNames(rows, found.second && rowsOf(found.second));
  if (isOther || found.unnumbered !== undefined) return found;
  const second = await askForSecond(asFound, rows, family, observe);
  const isNumbered = proveNames(rows, second && rowsOf(second)).isOther;
  return isNumbered ? lookFurtherAs(family, asFound, rows, observe) : found;
};

/** The parts of a preset that no list shows. */
const describeUnseen = (preset: string, { query: { sort, fields, expand } }: WholeFamily): string => {
  const names = Object.entries({ sort, fields, expand }).map(([part, name]) =>
    name === undefined ? `${part} (none in ${preset})` : `${part} (\`${name}\` in ${preset})`,
  );
  return `${names.join(', ')}, what writes respond with (created, written), and the form of invalid fields`;
};

/**
 * Where a list is: below the path of its family; without one, and where the URL has another path, it has the
 * whole path of the URL.
 */
const placeOf = (
  url: URL,
  family: WholeFamily | undefined,
): Pick<Recognised, 'baseUrl' | 'path' | 'version'> => {
  const parts: Readonly<Record<string, string>> = (family && splitUrl(url, family)) ?? {};
  const { base = '', path = url.pathname.replace(/^\/|\/$/g, ''), version } = parts;
  return {
    baseUrl: url.origin + base,
    path,
    version: version === undefined ? undefined : Number(version),
  };
};

const unreadRecord = 'whether one record can be read, and where it stands in the response';

const withoutId =
  'which field is the id: the records have no `id`, which each resource has. The list is an endpoint, which reads one page at a time; for a collection, name the field in idField of family()';

/** Looks at a list, a page of it and one record, by a few requests. */
export const recognise = async (url: URL, observeAsSent: Observe): Promise<Recognised> => {
  const asSent = await observeAsSent(url);
  if (findItems(asSent.body) === undefined)
    throw new UsageError('The response has no list of records; name the URL of a list');
  const idField = await findIdField(url, rowsOf(asSent), observeAsSent);
  const observe = idField === undefined ? observeAsSent : readingIds(observeAsSent, idField);
  const asFound = idField === undefined ? asSent : readIds(asSent, idField);
  const rows = rowsOf(asFound);
  const { responses, unnumbered, second, asked, found, tried } = await lookFurther(asFound, rows, observe);
  const [first] = responses;
  const { preset, known, family, ties } = nearest(responses);

  const names = { ...family.query, ...pageNamesOf(first, rows, family), ...found };
  const isAsked = asked.page === names.page && asked.perPage === names.perPage;
  const proof = proveNames(rows, isAsked && second ? rowsOf(second) : undefined, asFound);
  const numbered = differencesOf(responses, rows, family, names, proof);
  const listParameters = totalParametersOf(first);
  const differences = {
    ...(unnumbered ? withoutNumbers(numbered, family, unnumbered) : numbered),
    ...(Object.keys(listParameters).length > 0 && { listParameters }),
  };
  const declared = { ...family, ...differences };
  const end = await lookForEnd(first, declared, proof.isOther, observe);
  const whole = { ...declared, list: end.list };

  const id = rows[0]?.id;
  const record = id === undefined ? undefined : await readRecord(url, id, observe);
  const isListSlashed = url.pathname.endsWith('/');
  const isSlashed = record?.isSlashed ?? isListSlashed;
  const way = describeWay(responses, whole.list, names.page ?? 'page');
  // A server that pages by offset or a cursor has no page to be asked for, and the names of json-server 1 are
  // known.
  const hasProof =
    unnumbered?.query.perPage !== undefined ||
    isByOffset(first) ||
    isJsonServer1(first) ||
    cursorOf(responses) !== undefined;
  const hasIds = rows.length === 0 || id !== undefined;
  const own = ownParametersOf(url, whole, names);
  const unknown = [
    describeUnseen(preset, family),
    ...(hasProof ? [] : describeUnproven(proof, names, whole, tried)),
    ...describeLeftOut(url, whole, names, own),
    ...describeLargestSize(whole),
    ...end.unknown,
    ...(rows.length === 0 || record !== undefined ? [] : [unreadRecord]),
    ...(way.unknown === undefined ? [] : [way.unknown]),
  ];
  return {
    preset,
    ties,
    differences: {
      ...known,
      ...differences,
      ...(differences.list !== undefined && { list: end.list }),
      ...(idField !== undefined && { idField }),
      ...(record !== undefined && record.item !== itemPathOf(family, 'GET') && { item: record.item }),
      ...(isSlashed !== family.trailingSlash && { trailingSlash: isSlashed }),
    },
    isListSlashed: isListSlashed && !(hasIds && isSlashed),
    params: [...own, ...(hasIds ? [] : Object.keys(listParameters))],
    unknown: hasIds ? unknown : [withoutId],
    note: hasIds ? way.note : undefined,
    rows: record === undefined ? rows : [...rows, record.row],
    // An endpoint is below no path of a family.
    ...placeOf(url, hasIds ? family : undefined),
    endpoint: hasIds ? undefined : toSeenEndpoint(responses, whole, names, proof, unnumbered),
    hasSelf: rows.length > 0 && rows.every((row) => Object.hasOwn(row, 'self')),
  };
};
