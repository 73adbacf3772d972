// A request as a family writes it, to one of the conventions.
import { descendingPrefix, listSeparator, queryParameters } from '../../src/conventions.ts';
import type { SortForm, WholeFamily } from '../../src/families/family.ts';
import { placeParameterOf } from '../../src/families/list-form.ts';
import { valueAt } from '../../src/families/path.ts';
import { type CollectionOptions, maxPerPageOf } from '../../src/schema/collection.ts';
import { readIds } from '../../src/schema/ids.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { fieldOf } from '../../src/schema/zod.ts';
import type { Content } from '../content.ts';
import { readPath } from './ids.ts';
import { pageParameterOf, readPageNumber } from './page-parameter.ts';

const signed = (path: string, direction: string | undefined): string =>
  /^desc$/i.test(direction ?? '') ? `${descendingPrefix}${path}` : path;

/** The fields to sort by, as the conventions write them. */
const readSort = (values: readonly string[], form: SortForm, search: URLSearchParams): readonly string[] => {
  // With a comma in each value, none joins several.
  const isRepeated = typeof form === 'string' && form.startsWith('field,');
  const paths = isRepeated ? values : values.flatMap((value) => value.split(listSeparator));
  if (form === '-field') return paths;
  if (typeof form === 'object') {
    const directions = search.getAll(form.direction).flatMap((value) => value.split(listSeparator));
    return paths.map((path, index) => signed(path, directions[index]));
  }
  return paths.map((value) => {
    const [path = '', direction] = value.split(/[,: ]/);
    return signed(path, direction);
  });
};

/** The largest size that a server gives, where it lowers a larger one; undefined where it refuses it. */
const toSize = (given: string, most: number | undefined, { clampsSize }: WholeFamily): string => {
  const isAbove = most !== undefined && Number(given) > most;
  return clampsSize && isAbove ? String(most) : given;
};

/** True for one of an endpoint's own parameters. */
export const isOwnParameter = ({ params }: Pick<CollectionOptions, 'params'>, name: string): boolean =>
  params !== undefined && fieldOf(params, name) !== undefined;

/**
 * The URL that a client of the conventions would have asked for. A parameter that only the conventions know
 * is left out: a server of the family ignores it. The endpoint's own parameters stay as they are, also one
 * that has the name of a part of a query that the endpoint does not declare.
 */
export const toConventionsUrl = (
  url: URL,
  family: WholeFamily,
  options: Pick<CollectionOptions, 'paging' | 'params'>,
  resource: Schema,
): URL => {
  const { paging } = options;
  const { query, sortAs, list, listParameters, pageRequired } = family;
  const most = maxPerPageOf(options);
  const search = url.searchParams;
  const names: ReadonlyMap<string, string> = new Map(
    Object.entries(query).map(([part, name]) => [name, part]),
  );
  const ignored = [
    ...Object.keys(listParameters),
    ...(typeof sortAs === 'object' ? [sortAs.direction] : []),
    placeParameterOf(list),
  ];
  // Each list asks for a page, also one without pages, which is given whole.
  const isUnpaged = pageRequired && paging === undefined;
  const named = (paths: readonly string[]): string =>
    paths.map((path) => readPath(path, resource, family)).join(listSeparator);
  const written = new URLSearchParams();
  for (const name of new Set(search.keys())) {
    const values = search.getAll(name);
    const [first = ''] = values;
    const part = names.get(name);
    if (isOwnParameter(options, name)) for (const value of values) written.append(name, value);
    else if (name === pageParameterOf(family)) {
      if (!isUnpaged) written.set('page', readPageNumber(first, family));
    } else if (part === 'perPage') written.set('perPage', toSize(first, most, family));
    else if (part === 'sort') written.set('sort', named(readSort(values, sortAs, search)));
    else if (part !== undefined)
      written.set(part, named(values.flatMap((value) => value.split(listSeparator))));
    else if (!ignored.includes(name) && !queryParameters.some((own) => own === name))
      for (const value of values) written.append(name, value);
  }
  const translated = new URL(url);
  translated.search = written.toString();
  translated.pathname = translated.pathname.replace(/\/$/, '');
  return translated;
};

/** The content of a write, taken from the place at which the family has it, with `id` in its resources. */
export const toConventionsContent = (content: Content, family: WholeFamily, resource: Schema): Content => {
  if (content.json === undefined) return content;
  const json = readIds(valueAt(content.json, family.body), resource, family.idField);
  return { ...content, json };
};
