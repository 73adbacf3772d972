// What is asked for beyond the list: a second page of it, and one record.
import type { WholeFamily } from '../../families/family.ts';
import { valueAt } from '../../families/path.ts';
import { jsonServer } from '../../families/presets.ts';
import { formatFamilyQuery } from '../../families/query.ts';
import { readFamily } from '../../families/read-family.ts';
import { Stopped } from '../errors.ts';
import { findItems, type Row } from './evidence.ts';
import { isJsonServer1, jsonServer1 } from './json-server.ts';
import { hasPageLinks, objectsIn } from './next.ts';
import { type Observe, type SeenResponse, type SeenResponses, withParameters } from './observe.ts';
import { proveNames } from './proof.ts';

/** The records of a list. */
export const rowsOf = (response: SeenResponse): readonly Row[] => {
  const rows = valueAt(response.body, findItems(response.body) ?? '');
  return Array.isArray(rows) ? (rows as readonly Row[]) : [];
};

/** True for an array without links and totals. */
export const isBare = (response: SeenResponse): boolean =>
  Array.isArray(response.body) &&
  !hasPageLinks(response) &&
  ![...response.headers.keys()].some((name) => name.includes('total'));

/** What a URL responds with; undefined where it fails, unless the command is stopped. */
export const tryToObserve = (url: URL, observe: Observe): Promise<SeenResponse | undefined> =>
  observe(url).catch((error: unknown) => {
    if (error instanceof Stopped) throw error;
    return undefined;
  });

/** The URL of the second page of one record, in the names of a family. */
export const secondPage = (url: URL, family: WholeFamily): URL =>
  withParameters(url, Object.fromEntries(formatFamilyQuery({ page: 2, perPage: 1 }, family, true)));

/** A second page of one record, in the names of a family, or in those of json-server 1. */
export const askForSecond = async (
  asFound: SeenResponse,
  rows: readonly Row[],
  family: WholeFamily,
  observe: Observe,
): Promise<SeenResponse | undefined> => {
  const ask = (one: WholeFamily) => tryToObserve(secondPage(asFound.url, one), observe);
  // Some servers refuse a parameter that they do not know.
  const second = (await ask(family)) ?? (await ask({ ...family, listParameters: {} }));
  const { isOther, isOne } = proveNames(rows, second && rowsOf(second));
  // It takes `_limit` for the end of a list, and pages by `_per_page` alone.
  if (!isBare(asFound) || isOther || !isOne) return second;
  const other = readFamily({ ...jsonServer, ...jsonServer1 });
  const page = await ask(other);
  return page !== undefined && isJsonServer1(page) ? page : second;
};

/**
 * The responses that are pages. The first is none where json-server 1 sent its whole list, because it was not
 * asked for a page.
 */
export const pagesOf = (first: SeenResponse, second: SeenResponse | undefined): SeenResponses => {
  if (second === undefined) return [first];
  return isBare(first) && isJsonServer1(second) ? [second] : [first, second];
};

/** A record that was read alone. */
interface SeenRecord {
  /** Its place in the response. */
  readonly item: string;
  readonly row: Row;
  /** Whether its path ends with a slash. */
  readonly isSlashed: boolean;
}

const readRecordAt = async (
  list: URL,
  id: unknown,
  isSlashed: boolean,
  observe: Observe,
): Promise<SeenRecord | undefined> => {
  const url = new URL(list.origin);
  const end = isSlashed ? '/' : '';
  url.pathname = `${list.pathname.replace(/\/$/, '')}/${encodeURIComponent(String(id))}${end}`;
  const response = await tryToObserve(url, observe);
  const rowAt = (path: string): Row => Object(valueAt(response?.body, path));
  const item = objectsIn(response?.body).find(
    (path) => JSON.stringify(rowAt(path).id) === JSON.stringify(id),
  );
  return item === undefined ? undefined : { item, row: rowAt(item), isSlashed };
};

/**
 * Reads one record; undefined where it has no place that is known. Its path ends as that of its list, or
 * without the slash that a list of FastAPI has.
 */
export const readRecord = async (
  list: URL,
  id: unknown,
  observe: Observe,
): Promise<SeenRecord | undefined> => {
  const isSlashed = list.pathname.endsWith('/');
  const found = await readRecordAt(list, id, isSlashed, observe);
  return found === undefined && isSlashed ? readRecordAt(list, id, false, observe) : found;
};
