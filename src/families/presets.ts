/**
 * Families of servers that are often met. Each is data for `family` of `restkin`, as it is or with
 * differences: `family({ ...laravel, path: 'api' })`.
 *
 * @module restkin/families
 */
import type { Family } from './family.ts';

export { conventions, type Family } from './family.ts';

/**
 * Yii2 with the names of its `yii\rest\Serializer`; with its `collectionEnvelope`, name it in `list.items`.
 * It sorts by the first of several fields unless its `Sort` has `enableMultiSort`. Compared with the source
 * of its `Serializer` and `Pagination`.
 */
export const yii2 = {
  name: 'yii2',
  path: '',
  query: { page: 'page', perPage: 'per-page', sort: 'sort', fields: 'fields', expand: 'expand' },
  clampsSize: true,
  list: {
    next: 'link',
    totalCount: { header: 'X-Pagination-Total-Count' },
    totalPages: { header: 'X-Pagination-Page-Count' },
    number: { header: 'X-Pagination-Current-Page' },
    size: { header: 'X-Pagination-Per-Page' },
  },
  identity: ['id'],
  impliesIdentity: false,
  unexpanded: 'absent',
  written: 'resource',
  invalid: { statuses: [422] },
} as const satisfies Family;

/**
 * The REST API of GitHub. Its lists have no totals, and the links of some lead to another path. Run against
 * the responses that `@octokit/fixtures` recorded.
 */
export const github = {
  name: 'github',
  path: '',
  query: { page: 'page', perPage: 'per_page', sort: 'sort' },
  sortAs: { direction: 'direction' },
  clampsSize: true,
  list: { next: 'link', anyPath: true },
  identity: ['id'],
  written: 'resource',
  invalid: { statuses: [422], items: 'errors' },
} as const satisfies Family;

/**
 * The REST API of GitLab, which leaves the totals of more than 10,000 records out, and all numbers of lists
 * that page by `listParameters: { pagination: 'keyset' }`. It updates with PUT: `replace`, with `bodies` of
 * optional fields. Compared with the source of its `OffsetHeaderBuilder` and its keyset pagination.
 */
export const gitlab = {
  name: 'gitlab',
  path: 'api/v{version}',
  query: { page: 'page', perPage: 'per_page', sort: 'order_by' },
  clampsSize: true,
  sortAs: { direction: 'sort' },
  list: {
    next: 'link',
    totalCount: { header: 'X-Total', optional: true },
    totalPages: { header: 'X-Total-Pages', optional: true },
    number: { header: 'X-Page', optional: true },
    size: { header: 'X-Per-Page', optional: true },
  },
  identity: ['id'],
  written: 'resource',
  invalid: { statuses: [400, 422], items: 'message', form: 'map', whole: 'base' },
} as const satisfies Family;

/**
 * The REST API of Gitea and Forgejo. Many of its lists, such as those of labels and notifications, have a
 * total and no `Link`, and the size of a page is lowered to 50 without a sign: lists are read by number up to
 * the total. An invalid field is named in the message alone. Compared with the source of its `APIContext` and
 * its handlers.
 */
export const gitea = {
  name: 'gitea',
  path: 'api/v{version}',
  query: { page: 'page', perPage: 'limit', sort: 'sort' },
  sortAs: { direction: 'order' },
  clampsSize: true,
  list: { next: 'number', totalCount: { header: 'X-Total-Count' } },
  identity: ['id'],
  written: 'resource',
  invalid: { statuses: [422], items: 'errors' },
} as const satisfies Family;

/** The REST API of WordPress. Run against 6.1. */
export const wordpress = {
  name: 'wordpress',
  path: 'wp-json/wp/v{version}',
  query: { page: 'page', perPage: 'per_page', sort: 'orderby', fields: '_fields' },
  sortAs: { direction: 'order' },
  list: {
    next: 'link',
    totalCount: { header: 'X-WP-Total' },
    totalPages: { header: 'X-WP-TotalPages' },
  },
  identity: ['id'],
  impliesIdentity: false,
  written: 'resource',
  invalid: { statuses: [400], items: 'data.params', form: 'map' },
} as const satisfies Family;

