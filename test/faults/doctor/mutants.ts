import type { RuleId } from 'restkin/doctor';
import type { Break, Reply, Seen } from './server.ts';

/** Ways to break rules, by rule. */
type Mutants = Readonly<Partial<Record<RuleId, Readonly<Record<string, () => Break>>>>>;

type Json = Record<string, unknown>;
type Rows = readonly Json[];

const parse = <T>({ body }: Reply): T => JSON.parse(body);
const withBody = (reply: Reply, value: unknown): Reply => ({ ...reply, body: JSON.stringify(value) });
const status = (reply: Reply, code: number): Reply => ({ ...reply, status: code });
const failed = (code: number, body: unknown = { message: 'No' }): Reply => ({
  status: code,
  headers: new Headers({ 'content-type': 'application/json' }),
  body: JSON.stringify(body),
});
const field = (reply: Reply, name: string, value: string | undefined): Reply => {
  const headers = new Headers(reply.headers);
  if (value === undefined) headers.delete(name);
  else headers.set(name, value);
  return { ...reply, headers };
};

type Is = (seen: Seen) => boolean;

const is =
  (method: string, path: RegExp): Is =>
  (seen) =>
    seen.method === method && path.test(seen.url.pathname);
const list = is('GET', /^\/v1\/orders$/);
const item = is('GET', /^\/v1\/orders\/\d+$/);
const feed = is('GET', /^\/v1\/feed$/);
const orders: Is = (seen) => list(seen) || item(seen);
const token = is('POST', /^\/auth\/token$/);
const formOf = ({ body }: Seen): URLSearchParams => new URLSearchParams(body);
const grant =
  (name: string): Is =>
  (seen) =>
    token(seen) && formOf(seen).get('grant_type') === name;
const password = grant('password');
const refresh = grant('refresh_token');
const asks =
  (when: Is, name: string): Is =>
  (seen) =>
    when(seen) && seen.url.searchParams.has(name);
const pageOf = ({ url }: Seen): string => url.searchParams.get('page') ?? '1';

/** Changes the replies to some requests. */
const reply =
  (when: Is, change: (reply: Reply, seen: Seen) => Reply): (() => Break) =>
  () =>
  async (seen, next) => {
    const usual = await next(seen);
    return when(seen) ? change(usual, seen) : usual;
  };

/** Changes the successes of some requests. */
const success = (when: Is, change: (reply: Reply, seen: Seen) => Reply) =>
  reply(when, (usual, seen) => (usual.status === 200 || usual.status === 201 ? change(usual, seen) : usual));

/** Changes the JSON of the successes of some requests. */
const json = <T = Json>(when: Is, change: (value: T, seen: Seen) => unknown) =>
  success(when, (usual, seen) => withBody(usual, change(parse<T>(usual), seen)));

/** Changes each order, in lists and alone. */
const order = (change: (row: Json, index: number) => Json) =>
  json<Json | Rows>(orders, (value) => (Array.isArray(value) ? value.map(change) : change(value as Json, 0)));

/** Changes the errors of some requests. */
const error = (when: (usual: Reply, seen: Seen) => boolean, change: (reply: Reply) => Reply) =>
  reply(
    () => true,
    (usual, seen) => (usual.status >= 400 && when(usual, seen) ? change(usual) : usual),
  );

const errorBody = (when: (usual: Reply, seen: Seen) => boolean, change: (body: Json) => unknown) =>
  error(when, (usual) => withBody(usual, change(parse<Json>(usual))));

/** Changes a request before it is answered. */
const request =
  (when: Is, change: (seen: Seen) => Seen): (() => Break) =>
  (): Break =>
  (seen, next) =>
    next(when(seen) ? change(seen) : seen);

const withParameter = (seen: Seen, name: string, value: string | undefined): Seen => {
  const url = new URL(seen.url);
  if (value === undefined) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  return { ...seen, url };
};

