import type { Family } from '../../families/family.ts';
import { valueAt } from '../../families/path.ts';
import { jsonServer } from '../../families/presets.ts';
import { isCount } from './numbers.ts';
import type { SeenResponse } from './observe.ts';

/** What json-server 1 has otherwise than 0.17, of which the preset is. */
export const jsonServer1: Family = {
  query: { ...jsonServer.query, perPage: '_per_page', expand: '_embed' },
  sortAs: '-field',
  list: { items: 'data', next: 'number', totalCount: { body: 'items' }, totalPages: { body: 'pages' } },
};

/**
 * True for a page of json-server 1. Its whole list, which it sends unless it is asked for a page, is an
 * array.
 */
export const isJsonServer1 = ({ url, body }: SeenResponse): boolean =>
  url.searchParams.has('_page') &&
  ['first', 'last', 'pages', 'items'].every((name) => isCount(valueAt(body, name)));
