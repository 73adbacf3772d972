import { paginationHeader } from '../conventions.ts';

/**
 * Where a number of a page stands: in a header field, or in the body at a dotted path. A first page without
 * it is a {@link PagingError}, unless it is `optional`.
 */
export type Place =
  | { readonly header: string; readonly optional?: boolean }
  | { readonly body: string; readonly optional?: boolean };

/** The wire names of the parts of a query (§4.4). A part without a name cannot be declared. */
export interface QueryNames {
  readonly page?: string;
  readonly perPage?: string;
  readonly sort?: string;
  readonly fields?: string;
  readonly expand?: string;
}

/**
 * How a field to sort by is written: after a sign, or with its direction behind it. With `direction`, a
 * second parameter has the direction; unless it takes `many`, one field can be sorted by.
 */
export type SortForm =
  | '-field'
  | `field${',' | ':' | ' '}${'desc' | 'DESC'}`
  | { readonly direction: string; readonly many?: boolean };

/** Where the body has the URL of the next page. A page that lacks it is a {@link PagingError}. */
export interface NextUrl {
  readonly body: string;
  /** True when the last page may lack it. */
  readonly optional?: boolean;
}

/**
 * Where the body has a cursor, which is sent as a parameter to get the next page. A null, an empty string, 0
 * and false are those of the last page; a page that lacks it is a {@link PagingError}.
 */
export interface NextCursor extends NextUrl {
  /** The query parameter that takes the cursor. */
  readonly parameter: string;
  /** Where the body says whether more records follow: true or false. It counts also on a page with a cursor. */
  readonly more?: string;
}

/** Where the body says whether more records follow, true or false; the next page has the next number. */
export interface NextWhileMore {
  readonly more: string;
}

/**
 * The parameter that counts the records before a page. The next page begins behind those that were read, up
 * to `totalCount`; without one, a list ends with an empty page.
 */
export interface NextOffset {
  readonly offset: string;
}

/**
 * The parameter that takes the id of the last record of a page, as `starting_after` of Stripe. Without
 * `more`, a list ends with an empty page.
 */
export interface NextAfterLast {
  readonly lastId: string;
  /** Where the body says whether more records follow: true or false. */
  readonly more?: string;
}

/** The parts of a list response. What it does not name, the server does not send. */
export interface ListForm {
  /** Path of the records in the body; the body itself by default. */
  readonly items?: string;
  /**
   * What leads to the next page: the `Link` header, a URL or a cursor in the body, the number of the page,
   * which needs a total, `more`, or `untilEmpty` where a list ends with an empty page, the number of records
   * before it, or the id of the last of them. `link` by default where a total is named; a response without
   * `Link` is then continued by its numbers.
   */
  readonly next?:
    | 'link'
    | 'number'
    | 'untilEmpty'
    | NextUrl
    | NextCursor
    | NextWhileMore
    | NextOffset
    | NextAfterLast;
  /**
   * True when `from` takes a link to another path of the same origin than that of the collection, as links of
   * GitHub lead to one. While a list is read, such a link is followed whatever this says.
   */
  readonly anyPath?: boolean;
  /** Number of records of the whole list. In `Content-Range` it is behind the slash (RFC 9110 §14.4). */
  readonly totalCount?: Place;
  /** Number of pages of the whole list. */
  readonly totalPages?: Place;
  /** Number of this page, counted from `firstPage`. */
  readonly number?: Place;
  /** Records on a full page. */
  readonly size?: Place;
}

/** How the server reports invalid fields; its items become the `errors` of a {@link ValidationError}. */
export interface InvalidForm {
  /** Statuses of a validation failure. The mock sends the first. */
  readonly statuses: readonly [400 | 422, ...(400 | 422)[]];
  /** Path of the items in the body; the body itself by default. */
  readonly items?: string;
  /**
   * The form of the items. `list`: objects. `map`: messages by field, nested where the resource is; objects
   * with a message, where `code` or `message` is given. `sentences`: strings that begin with the field, as
   * those of NestJS do. `list` by default.
   */
  readonly form?: 'list' | 'map' | 'sentences';
  /**
   * In a list, the path of the field in an item; `field` by default. A list of names there is joined with
   * dots, as are those of a JSON Pointer.
   */
  readonly field?: string;
  /** In a list, the name that each field begins with, and that is left out: `body` of FastAPI. */
  readonly prefix?: string;
  /** The path of the code in an item; `code` by default. */
  readonly code?: string;
  /** The path of the message in an item; `message` by default. */
  readonly message?: string;
  /** In a map, the name under which messages about the whole body stand. */
  readonly whole?: string;
}

/**
 * How the servers of one kind name the ideas of the conventions, as data; `family` makes the functions that
 * declare an API of it. A part that is left out is that of the conventions. The words in TypeScript are the
 * same in every family: `page`, `perPage`, `sort`, `fields`, `expand`, `totalCount`, and pages that count
 * from 1. Only what is sent and received differs.
 *
 * @example
 * ```ts
 * const inHouse = family({
 *   path: 'api',
 *   query: { page: 'page', perPage: 'limit', sort: 'order_by' },
 *   list: { items: 'results', next: 'number', totalCount: { body: 'total' } },
 *   identity: ['id'],
 * });
 * ```
 */