const withField = (seen: Seen, name: string, value: string | undefined): Seen => {
  const headers = new Headers(seen.headers);
  if (value === undefined) headers.delete(name);
  else headers.set(name, value);
  return { ...seen, headers };
};

/** Answers some requests in place of the server. */
const answer =
  (when: Is, by: (seen: Seen) => Reply): (() => Break) =>
  (): Break =>
  (seen, next) =>
    when(seen) ? by(seen) : next(seen);

const links = (change: (parts: readonly string[], seen: Seen) => readonly string[]) =>
  success(list, (usual, seen) => {
    const link = usual.headers.get('link');
    if (link === null) return usual;
    const parts = change(link.split(', '), seen);
    return field(usual, 'link', parts.length === 0 ? undefined : parts.join(', '));
  });

const without = (relation: string, part: string): boolean => !part.includes(`rel="${relation}"`);

const linkTo = ({ url }: Seen, page: number, relation: string): string => {
  const target = new URL(url);
  target.searchParams.set('page', String(page));
  return `<${target.href}>; rel="${relation}"`;
};

const plus = (name: string) =>
  success(list, (usual) => field(usual, name, String(Number(usual.headers.get(name)) + 1)));

const drop = (value: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

const isOne = (seen: Seen): boolean => seen.url.pathname.startsWith('/v1/orders');
const post = is('POST', /^\/v1\/orders$/);
const put = is('PUT', /^\/v1\/orders\/\d+$/);
const patch = is('PATCH', /^\/v1\/orders\/\d+$/);
const remove = is('DELETE', /^\/v1\/orders\/\d+$/);
const created: Is = (seen) => post(seen) && seen.body.includes('restkin-doctor');

const newOrder = {
  status: 'open',
  createdAt: '2026-01-01T00:00:00Z',
  device: { model: 'M', serial: 'S' },
  lines: [],
  company: { id: 1 },
  payer: { id: 1 },
} as const;

const tokens: Mutants = {
  '§4.1 method and path': {
    'a login gets 500': reply(password, (usual) => (usual.status === 200 ? failed(500) : usual)),
  },
  '§4.1 response': {
    'tokens come as text/plain': success(password, (usual) => field(usual, 'content-type', 'text/plain')),
  },
  '§4.1 password': {
    'a login without a password gets tokens': answer(
      (seen) => password(seen) && !formOf(seen).has('password'),
      () => failed(200, { access_token: 'a.b.c', expires_in: 600, token_type: 'bearer' }),
    ),
  },
  '§4.1 refresh_token': {
    'a refresh request without a token gets tokens': answer(
      (seen) => refresh(seen) && !formOf(seen).has('refresh_token'),
      () => failed(200, { access_token: 'a.b.c', expires_in: 600, token_type: 'bearer' }),
    ),
  },
  '§7.2.5': {
    'an unknown grant gets 422': answer(grant('restkin_doctor'), () => failed(422)),
    'a missing password gets 401': answer(
      (seen) => password(seen) && !formOf(seen).has('password'),
      () => failed(401),
    ),
  },
  '§7.1 401': {
    'a wrong user gets 403': reply(password, (usual) => (usual.status === 401 ? status(usual, 403) : usual)),
  },
  '§2.2 access_token': {
    'the access token is no JWT': () => {
      const real = new Map<string, string>();
      return async (seen, next) => {
        const [, used = ''] = /^Bearer (.*)/.exec(seen.headers.get('authorization') ?? '') ?? [];
        const known = real.get(used);
        const usual = await next(
          known === undefined ? seen : withField(seen, 'authorization', `Bearer ${known}`),
        );
        if (!token(seen) || usual.status !== 200) return usual;
        const body = parse<Json>(usual);
        const opaque = `opaque-${real.size}-0123456789`;
        real.set(opaque, String(body.access_token));
        return withBody(usual, { ...body, access_token: opaque });
      };
    },
  },
  '§2.2 expires_in': {
    '`expires_in` is a string': json(token, (body) => ({ ...body, expires_in: '600' })),
    '`expires_in` is missing': json(token, (body) => drop(body, 'expires_in')),
  },
  '§2.2 token_type': {
    '`token_type` is mac': json(token, (body) => ({ ...body, token_type: 'mac' })),
    '`token_type` is missing': json(token, (body) => drop(body, 'token_type')),
  },
  '§2.2 refresh_expires_in': {
    'it is missing': json(token, (body) => drop(body, 'refresh_expires_in')),
  },
  '§2.2 refresh_token': {
    'it is missing': json(token, (body) => drop(body, 'refresh_token')),
  },
  '§8 access token lifetime': {
    'it is an hour': json(token, (body) => ({ ...body, expires_in: 3600 })),
  },
  '§8 refresh token lifetime': {
    'it is a day': json(token, (body) => ({ ...body, refresh_expires_in: 86_400 })),
  },
  '§5.2.6': {
    'a refresh request gets 401': answer(
      (seen) => refresh(seen) && formOf(seen).has('refresh_token'),
      () => failed(401),
    ),
    'a refresh request gives no refresh token': json(refresh, (body) => drop(body, 'refresh_token')),
    'a refresh request gives the same refresh token': () => async (seen, next) => {
      const usual = await next(seen);
      if (!refresh(seen) || usual.status !== 200) return usual;
      return withBody(usual, { ...parse<Json>(usual), refresh_token: formOf(seen).get('refresh_token') });
    },
  },
};

const requests: Mutants = {
  '§4.2 GET': {
    'a list gets 203': success(list, (usual) => status(usual, 203)),
    'a resource gets 203': success(item, (usual) => status(usual, 203)),
  },
  '§4.2 bare arrays': {
    'a list is wrapped': json(list, (items) => ({ items })),
  },
  '§4.2 OPTIONS': {
    'it gets 204': reply(is('OPTIONS', /orders/), (usual) => status(usual, 204)),
    'it has Allow alone': reply(is('OPTIONS', /orders/), (usual) =>
      field(field(usual, 'allow', 'GET, POST'), 'accept', undefined),
    ),
    'it lacks POST': reply(is('OPTIONS', /orders/), (usual) => field(usual, 'accept', 'GET, OPTIONS')),
    'it has a body': reply(is('OPTIONS', /orders/), (usual) => ({ ...usual, body: '[]' })),
  },
  '§4.2 HEAD': {
    'it gets 200': reply(is('HEAD', /orders/), (usual) => status(usual, 200)),
  },
  '§4.3.1': {
    'JSON comes as text/plain': success(list, (usual) => field(usual, 'content-type', 'text/plain')),
  },
  '§4.3.3': {
    'several types in Accept get 406': answer(
      (seen) => list(seen) && (seen.headers.get('accept') ?? '').includes(','),
      () => failed(406),
    ),
  },
  '§4.3.4': {
    'Accept is ignored': request(list, (seen) => withField(seen, 'accept', 'application/json')),
  },
  '§5.2.2': {
    'a valid token gets 401': reply(list, (usual) => (usual.status === 200 ? failed(401) : usual)),
  },
  '§5.2.9': {
    'no token gets a list': answer(
      (seen) => list(seen) && !seen.headers.has('authorization'),
      () => failed(200, []),
    ),
    'an invalid token gets 403': reply(list, (usual, seen) =>
      usual.status === 401 && seen.headers.has('authorization') ? status(usual, 403) : usual,
    ),
  },
  '§7.1 304': {
    'If-None-Match is ignored': request(orders, (seen) => withField(seen, 'if-none-match', undefined)),
    'any If-None-Match gets 304': reply(orders, (usual, seen) =>
      seen.headers.has('if-none-match') ? status(usual, 304) : usual,
    ),
    'a list gets 304 without a condition': success(
      (seen) => list(seen) && seen.url.search === '',
      (usual) => status(usual, 304),
    ),
  },
  '§7.1 400': {
    'an invalid page is the first': request(
      (seen) => list(seen) && pageOf(seen) === 'none',
      (seen) => withParameter(seen, 'page', undefined),
    ),
  },
  '§7.1 404': {
    'an unknown id gets 400': reply(item, (usual) => (usual.status === 404 ? status(usual, 400) : usual)),
  },
  '§9.3': {
    '`self` has no version': order((row) => ({ ...row, self: String(row.self).replace('/v1', '') })),
    'links have no version': links((parts) => parts.map((part) => part.replace('/v1/', '/'))),
  },
};

const isStatus =
  (code: number) =>
  (usual: Reply): boolean =>
    usual.status === code;

const items = (change: (item: Json) => Json) =>
  errorBody(
    ({ body }) => body.includes('"errors"'),
    (body) => ({ ...body, errors: (body.errors as readonly Json[]).map(change) }),
  );

const errors: Mutants = {
  '§2.3 message': {
    'a 404 has none': errorBody(isStatus(404), () => ({ error: 'not found' })),
    'a 401 is HTML': error(isStatus(401), (usual) => ({ ...usual, body: '<h1>Unauthorized</h1>' })),
    'it is a number': errorBody(isStatus(406), () => ({ message: 406 })),
    'the token endpoint has none': errorBody(
      (_usual, seen) => token(seen),
      () => ({ error: 'invalid_request' }),
    ),
  },
  '§2.3 errors': {
    'a 404 has some': errorBody(isStatus(404), (body) => ({
      ...body,
      errors: [{ field: 'id', code: 'invalid' }],
    })),
    'it is an object': errorBody(
      ({ body }) => body.includes('"errors"'),
      (body) => ({ ...body, errors: {} }),
    ),
  },
  '§2.3 errors[].field': {
    'it is missing': items((one) => drop(one, 'field')),
  },
  '§2.3 errors[].code': {
    'it is missing': items((one) => drop(one, 'code')),
  },
  '§2.3 errors[].message': {
    'it is a number': items((one) => ({ ...one, message: 5 })),
  },
  '§2.3 errors[].reference': {
    'it is no URI': items((one) => ({ ...one, reference: 'see the manual' })),
  },
  '§7.1 500': {
    'a wrong sort gets 500': reply(asks(list, 'sort'), (usual) =>
      usual.status === 400 ? failed(500) : usual,
    ),
    'a perPage above the maximum gets 500': reply(asks(list, 'perPage'), (usual) =>
      usual.status === 400 ? failed(500) : usual,
    ),
  },
  '§7.2.1': {
    'a wrong sort gets 422': reply(asks(list, 'sort'), (usual) =>
      usual.status === 400 ? failed(422) : usual,
    ),
    'a wrong sort gets 422, with `errors`': reply(asks(list, 'sort'), (usual) =>
      usual.status === 400 ? status(usual, 422) : usual,
    ),
  },
};

const resources: Mutants = {
  '§2.1 id': {
    'one is missing': order((row, index) => (index === 3 ? drop(row, 'id') : row)),
    'it is a string': order((row) => ({ ...row, id: String(row.id) })),
  },
  '§2.1 self': {
    'it is missing': order((row) => drop(row, 'self')),
    'it is relative': order((row) => ({ ...row, self: `/v1/orders/${String(row.id)}` })),
    'it leads to another resource': order((row) => ({ ...row, self: `${String(row.self)}0` })),
    'it leads to nothing': order((row) => ({ ...row, self: `${String(row.self)}/x` })),
    'it is at another origin': order((row) => ({ ...row, self: 'https://example.com/v1/orders/1' })),
  },
  '§2.1 nested resource': {
    'a reference has no self': order((row) =>
      row.company === undefined ? row : { ...row, company: drop(row.company as Json, 'self') },
    ),
    'a reference is always expanded': order((row) =>
      row.company === undefined
        ? row
        : { ...row, company: { name: 'Acme', city: 'Oslo', ...(row.company as Json) } },
    ),
    'a nested one has no id': order((row) =>
      row.lines === undefined ? row : { ...row, lines: (row.lines as Rows).map((line) => drop(line, 'id')) },
    ),
  },
  '§2.1 field names': {
    'one is snake_case': json<Rows>(whole(list), (rows) => rows.map((row) => ({ ...row, internal_code: 1 }))),
  },
  '§2.1 timestamps': {
    'they have an offset': order((row) =>
      row.createdAt === undefined ? row : { ...row, createdAt: String(row.createdAt).replace('Z', '+02:00') },
    ),
    'they have no zone': order((row) =>
      row.createdAt === undefined ? row : { ...row, createdAt: String(row.createdAt).replace('Z', '') },
    ),
  },
  '§2.1 specific fields': {
    'a field is missing': order((row) => drop(row, 'createdAt')),
    'a field is null': order((row) => ({ ...row, ...(row.note !== undefined && { note: null }) })),
    'a value is not declared': order((row) => ({ ...row, ...(row.status === 'open' && { status: 'lost' }) })),
    'a nested field has another type': order((row) =>
      row.lines === undefined
        ? row
        : { ...row, lines: (row.lines as Rows).map((line) => ({ ...line, quantity: '1' })) },
    ),
  },
};

const queries: Mutants = {
  '§4.4 sort': {
    'it is ignored': request(
      (seen) => asks(list, 'sort')(seen) && !seen.url.search.includes('None'),
      (seen) => withParameter(seen, 'sort', undefined),
    ),
    '`-` is ignored': request(asks(list, 'sort'), (seen) =>
      withParameter(seen, 'sort', seen.url.searchParams.get('sort')?.replaceAll('-', '')),
    ),
    'the second field is ignored': request(asks(list, 'sort'), (seen) =>
      withParameter(seen, 'sort', seen.url.searchParams.get('sort')?.split(',')[0]),
    ),
    'an unknown field is ignored': request(
      (seen) => list(seen) && seen.url.search.includes('None'),
      (seen) => withParameter(seen, 'sort', undefined),
    ),
    'it orders within a page only': () => async (seen, next) => {
      const sort = seen.url.searchParams.get('sort') ?? '';
      if (!list(seen) || !/^-?id$/.test(sort)) return next(seen);
      const usual = await next(withParameter(seen, 'sort', undefined));
      const rows = parse<Rows>(usual);
      return withBody(usual, sort === 'id' ? rows : rows.toReversed());
    },
  },
  '§4.4 fields': {
    'it is ignored': request(asks(orders, 'fields'), (seen) => withParameter(seen, 'fields', undefined)),
    '`id` is left out': json<Rows>(asks(list, 'fields'), (rows) => rows.map((row) => drop(row, 'id'))),
    '`self` is left out': json<Rows>(asks(list, 'fields'), (rows) => rows.map((row) => drop(row, 'self'))),
    'a nested object is whole': request(asks(orders, 'fields'), (seen) =>
      withParameter(seen, 'fields', seen.url.searchParams.get('fields')?.split('.')[0]),
    ),
    'it is ignored for one resource': request(asks(item, 'fields'), (seen) =>
      withParameter(seen, 'fields', undefined),
    ),
  },
  '§4.4 expand': {
    'it is ignored': request(
      (seen) => asks(list, 'expand')(seen) && !seen.url.search.includes('%2C'),
      (seen) => withParameter(seen, 'expand', undefined),
    ),
  },
  '§4.4 expand of several': {
    'the second is ignored': request(asks(list, 'expand'), (seen) =>
      withParameter(seen, 'expand', seen.url.searchParams.get('expand')?.split(',')[0]),
    ),
  },
};

const paging: Mutants = {
  '§4.4 page': {
    'it is ignored': request(
      (seen) => list(seen) && /^\d+$/.test(pageOf(seen)),
      (seen) => withParameter(seen, 'page', undefined),
    ),
  },
  '§4.4 perPage': {
    'it is ignored': request(
      (seen) => list(seen) && Number(seen.url.searchParams.get('perPage')) < 100,
      (seen) => withParameter(seen, 'perPage', undefined),
    ),
    'one above the maximum is cut': request(
      (seen) => list(seen) && seen.url.searchParams.get('perPage') === '201',
      (seen) => withParameter(seen, 'perPage', '200'),
    ),
  },
  '§4.5 Link': {
    'it is missing': success(list, (usual) => field(usual, 'link', undefined)),
    'page 1 has first': links((parts, seen) =>
      pageOf(seen) === '1' ? [...parts, linkTo(seen, 1, 'first')] : parts,
    ),
    'page 1 has prev': links((parts, seen) =>
      pageOf(seen) === '1' ? [...parts, linkTo(seen, 1, 'prev')] : parts,
    ),
    'next is missing': links((parts) => parts.filter((part) => without('next', part))),
    'next is missing on page 2': links((parts, seen) =>
      pageOf(seen) === '2' ? parts.filter((part) => without('next', part)) : parts,
    ),
    'last is missing': links((parts) => parts.filter((part) => without('last', part))),
    'prev is missing': links((parts) => parts.filter((part) => without('prev', part))),
    'first is missing': links((parts) => parts.filter((part) => without('first', part))),
    'last leads to page 2': links((parts, seen) => [
      ...parts.filter((part) => without('last', part)),
      linkTo(seen, 2, 'last'),
    ]),
    'next leads to the same page': links((parts, seen) => [
      ...parts.filter((part) => without('next', part)),
      linkTo(seen, Number(pageOf(seen)), 'next'),
    ]),
    'the last page has next': success(list, (usual, seen) => {
      const link = usual.headers.get('link') ?? '';
      return link.includes('rel="next"')
        ? usual
        : field(usual, 'link', `${link}, ${linkTo(seen, Number(pageOf(seen)) + 1, 'next')}`);
    }),
    'it leads to another origin': links((parts) =>
      parts.map((part) => part.replace(/http:\/\/[^/]+/, 'https://example.com')),
    ),
  },
  '§4.5 X-Pagination-Total-Pages': {
    'it is one too many': plus('x-pagination-total-pages'),
    'it is missing': success(list, (usual) => field(usual, 'x-pagination-total-pages', undefined)),
  },
  '§4.5 X-Pagination-Total-Count': {
    'it is one too many': plus('x-pagination-total-count'),
    'it is missing': success(list, (usual) => field(usual, 'x-pagination-total-count', undefined)),
  },
  '§4.5 X-Pagination-Current-Page': {
    'it is always 1': success(list, (usual) => field(usual, 'x-pagination-current-page', '1')),
    'it counts from 0': success(list, (usual, seen) =>
      field(usual, 'x-pagination-current-page', String(Number(pageOf(seen)) - 1)),
    ),
  },
  '§4.5 X-Pagination-Page-Size': {
    'it is that of the server': success(list, (usual) => field(usual, 'x-pagination-page-size', '25')),
    'it is missing': success(list, (usual) => field(usual, 'x-pagination-page-size', undefined)),
  },
  '§4.5.1': {
    'totals that are not known are -1': success(feed, (usual) =>
      field(field(usual, 'x-pagination-total-pages', '-1'), 'x-pagination-total-count', '-1'),
    ),
  },
  '§4.5.2': {
    'a list without totals has last': success(feed, (usual, seen) =>
      field(usual, 'link', [usual.headers.get('link'), linkTo(seen, 5, 'last')].filter(Boolean).join(', ')),
    ),
    'a list without totals has no next': success(feed, (usual) => field(usual, 'link', undefined)),
    'its last page has next': success(feed, (usual, seen) =>
      usual.headers.has('link')
        ? usual
        : field(usual, 'link', linkTo(seen, Number(pageOf(seen)) + 1, 'next')),
    ),
  },
  '§4.5.3': {
    'a list has more than its default page size': success(
      (seen) => list(seen) && !seen.url.searchParams.has('perPage'),
      (usual) => field(usual, 'x-pagination-page-size', '10'),
    ),
  },
};

const writes: Mutants = {
  '§4.2 POST': {
    'it gets 200': reply(created, (usual) => (usual.status === 201 ? status(usual, 200) : usual)),
    'it has no Location': success(created, (usual) => field(usual, 'location', undefined)),
    'its Location leads elsewhere': success(created, (usual) => field(usual, 'location', '/v1/orders/1')),
    'its body is another one': json(created, (body) => ({ id: body.id })),
  },
  '§4.2 PUT': {
    'it gets 200': reply(put, (usual) => status(usual, 200)),
    'it does nothing': answer(put, () => ({ ...failed(204), body: '' })),
  },
  '§4.2 PATCH': {
    'it gets 200': reply(patch, (usual) => status(usual, 200)),
    'it does nothing': answer(patch, () => ({ ...failed(204), body: '' })),
  },
  '§4.2 DELETE': {
    'it gets 200': reply(remove, (usual) => (usual.status === 204 ? status(usual, 200) : usual)),
    'it deletes at the second request': () => {
      const seenBefore = new Set<string>();
      return (seen, next) => {
        if (!remove(seen) || seenBefore.has(seen.url.pathname)) return next(seen);
        seenBefore.add(seen.url.pathname);
        return { ...failed(204), body: '' };
      };
    },
  },
  '§7.2.2': {
    'JSON that cannot be parsed gets 200': reply(
      (seen) => post(seen) && !seen.body.endsWith('}'),
      () => failed(200, {}),
    ),
  },
  '§7.1 500': {
    'JSON that cannot be parsed gets 500': reply(
      (seen) => post(seen) && !seen.body.endsWith('}'),
      () => failed(500),
    ),
  },
  '§7.2.3': {
    'a missing field is not listed': errorBody(
      (_usual, seen) => created(seen),
      (body) => drop(body, 'errors'),
    ),
    'other fields are listed': errorBody(
      ({ body }, seen) => created(seen) && body.includes('missingField'),
      (body) => ({ ...body, errors: [{ field: 'other', code: 'missingField' }] }),
    ),
    'a body without its fields is created': request(
      (seen) => created(seen) && seen.body.endsWith('}') && !seen.body.includes('status'),
      (seen) => ({ ...seen, body: JSON.stringify({ ...newOrder, ...JSON.parse(seen.body) }) }),
    ),
  },
  '§7.2.4': {
    'the code of a missing field is another one': errorBody(
      ({ body }, seen) => created(seen) && body.includes('missingField'),
      (body) => ({
        ...body,
        errors: (body.errors as readonly Json[]).map((one) => ({ ...one, code: 'required' })),
      }),
    ),
  },
  '§7.1 415': {
    'an unknown content type gets 400': reply(post, (usual) =>
      usual.status === 415 ? status(usual, 400) : usual,
    ),
  },
  '§7.1 405': {
    'POST to a resource gets 404': reply(
      (seen) => isOne(seen) && seen.method === 'POST',
      (usual) => (usual.status === 405 ? status(usual, 404) : usual),
    ),
  },
  '§4.2 GET': {
    'a resource is another one': json(item, (row) => ({ ...row, id: 99 })),
  },
  '§2.1 id': {
    'it is a string, except in the response to POST': order((row) => ({ ...row, id: String(row.id) })),
  },
  '§2.3 errors[].field': {
    'it is missing in every response': items((one) => drop(one, 'field')),
  },
  '§2.3 errors[].code': {
    'it is a number in every response': items((one) => ({ ...one, code: 5 })),
  },
};

/** A list without `fields` and `expand`. */
function whole(when: Is): Is {
  return (seen) => when(seen) && !seen.url.searchParams.has('fields');
}

const toCases = (mutants: Mutants) =>
  Object.entries(mutants).flatMap(([rule, ways]) =>
    Object.entries(ways).map(([what, change]) => ({ rule, what, change })),
  );

/** Each breaks one rule. Those that take writes are apart. */
export const mutants = {
  reading: [tokens, requests, errors, resources, queries, paging].flatMap(toCases),
  writing: toCases(writes),
} as const;
