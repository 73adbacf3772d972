import type { ListForm, WholeFamily } from '../../families/family.ts';
import { readFamilyPage } from '../../families/page.ts';
import { valueAt } from '../../families/path.ts';
import { isObject } from '../../options.ts';
import { hasId } from '../id-names.ts';
import { nextParameters } from './next.ts';
import type { SeenResponses } from './observe.ts';

/** A record as it was sent. */
export type Row = Readonly<Record<string, unknown>>;

/** Whether two records are the same one: by the `id`, or by all of their fields where they have none. */
export const isSameRow = (left: Row | undefined, right: Row | undefined): boolean =>
  JSON.stringify(left?.id ?? left) === JSON.stringify(right?.id ?? right);

/** A list as a family reads it. */
export interface Reading {
  readonly family: WholeFamily;
  readonly rows: readonly Row[];
  /** How well the family fits; more is better. */
  readonly score: number;
}

/** Whether a value is a list of objects. */
export const isRows = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.every(isObject);

/** The names of the lists of objects in an object. One that has an id is a record: its lists are fields. */
const listsIn = (value: unknown): readonly string[] =>
  isObject(value) && !hasId(value) ? Object.keys(value).filter((name) => isRows(value[name])) : [];

/** Names of a list that a body with an id of its own, such as that of a request, may have beside it. */
const listNames = ['data', 'results', 'records'];

/** The names of the lists of objects in a body. Beside an id, an empty one may be a field of a record. */
const listsOfBody = (body: Row): readonly string[] =>
  hasId(body) ? listNames.filter((name) => isRows(body[name]) && body[name].length > 0) : listsIn(body);

/** Where the records are: the body itself, or the first list of objects in it, at most two names deep. */
export const findItems = (body: unknown): string | undefined => {
  if (isRows(body)) return '';
  if (!isObject(body)) return undefined;
  const lists = listsOfBody(body);
  // A list without records beside another one is rather that of errors.
  const direct = lists.find((name) => Object(body[name]).length > 0) ?? lists[0];
  if (direct !== undefined || hasId(body)) return direct;
  for (const [name, inner] of Object.entries(body)) {
    const [below] = listsIn(inner);
    if (below !== undefined) return `${name}.${below}`;
  }
  return undefined;
};

/**
 * The path in front of a collection, as a pattern that takes the base URL, the version and the path apart.
 */
const basePattern = ({ path }: WholeFamily): RegExp => {
  const [before = '', after = ''] = path
    .split('{version}')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const version = path.includes('{version}') ? '(?<version>\\d+)' : '';
  const base = path === '' ? '' : `(?<base>.*?)/${before}${version}${after}`;
  return new RegExp(`^${base}/(?<path>.+?)/?$`);
};

/** The parts of the URL of a list, in a family; undefined where the family has another path. */
export const splitUrl = ({ pathname }: URL, family: WholeFamily) =>
  basePattern(family).exec(pathname)?.groups;

const count = (isSo: boolean): number => (isSo ? 1 : -1);

/** The places of the numbers of a list. */
export const numberPlacesOf = ({ totalCount, totalPages, number, size }: ListForm) =>
  [totalCount, totalPages, number, size].flatMap((place) => place ?? []);

/** Reads a list as one family does, and counts what it finds where the family has it. */
export const readAs = (family: WholeFamily, responses: SeenResponses): Reading => {
  const [first] = responses;
  const { items } = readFamilyPage(first.body, first.headers, family, first.url.href);
  const rows = isRows(items) ? items : [];
  const scores = responses.map((response) => {
    const { headers, body } = response;
    const names = nextParameters(response);
    const isThere = numberPlacesOf(family.list).map((place) =>
      'header' in place ? headers.has(place.header) : valueAt(body, place.body) !== undefined,
    );
    const ofNames = [family.query.page, family.query.perPage].map((name) =>
      names === undefined || name === undefined ? 0 : count(names.has(name)),
    );
    return [...isThere.map(count), ...ofNames].reduce((sum, one) => sum + one, 0);
  });
  const hasSelf = rows.length > 0 && rows.every((row) => Object.hasOwn(row, 'self'));
  const others = [
    isRows(items) ? 5 : -5,
    family.path === '' ? 0 : count(splitUrl(first.url, family) !== undefined),
    count(family.trailingSlash === first.url.pathname.endsWith('/')),
    count(hasSelf === (family.identity.length === 2)),
  ];
  return { family, rows, score: [...scores, ...others].reduce((sum, one) => sum + one, 0) };
};