export interface Family {
  /** Names the family in messages. */
  readonly name?: string;
  /**
   * Path before that of a collection, with `{version}` for the major version; `v{version}` by default, `''`
   * for none.
   */
  readonly path?: string;
  /** True when paths end with a slash. */
  readonly trailingSlash?: boolean;
  readonly query?: QueryNames;
  /** `-field` by default. */
  readonly sortAs?: SortForm;
  /** The parts of a query whose names are repeated parameters in place of one value with commas. */
  readonly repeated?: readonly ('sort' | 'fields' | 'expand')[];
  /**
   * True when a size above the largest one is lowered to it, so that a page with fewer records than the query
   * asks for may be a full one. Otherwise it is refused with 400; the mock does either.
   */
  readonly clampsSize?: boolean;
  /** The number of the first page on the wire; 1 by default. In TypeScript, pages count from 1. */
  readonly firstPage?: 0 | 1;
  /** True when the server pages only if it is asked for a page, so that each list asks for one. */
  readonly pageRequired?: boolean;
  /**
   * Parameters that each list sends, for example to have totals. Their values are masked in errors, events
   * and traces as those of `params` are, but `toOpenApi` publishes them: a key belongs in the headers
   * of `customAuth`. A link that has lost one gets it back.
   */
  readonly listParameters?: Readonly<Record<string, string>>;
  readonly list?: ListForm;
  /**
   * Path of the resource in the response to a call for one; the body itself by default. Of two paths, one is
   * that in the response to a GET, and the other to a write.
   */
  readonly item?: string | { readonly read: string; readonly written: string };
  /** Path at which the body of a write holds the resource; the body itself by default. */
  readonly body?: string;
  /** The fields that `resource` adds; `id` and `self` by default. */
  readonly identity?: readonly ['id', 'self'] | readonly ['id'];
  /**
   * The name that the server has for the `id` of each resource, such as `_id`; `id` by default. In TypeScript
   * it is `id` in every family: in results and bodies, in `sort`, `fields` and `fieldErrors`. Only what
   * `resource` declares has it; ids in other objects are declared as they are sent.
   */
  readonly idField?: string;
  /**
   * True when a response has the identity whatever `fields` says (§4.4), as by default. Otherwise the client
   * names it too.
   */
  readonly impliesIdentity?: boolean;
  /** What stands for an `expandable` that is not expanded: `{ id, self }`, its id, or nothing. */
  readonly unexpanded?: 'reference' | 'id' | 'absent';
  /** What PUT and PATCH respond with; `nothing` by default. */
  readonly written?: 'nothing' | 'resource';
  /** Statuses of a POST that created a resource; 201 by default. */
  readonly created?: readonly [200 | 201, ...(200 | 201)[]];
  readonly invalid?: InvalidForm;
}

/** A family with all of its parts. */
export type WholeFamily = Required<Family>;

/** The conventions as a family. */
export const conventions = {
  name: 'conventions',
  path: 'v{version}',
  trailingSlash: false,
  query: { page: 'page', perPage: 'perPage', sort: 'sort', fields: 'fields', expand: 'expand' },
  sortAs: '-field',
  repeated: [],
  clampsSize: false,
  firstPage: 1,
  pageRequired: false,
  listParameters: {},
  list: {
    next: 'link',
    totalCount: { header: paginationHeader.totalCount, optional: true },
    totalPages: { header: paginationHeader.totalPages, optional: true },
    number: { header: paginationHeader.currentPage, optional: true },
    size: { header: paginationHeader.pageSize, optional: true },
  },
  item: '',
  body: '',
  identity: ['id', 'self'],
  idField: 'id',
  impliesIdentity: true,
  unexpanded: 'reference',
  written: 'nothing',
  created: [201],
  invalid: { statuses: [400], items: 'errors' },
} as const satisfies WholeFamily;

/** How a field is written with its direction behind it, as `pages:desc` or `pages DESC`. */
export const readDirectionForm = (form: string) => {
  const isUpper = form.endsWith('DESC');
  const directions = isUpper ? (['ASC', 'DESC'] as const) : (['asc', 'desc'] as const);
  return { separator: form.slice('field'.length, -'desc'.length), directions };
};

/** The path of an API before that of its collections, `/v1`; empty for none. */
export const basePathOf = ({ path }: WholeFamily, version: number): string =>
  path === '' ? '' : `/${path.replaceAll('{version}', String(version))}`;

/** Path of the resource in the response to a request of a method. */
export const itemPathOf = ({ item }: WholeFamily, method: string): string => {
  if (typeof item === 'string') return item;
  return method === 'GET' ? item.read : item.written;
};
