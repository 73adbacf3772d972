/** Query parameters of the conventions (§4.4), in the order a query is written. */
export const queryParameters = ['sort', 'fields', 'expand', 'page', 'perPage'] as const;
export type QueryParameter = (typeof queryParameters)[number];

/** Between the names of `sort`, `fields` and `expand` (§4.4). */
export const listSeparator = ',';

/** Before a sort field: descending (§4.4). */
export const descendingPrefix = '-';

/** Between the names of a nested field path (§2.1). */
export const pathSeparator = '.';
