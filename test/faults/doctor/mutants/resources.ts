import {
  addNextLink,
  addOneTo,
  changeJson,
  changeLinks,
  changeOrderField,
  changeOrders,
  changeParameter,
  changeSuccess,
  dropFields,
  errorReply,
  hasParameter,
  type Is,
  isFeed,
  isItem,
  isList,
  isListOrItem,
  isWholeList,
  type Json,
  jsonOf,
  linkTo,
  type Mutants,
  pageOf,
  type Rows,
  replaceLink,
  setListField,
  withField,
  withJson,
  withoutFields,
  withParameter,
} from './words.ts';

const changeSelf = (change: (self: string, row: Json) => string) =>
  changeOrders((row) => ({ ...row, self: change(String(row.self), row) }));

export const resources: Mutants = {
  '§2.1 id: one is missing': changeOrders((row, index) => (index === 3 ? withoutFields(row, 'id') : row)),
  '§2.1 id: it is a string': changeOrders((row) => ({ ...row, id: String(row.id) })),
  '§2.1 self: it is missing': changeOrders(dropFields('self')),
  '§2.1 self: it is a number': changeOrders((row) => ({ ...row, self: row.id })),
  '§2.1 self: it is relative': changeSelf((_self, { id }) => `/v1/orders/${String(id)}`),
  '§2.1 self: it leads to another resource': changeSelf((self) => `${self}0`),
  '§2.1 self: it leads to nothing': changeSelf((self) => `${self}/x`),
  '§2.1 self: it is at another origin': changeSelf((self) =>
    self.replace(/^http:\/\/[^/]+/, 'https://example.com'),
  ),
  '§2.1 nested resource: a reference has no self': changeOrderField('company', dropFields('self')),
  '§2.1 nested resource: a reference is always expanded': changeOrderField<Json>('company', (company) => ({
    name: 'Acme',
    city: 'Oslo',
    ...company,
  })),
  '§2.1 nested resource: a nested one has no id': changeOrderField<Rows>('lines', (lines) =>
    lines.map(dropFields('id')),
  ),
  '§2.1 field names: one is snake_case': changeJson<Rows>(isWholeList, (rows) =>
    rows.map((row) => ({ ...row, internal_code: 1 })),
  ),
  '§2.1 timestamps: they have an offset': changeOrderField<string>('createdAt', (value) =>
    value.replace('Z', '+02:00'),
  ),
  '§2.1 timestamps: they have no zone': changeOrderField<string>('createdAt', (value) =>
    value.replace('Z', ''),
  ),
  '§2.1 specific fields: a timestamp has an offset in place of Z': changeOrderField<string>(
    'createdAt',
    (value) => value.replace('Z', '+00:00'),
  ),
  '§2.1 specific fields: a field is missing': changeOrders(dropFields('createdAt')),
  '§2.1 specific fields: a field is null': changeOrderField('note', () => null),
  '§2.1 specific fields: a value is not declared': changeOrderField('status', (value) =>
    value === 'open' ? 'lost' : value,
  ),
  '§2.1 specific fields: a nested field has another type': changeOrderField<Rows>('lines', (lines) =>
    lines.map((line) => ({ ...line, quantity: '1' })),
  ),
};

const asksUnknown: Is = (seen) => isList(seen) && seen.url.search.includes('None');
const firstName = (names: string) => names.split(',')[0];

/**
 * Changes `fields` of requests. The links keep what was asked for: another query in them is another fault.
 */
const changeFields =
  (edit?: (value: string) => string | undefined): Mutants[keyof Mutants] =>
  () => {
    const change = changeParameter(isListOrItem, 'fields', edit)();
    return async (seen, next) => {
      const usual = await change(seen, next);
      const asked = seen.url.searchParams.get('fields');
      const links = usual.headers.get('link');
      if (asked === null || links === null) return usual;
      const keepFields = (_link: string, target: string): string => {
        const url = new URL(target);
        url.searchParams.set('fields', asked);
        return `<${url.href}>`;
      };
      return withField(usual, 'link', links.replaceAll(/<([^>]*)>/g, keepFields));
    };
  };

export const queries: Mutants = {
  '§4.4 sort: it is ignored': changeParameter((seen) => isList(seen) && !asksUnknown(seen), 'sort'),
  '§4.4 sort: `-` is ignored': changeParameter(isList, 'sort', (value) => value.replaceAll('-', '')),
  '§4.4 sort: the second field is ignored': changeParameter(isList, 'sort', firstName),
  '§4.4 sort: an unknown field is ignored': changeParameter(asksUnknown, 'sort'),
  '§4.4 sort: it orders within a page only': () => async (seen, next) => {
    const sort = seen.url.searchParams.get('sort') ?? '';
    if (!isList(seen) || !/^-?id$/.test(sort)) return next(seen);
    const usual = await next(withParameter(seen, 'sort', undefined));
    const rows = jsonOf<Rows>(usual);
    return withJson(usual, sort === 'id' ? rows : rows.toReversed());
  },
  '§4.4 sort: it is refused': () => (seen, next) =>
    isList(seen) && seen.url.searchParams.has('sort') ? errorReply(400) : next(seen),
  '§4.4 fields: it is ignored': changeFields(),
  '§4.4 fields: it is refused': () => (seen, next) =>
    isList(seen) && seen.url.searchParams.has('fields') ? errorReply(400) : next(seen),
  '§4.4 fields: `id` is left out': changeJson<Rows>(hasParameter(isList, 'fields'), (rows) =>
    rows.map(dropFields('id')),
  ),
  '§4.4 fields: `self` is left out': changeJson<Rows>(hasParameter(isList, 'fields'), (rows) =>
    rows.map(dropFields('self')),
  ),
  '§4.4 fields: a nested object is whole': changeFields((value) => value.split('.')[0]),
  '§4.4 fields: it is ignored for one resource': changeParameter(isItem, 'fields'),
  '§4.4 expand: it is ignored': changeParameter(
    (seen) => isList(seen) && !seen.url.search.includes('%2C'),
    'expand',
  ),
  '§4.4 expand: it is ignored for one resource': changeParameter(isItem, 'expand'),
  '§4.4 expand: it is refused': () => (seen, next) =>
    isList(seen) && seen.url.searchParams.has('expand') ? errorReply(400) : next(seen),
  '§4.4 expand of several: it is refused': () => (seen, next) =>
    isList(seen) && seen.url.searchParams.get('expand')?.includes(',') ? errorReply(400) : next(seen),
  '§4.4 expand of several: the second is ignored': changeParameter(isList, 'expand', firstName),
};

