import type { Family } from 'restkin/families';
import fc from './random.ts';

// Families made up at random: each part is there or left out.

const inHeader = fc.constantFrom('X-A', 'X-B', 'X-C', 'X-D').map((header) => ({ header }));
const inBody = fc.constantFrom('a', 'page.b', 'page.c', 'meta.d').map((body) => ({ body }));

/** Four places that differ, or fewer. */
const placesIn = (place: fc.Arbitrary<{ readonly header: string } | { readonly body: string }>) =>
  fc
    .uniqueArray(place, { maxLength: 4, selector: (one) => JSON.stringify(one) })
    .chain((places) =>
      fc.tuple(
        ...places.map((one) => fc.boolean().map((optional) => (optional ? { ...one, optional } : one))),
      ),
    )
    .map(([totalCount, totalPages, number, size]) =>
      Object.fromEntries(
        Object.entries({ totalCount, totalPages, number, size }).filter(([, one]) => one !== undefined),
      ),
    );

const list: fc.Arbitrary<NonNullable<Family['list']>> = fc.oneof(
  fc
    .tuple(fc.constantFrom('link' as const, 'number' as const), placesIn(inHeader), fc.boolean())
    .map(([next, places, anyPath]) => ({ next, ...places, ...(anyPath && { anyPath }) })),
  fc
    .tuple(
      fc.constantFrom('data', 'page.rows'),
      fc.constantFrom<NonNullable<NonNullable<Family['list']>['next']>>(
        'link',
        'number',
        'untilEmpty',
        { body: 'next' },
        { body: 'links.next' },
        { body: 'next', parameter: 'cursor' },
        { body: 'next', parameter: 'cursor', more: 'page.more' },
        { more: 'page.more' },
        { offset: 'skip' },
        { lastId: 'after' },
        { lastId: 'after', more: 'page.more' },
      ),
      placesIn(fc.oneof(inHeader, inBody)),
    )
    .map(([items, next, places]) => ({ items, next, ...places })),
);

const invalid: fc.Arbitrary<NonNullable<Family['invalid']>> = fc.oneof(
  fc.record(
    {
      statuses: fc.constantFrom([400] as const, [422] as const, [422, 400] as const),
      items: fc.constantFrom('errors', 'error.details'),
      field: fc.constantFrom('field', 'path', 'source.pointer'),
      prefix: fc.constantFrom('body', 'data.attributes'),
      message: fc.constantFrom('message', 'text'),
    },
    { requiredKeys: ['statuses', 'items', 'field', 'message'] },
  ),
  fc.record(
    {
      statuses: fc.constantFrom([400] as const, [422] as const),
      items: fc.constantFrom('', 'errors'),
      form: fc.constant('map' as const),
      whole: fc.constantFrom('base', 'non_field_errors'),
      code: fc.constantFrom('code', 'kind'),
      message: fc.constantFrom('message', 'msg'),
    },
    { requiredKeys: ['statuses', 'items', 'form', 'whole'] },
  ),
  fc.constant({ statuses: [400] as const, items: 'message', form: 'sentences' as const }),
);

const anyParts: fc.Arbitrary<Family> = fc.record(
  {
    name: fc.constantFrom('shop', 'in-house'),
    path: fc.constantFrom('', 'api', 'api/v{version}'),
    trailingSlash: fc.boolean(),
    query: fc.record({
      page: fc.constantFrom('page', 'p', 'page[number]'),
      perPage: fc.constantFrom('n', 'per_page', 'page[size]'),
      sort: fc.constantFrom('sort', 'order_by'),
      fields: fc.constantFrom('only', 'select'),
      expand: fc.constantFrom('include', 'with'),
    }),
    sortAs: fc.constantFrom(
      '-field' as const,
      'field:desc' as const,
      'field:DESC' as const,
      'field desc' as const,
      'field DESC' as const,
      { direction: 'direction' },
      { direction: 'direction', many: true },
    ),
    repeated: fc.subarray(['sort', 'fields', 'expand'] as const),
    clampsSize: fc.boolean(),
    firstPage: fc.constantFrom(0 as const, 1 as const),
    pageRequired: fc.boolean(),
    listParameters: fc.constantFrom({}, { meta: 'all' }),
    list,
    item: fc.constantFrom<NonNullable<Family['item']>>('', 'data', { read: '', written: 'doc' }),
    body: fc.constantFrom('', 'data'),
    identity: fc.constantFrom(['id'] as const, ['id', 'self'] as const),
    idField: fc.constantFrom('id', '_id', 'documentId'),
    impliesIdentity: fc.boolean(),
    unexpanded: fc.constantFrom('reference' as const, 'id' as const, 'absent' as const),
    written: fc.constantFrom('nothing' as const, 'resource' as const),
    created: fc.constantFrom([201] as const, [200, 201] as const),
    invalid,
    // A part that is missing here would be tested nowhere at random.
  } satisfies Record<keyof Family, fc.Arbitrary<unknown>>,
  { requiredKeys: ['query'] },
);

/** Lists with cursors, offsets and ids have no page numbers. */
const withoutUnusedNames = ({ query = {}, pageRequired, ...parts }: Family): Family => {
  const { next } = parts.list ?? {};
  const isNumbered =
    typeof next !== 'object' || !('parameter' in next || 'offset' in next || 'lastId' in next);
  const { page: _page, ...names } = query;
  return isNumbered
    ? { ...parts, query, ...(pageRequired !== undefined && { pageRequired }) }
    : { ...parts, query: names };
};

/** Any family. Its query has every part that its lists can have. */
export const anyFamily: fc.Arbitrary<Family> = anyParts.map(withoutUnusedNames);
