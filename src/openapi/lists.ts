// Where a list, a resource and the numbers of a page stand in the JSON of a family.
import { header } from '../conventions.ts';
import type { ListForm, Place, WholeFamily } from '../families/family.ts';
import { cursorParameterOf, isContentRange, morePathOf, nextPlaceOf } from '../families/list-form.ts';
import type { JsonSchema, ResponseObject } from './document.ts';

const count: JsonSchema = { type: 'integer', minimum: 0 };
const range: JsonSchema = { type: 'string', examples: ['items 0-24/57'] };
const nextUrl: JsonSchema = { type: ['string', 'null'], format: 'uri-reference' };
const nextCursor: JsonSchema = { type: ['string', 'null'] };

/** A schema at a dotted path of a body. */
interface Part {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly isOptional?: boolean | undefined;
}

/** The schema of a body with each part at its path. */
export const bodyOf = (parts: readonly Part[]): JsonSchema => {
  const [first] = parts;
  if (first !== undefined && first.path === '') return first.schema;
  const names = new Set(parts.map(({ path }) => path.split('.', 1)[0] ?? ''));
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const name of names) {
    const below = parts.filter(({ path }) => path === name || path.startsWith(`${name}.`));
    const inside = below.map((part) => ({ ...part, path: part.path.slice(name.length + 1) }));
    properties[name] = bodyOf(inside);
    if (inside.some(({ isOptional }) => isOptional !== true)) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
};

/** The schema of a body that has another one at a dotted path; an empty path is the body itself. */
export const wrapped = (path: string, schema: JsonSchema): JsonSchema => bodyOf([{ path, schema }]);

/** The numbers of a page, in the order in which they are written. */
const numbersOf = ({ list }: WholeFamily, hasTotals: boolean): readonly Place[] => {
  const { number, size, totalCount, totalPages }: ListForm = list;
  const totals = hasTotals ? [totalCount, totalPages] : [];
  return [number, size, ...totals].flatMap((place) => place ?? []);
};

/** What a page has, and whether it has totals; undefined for a list without pages. */
export type Pages = { readonly hasTotals: boolean } | undefined;

/** The schema of a list response (§4.5). */
export const listOf = (items: JsonSchema, pages: Pages, family: WholeFamily): JsonSchema => {
  const { items: path = '' }: ListForm = family.list;
  const next = nextPlaceOf(family.list);
  const toNext = cursorParameterOf(family.list) === undefined ? nextUrl : nextCursor;
  const numbers = pages === undefined ? [] : numbersOf(family, pages.hasTotals);
  const inBody = numbers.flatMap((place) =>
    'body' in place ? [{ path: place.body, schema: count, isOptional: place.optional }] : [],
  );
  const links =
    pages !== undefined && next !== undefined
      ? [{ path: next.body, schema: toNext, isOptional: next.optional }]
      : [];
  const more = morePathOf(family.list);
  const mores = more === undefined ? [] : [{ path: more, schema: { type: 'boolean' } }];
  return bodyOf([{ path, schema: { type: 'array', items } }, ...links, ...mores, ...inBody]);
};

/** The header fields of a page (§4.5). */
export const pagingHeaders = (
  hasTotals: boolean,
  family: WholeFamily,
): NonNullable<ResponseObject['headers']> => {
  const { next = 'link' }: ListForm = family.list;
  // The example is that of a last page, because servers that are made from the document send it.
  const link = { schema: { type: 'string', examples: ['</v1/orders?page=1>; rel="first"'] } };
  const numbers = numbersOf(family, hasTotals).flatMap((place) =>
    'header' in place
      ? [[place.header.toLowerCase(), { schema: isContentRange(place) ? range : count }] as const]
      : [],
  );
  return { ...(next === 'link' && { [header.link]: link }), ...Object.fromEntries(numbers) };
};