/** json-server 0.17, which pages only if it is asked for a page. Run against 0.17.4. */
export const jsonServer = {
  name: 'json-server',
  path: '',
  query: { page: '_page', perPage: '_limit', sort: '_sort', expand: '_expand' },
  sortAs: { direction: '_order', many: true },
  repeated: ['expand'],
  pageRequired: true,
  list: { next: 'link', totalCount: { header: 'X-Total-Count' } },
  identity: ['id'],
  unexpanded: 'absent',
  written: 'resource',
} as const satisfies Family;

/**
 * Django REST framework with `PageNumberPagination`, whose `page_size_query_param` is `page_size`, and
 * `OrderingFilter`. Run against 3.14.
 */
export const drf = {
  name: 'drf',
  path: '',
  trailingSlash: true,
  query: { page: 'page', perPage: 'page_size', sort: 'ordering' },
  clampsSize: true,
  list: { items: 'results', next: { body: 'next' }, totalCount: { body: 'count' } },
  identity: ['id'],
  written: 'resource',
  invalid: { statuses: [400], items: '', form: 'map', whole: 'non_field_errors' },
} as const satisfies Family;

/**
 * Laravel with API resources and a `LengthAwarePaginator`, and with the names of
 * `spatie/laravel-query-builder`. Its links lack the query of the request unless the application appends it,
 * so that lists are continued by number. Run against 8.83.
 */
export const laravel = {
  name: 'laravel',
  path: 'api',
  query: { page: 'page', perPage: 'per_page', sort: 'sort', expand: 'include' },
  list: {
    items: 'data',
    next: 'number',
    totalCount: { body: 'meta.total' },
    totalPages: { body: 'meta.last_page' },
    number: { body: 'meta.current_page' },
    size: { body: 'meta.per_page' },
  },
  item: 'data',
  identity: ['id'],
  unexpanded: 'absent',
  written: 'resource',
  invalid: { statuses: [422], items: 'errors', form: 'map' },
} as const satisfies Family;

/**
 * Spring Data with a `Page` as the body, in the serialization mode `DIRECT`, which is the default. With
 * `VIA_DTO` the numbers stand in `page`: `{ body: 'page.totalElements' }`. Spring Data REST has its records
 * below `_embedded` under a name of their own: a family for each. Invalid fields need
 * `server.error.include-binding-errors`. A size above 2,000 is lowered. Written from its documentation.
 */
export const spring = {
  name: 'spring',
  path: '',
  query: { page: 'page', perPage: 'size', sort: 'sort' },
  clampsSize: true,
  sortAs: 'field,desc',
  repeated: ['sort'],
  firstPage: 0,
  list: {
    items: 'content',
    next: 'number',
    totalCount: { body: 'totalElements' },
    totalPages: { body: 'totalPages' },
    number: { body: 'number' },
    size: { body: 'size' },
  },
  identity: ['id'],
  written: 'resource',
  invalid: { statuses: [400], items: 'errors', message: 'defaultMessage' },
} as const satisfies Family;

/**
 * NestJS with nestjs-paginate, and the messages of its `ValidationPipe`. Run against nestjs-paginate 15 and
 * NestJS 11.
 */
export const nestjsPaginate = {
  name: 'nestjs-paginate',
  path: '',
  query: { page: 'page', perPage: 'limit', sort: 'sortBy', fields: 'select' },
  clampsSize: true,
  sortAs: 'field:DESC',
  repeated: ['sort'],
  list: {
    items: 'data',
    next: 'number',
    totalCount: { body: 'meta.totalItems' },
    totalPages: { body: 'meta.totalPages' },
    number: { body: 'meta.currentPage' },
    size: { body: 'meta.itemsPerPage' },
  },
  identity: ['id'],
  impliesIdentity: false,
  written: 'resource',
  invalid: { statuses: [400], items: 'message', form: 'sentences' },
} as const satisfies Family;

/**
 * Directus. It responds with 403 where a record is missing, has no PUT, and responds to a write with 204
 * where the user may not read. Run against 12.4.
 */
export const directus = {
  name: 'directus',
  path: 'items',
  query: { page: 'page', perPage: 'limit', sort: 'sort', fields: 'fields' },
  listParameters: { meta: 'filter_count' },
  list: { items: 'data', next: 'number', totalCount: { body: 'meta.filter_count' } },
  item: 'data',
  identity: ['id'],
  impliesIdentity: false,
  unexpanded: 'id',
  written: 'resource',
  created: [200, 201],
  invalid: { statuses: [400], items: 'errors', field: 'extensions.field', code: 'extensions.code' },
} as const satisfies Family;
