// Whether and how a list of a document has pages (§4.5).
import { header } from '../../../conventions.ts';
import type { ListForm, Place, WholeFamily } from '../../../families/family.ts';
import {
  morePathOf,
  nextAfterLastOf,
  nextPlaceOf,
  offsetParameterOf,
  placeParameterOf,
} from '../../../families/list-form.ts';
import { isCount } from '../../../options.ts';
import { mayHavePages } from '../families/paged-lists.ts';
import { findUnnumbered } from '../families/unnumbered-lists.ts';
import { type Json, schemaAt } from '../json.ts';
import type { Model } from '../model.ts';
import { literal } from '../print/code.ts';
import { jsonResponsesOf } from './contents.ts';
import type { Operation } from './operations.ts';

/**
 * The parameter that shows that a list has pages: their number, a cursor, an offset or an id, or the size
 * where links alone continue a list.
 */
export const pageParameterOf = ({ query, list }: WholeFamily): string | undefined =>
  query.page ?? placeParameterOf(list) ?? query.perPage;

/** Whether a document has a place of a list. */
const isFound = (place: Place, operation: Operation, document: Json): boolean => {
  if ('header' in place)
    return operation.responses.some(({ headers }) => headers.includes(place.header.toLowerCase()));
  const bodies = jsonResponsesOf(operation);
  return bodies.some(({ schema }) => schemaAt(document, schema, place.body) !== undefined);
};

/** What a document says of how one of its lists continues. */
export const readWay = (operation: Operation, { document, family }: Model) => {
  const { totalCount, totalPages }: ListForm = family.list;
  const more = morePathOf(family.list);
  const next = nextPlaceOf(family.list) ?? (more === undefined ? undefined : { body: more });
  const { lastId } = nextAfterLastOf(family.list) ?? {};
  const offset = offsetParameterOf(family.list) ?? lastId;
  const totals = [totalCount, totalPages].flatMap((place) => place ?? []);
  const hasLink = operation.responses.some(({ headers }) => headers.includes(header.link));
  const takesOffset = offset !== undefined && operation.queryParameters.has(offset);
  return {
    leadsOn: takesOffset || (next === undefined ? hasLink : isFound(next, operation, document)),
    hasTotals: totals.some((place) => isFound(place, operation, document)),
    takesTotals: totals.length > 0,
  };
};

/** Whether and how a list has pages (§4.5). */
export const readPaging = (size: Json, operation: Operation, model: Model) => {
  const { leadsOn, hasTotals, takesTotals } = readWay(operation, model);
  const limits = {
    ...(isCount(size.maximum) && { maxPerPage: size.maximum }),
    ...(isCount(size.default) && { defaultPerPage: size.default }),
    ...(leadsOn && takesTotals && !hasTotals && { totals: false }),
  };
  return Object.keys(limits).length > 0 ? limits : true;
};

/** Reports a list without `paging` that the server may send in pages: what is read of it is the first. */
const notesOfFirstPage = (operation: Operation, { document }: Model): readonly string[] => {
  const read = 'as imported, only its first page is read';
  const next = findUnnumbered(document, operation, true);
  if (next !== undefined)
    return [
      `its pages: ${read}; declare it in a family with list: { next: ${literal(next)} } and without query.page`,
    ];
  return mayHavePages(document, operation)
    ? [`how it continues: ${read}, unless the server sends \`Link\``]
    : [];
};

/** Reports a list that may end after its first page, although the server has more. */
export const notesOfPages = (isPaged: boolean, operation: Operation, model: Model): readonly string[] => {
  const { leadsOn, hasTotals } = readWay(operation, model);
  if (leadsOn) return [];
  if (!isPaged) return notesOfFirstPage(operation, model);
  // Where the document says it of no list, the family is reported.
  if (hasTotals || model.saysNext !== true) return [];
  return [
    'how it continues, which the document says of other lists: compare it with the server, as it may end after its first page',
  ];
};