const totalPages = 'x-pagination-total-pages';
const totalCount = 'x-pagination-total-count';

export const paging: Mutants = {
  '§4.4 page: it is ignored': changeParameter((seen) => isList(seen) && /^\d+$/.test(pageOf(seen)), 'page'),
  '§4.4 perPage: it is ignored': changeParameter(isList, 'perPage', (size) =>
    Number(size) < 100 ? undefined : size,
  ),
  '§4.4 perPage: it is ignored, and the list has one page': changeParameter(isList, 'perPage', (size) =>
    Number(size) < 100 ? '100' : size,
  ),
  '§4.4 perPage: it is ignored, without links and totals': () => async (seen, next) => {
    const isSmall = isList(seen) && Number(seen.url.searchParams.get('perPage')) < 100;
    const usual = await next(isSmall ? withParameter(seen, 'perPage', undefined) : seen);
    if (!isList(seen)) return usual;
    const names = [...usual.headers.keys()].filter((name) => /^(?:link|x-pagination-)/.test(name));
    return names.reduce((reply, name) => withField(reply, name), usual);
  },
  '§4.4 perPage: one above the maximum is cut': changeParameter(isList, 'perPage', (size) =>
    size === '201' ? '200' : size,
  ),
  '§4.5 Link: it is missing': setListField('link'),
  '§4.5 Link: page 1 has first': replaceLink('first', () => 1, '1'),
  '§4.5 Link: page 1 has prev': replaceLink('prev', () => 1, '1'),
  '§4.5 Link: next is missing': replaceLink('next'),
  '§4.5 Link: next is missing on page 2': replaceLink('next', undefined, '2'),
  '§4.5 Link: last is missing': replaceLink('last'),
  '§4.5 Link: prev is missing': replaceLink('prev'),
  '§4.5 Link: first is missing': replaceLink('first'),
  '§4.5 Link: last leads to page 2': replaceLink('last', () => 2),
  '§4.5 Link: next leads to the same page': replaceLink('next', (seen) => Number(pageOf(seen))),
  '§4.5 Link: the last page has next': addNextLink(isList),
  '§4.5 Link: it leads to another origin': changeLinks((parts) =>
    parts.map((part) => part.replace(/http:\/\/[^/]+/, 'https://example.com')),
  ),
  '§4.5 X-Pagination-Total-Pages: it is one too many': addOneTo(totalPages),
  '§4.5 X-Pagination-Total-Pages: it is missing': setListField(totalPages),
  '§4.5 X-Pagination-Total-Count: it is one too many': addOneTo(totalCount),
  '§4.5 X-Pagination-Total-Count: it is missing': setListField(totalCount),
  '§4.5 X-Pagination-Total-Count: it is the number of records of the page': setListField(
    totalCount,
    (_seen, usual) => String(jsonOf<Rows>(usual).length),
  ),
  '§4.5 X-Pagination-Current-Page: it is always 1': setListField('x-pagination-current-page', () => '1'),
  '§4.5 X-Pagination-Current-Page: it counts from 0': setListField('x-pagination-current-page', (seen) =>
    String(Number(pageOf(seen)) - 1),
  ),
  '§4.5 X-Pagination-Page-Size: it is that of the server': setListField('x-pagination-page-size', () => '25'),
  '§4.5 X-Pagination-Page-Size: it is missing': setListField('x-pagination-page-size'),
  '§4.5.1: totals that are not known are -1': changeSuccess(isFeed, (usual) =>
    withField(withField(usual, totalPages, '-1'), totalCount, '-1'),
  ),
  '§4.5.2: a list without totals has last': changeSuccess(isFeed, (usual, seen) =>
    withField(usual, 'link', [usual.headers.get('link'), linkTo(seen, 5, 'last')].filter(Boolean).join(', ')),
  ),
  '§4.5.2: a list without totals has no next': changeSuccess(isFeed, (usual) => withField(usual, 'link')),
  '§4.5.2: its last page has next': addNextLink(isFeed),
  '§4.5.3: a list has more than its default page size': changeSuccess(
    (seen) => isList(seen) && !seen.url.searchParams.has('perPage'),
    (usual) => withField(usual, 'x-pagination-page-size', '10'),
  ),
};
