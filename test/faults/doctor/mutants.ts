import type { RuleId } from '../../../src/doctor/rules.ts';
import type { Break, Reply, Seen } from './server.ts';

/**
 * Ways to break rules, each by its rule and what it does. Each server gets its own break, which may remember
 * what it saw.
 */
type Mutants = Readonly<Record<`${RuleId}: ${string}`, () => Break>>;

type Json = Record<string, unknown>;
type Rows = readonly Json[];

const parse = <T>({ body }: Reply): T => JSON.parse(body);
const withBody = (reply: Reply, value: unknown): Reply => ({ ...reply, body: JSON.stringify(value) });
const status = (reply: Reply, code: number): Reply => ({ ...reply, status: code });
const withHeader = (given: Headers, name: string, value: string | undefined): Headers => {
  const headers = new Headers(given);
  if (value === undefined) headers.delete(name);
  else headers.set(name, value);
  return headers;
};
const field = (reply: Reply, name: string, value?: string): Reply => ({
  ...reply,
  headers: withHeader(reply.headers, name, value),
});
const failed = (code: number, body: unknown = { message: 'No' }): Reply => ({
  status: code,
  headers: new Headers({ 'content-type': 'application/json' }),
  body: JSON.stringify(body),
});
const done: Reply = { ...failed(204), body: '' };

type Is = (seen: Seen) => boolean;

const is =
  (method: string, path: RegExp): Is =>
  (seen) =>
    seen.method === method && path.test(seen.url.pathname);
const list = is('GET', /^\/v1\/orders$/);
const item = is('GET', /^\/v1\/orders\/\d+$/);
const feed = is('GET', /^\/v1\/feed$/);
const orders: Is = (seen) => list(seen) || item(seen);
const options = is('OPTIONS', /orders/);
const post = is('POST', /^\/v1\/orders$/);
const put = is('PUT', /^\/v1\/orders\/\d+$/);
const patch = is('PATCH', /^\/v1\/orders\/\d+$/);
const remove = is('DELETE', /^\/v1\/orders\/\d+$/);
const token = is('POST', /^\/auth\/token$/);
const formOf = ({ body }: Seen): URLSearchParams => new URLSearchParams(body);
const grant =
  (name: string, without?: string): Is =>
  (seen) =>
    token(seen) &&
    formOf(seen).get('grant_type') === name &&
    (without === undefined || !formOf(seen).has(without));
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

/** Changes the replies with a status. */
const replyOf = (code: number, when: Is, change: (reply: Reply, seen: Seen) => Reply) =>
  reply(when, (usual, seen) => (usual.status === code ? change(usual, seen) : usual));

/** Changes the successes of some requests. */
const success = (when: Is, change: (reply: Reply, seen: Seen) => Reply) =>
  reply(when, (usual, seen) => (usual.status === 200 || usual.status === 201 ? change(usual, seen) : usual));

/** Changes the JSON of the successes of some requests. */
const json = <T = Json>(when: Is, change: (value: T) => unknown) =>
  success(when, (usual) => withBody(usual, change(parse<T>(usual))));

/** Changes each order, in lists and alone. */
const order = (change: (row: Json, index: number) => Json) =>
  json<Json | Rows>(orders, (value) => (Array.isArray(value) ? value.map(change) : change(value as Json, 0)));

/** Changes a field of each order that has it. */
const orderField = <T>(name: string, change: (value: T) => unknown) =>
  order((row) => (row[name] === undefined ? row : { ...row, [name]: change(row[name] as T) }));

/** Changes the body of the errors with a status, or of some. */
const error = (which: number | ((usual: Reply, seen: Seen) => boolean), change: (body: Json) => unknown) => {
  const isChanged = typeof which === 'number' ? ({ status }: Reply) => status === which : which;
  return reply(
    () => true,
    (usual, seen) =>
      usual.status >= 400 && isChanged(usual, seen) ? withBody(usual, change(parse<Json>(usual))) : usual,
  );
};

const hasErrors = ({ body }: Reply): boolean => body.includes('"errors"');

/** Changes each item of `errors`. */
const items = (change: (item: Json) => Json) =>
  error(hasErrors, (body) => ({ ...body, errors: (body.errors as Rows).map(change) }));

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

/** Changes a query parameter of some requests, or drops it. */
const parameter = (when: Is, name: string, change: (value: string) => string | undefined = () => undefined) =>
  request(asks(when, name), (seen) =>
    withParameter(seen, name, change(seen.url.searchParams.get(name) ?? '')),
  );

/** Changes a header field of some requests, or drops it. */
const requestField = (when: Is, name: string, value?: string) =>
  request(when, (seen) => ({ ...seen, headers: withHeader(seen.headers, name, value) }));

/** Answers some requests in place of the server. */
const answer =
  (when: Is, by: Reply): (() => Break) =>
  (): Break =>
  (seen, next) =>
    when(seen) ? by : next(seen);

const links = (change: (parts: readonly string[], seen: Seen) => readonly string[]) =>
  success(list, (usual, seen) => {
    const link = usual.headers.get('link');
    if (link === null) return usual;
    return field(usual, 'link', change(link.split(', '), seen).join(', ') || undefined);
  });

const linkTo = ({ url }: Seen, page: number, relation: string): string => {
  const target = new URL(url);
  target.searchParams.set('page', String(page));
  return `<${target.href}>; rel="${relation}"`;
};

/** Links without a relation, or with another target for it. */
const link = (relation: string, toPage?: (seen: Seen) => number, onPage?: string) =>
  links((parts, seen) => {
    if (onPage !== undefined && pageOf(seen) !== onPage) return parts;
    const others = parts.filter((part) => !part.includes(`rel="${relation}"`));
    return toPage === undefined ? others : [...others, linkTo(seen, toPage(seen), relation)];
  });

/** Adds a next link to the page that has none. */
const endless = (when: Is) =>
  success(when, (usual, seen) => {
    const known = usual.headers.get('link');
    if (known?.includes('rel="next"')) return usual;
    const next = linkTo(seen, Number(pageOf(seen)) + 1, 'next');
    return field(usual, 'link', known === null ? next : `${known}, ${next}`);
  });

const listField = (name: string, value?: (seen: Seen, usual: Reply) => string) =>
  success(list, (usual, seen) => field(usual, name, value?.(seen, usual)));

const plus = (name: string) => listField(name, (_seen, { headers }) => String(Number(headers.get(name)) + 1));

const drop = (value: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

const without =
  (...names: readonly string[]) =>
  (value: Json) =>
    drop(value, ...names);

const created: Is = (seen) => post(seen) && seen.body.includes('restkin-doctor');

/** A list without `fields`. */
const whole: Is = (seen) => list(seen) && !seen.url.searchParams.has('fields');

const newOrder = {
  status: 'open',
  createdAt: '2026-01-01T00:00:00Z',
  device: { model: 'M', serial: 'S' },
  lines: [],
  company: { id: 1 },
  payer: { id: 1 },
} as const;

/** Gives opaque access tokens, and takes them. */
const opaqueTokens = (): Break => {
  const real = new Map<string, string>();
  return async (seen, next) => {
    const [, used = ''] = /^Bearer (.*)/.exec(seen.headers.get('authorization') ?? '') ?? [];
    const known = real.get(used);
    const headers =
      known === undefined ? seen.headers : withHeader(seen.headers, 'authorization', `Bearer ${known}`);
    const usual = await next({ ...seen, headers });
    if (!token(seen) || usual.status !== 200) return usual;
    const body = parse<Json>(usual);
    const opaque = `opaque-${real.size}-0123456789`;
    real.set(opaque, String(body.access_token));
    return withBody(usual, { ...body, access_token: opaque });
  };
};

/** Deletes at the second request. */
const lateDelete = (): Break => {
  const seenBefore = new Set<string>();
  return (seen, next) => {
    if (!remove(seen) || seenBefore.has(seen.url.pathname)) return next(seen);
    seenBefore.add(seen.url.pathname);
    return done;
  };
};

const fakeTokens = failed(200, { access_token: 'a.b.c', expires_in: 600, token_type: 'bearer' });

const tokens: Mutants = {
  '§4.1 method and path: a login gets 500': replyOf(200, grant('password'), () => failed(500)),
  '§4.1 response: tokens are text/plain': success(token, (usual) =>
    field(usual, 'content-type', 'text/plain'),
  ),
  '§4.1 password: a login without it gets tokens': answer(grant('password', 'password'), fakeTokens),
  '§4.1 refresh_token: none is needed': answer(grant('refresh_token', 'refresh_token'), fakeTokens),
  '§7.2.5: an unknown grant gets 422': answer(grant('restkin_doctor'), failed(422)),
  '§7.2.5: a missing password gets 401': answer(grant('password', 'password'), failed(401)),
  '§7.1 401: a wrong user gets 403': replyOf(401, grant('password'), (usual) => status(usual, 403)),
  '§2.2 access_token: it is no JWT': opaqueTokens,
  '§2.2 expires_in: it is a string': json(token, (body) => ({ ...body, expires_in: '600' })),
  '§2.2 expires_in: it is missing': json(token, without('expires_in')),
  '§2.2 token_type: it is mac': json(token, (body) => ({ ...body, token_type: 'mac' })),
  '§2.2 token_type: it is missing': json(token, without('token_type')),
  '§2.2 refresh_expires_in: it is missing': json(token, without('refresh_expires_in')),
  '§2.2 refresh_token: it is missing': json(token, without('refresh_token')),
  '§8 access token lifetime: an hour': json(token, (body) => ({ ...body, expires_in: 3600 })),
  '§8 refresh token lifetime: a day': json(token, (body) => ({ ...body, refresh_expires_in: 86_400 })),
  '§5.2.6: a refresh request gets 401': replyOf(200, grant('refresh_token'), () => failed(401)),
  '§5.2.6: it gives no refresh token': json(grant('refresh_token'), without('refresh_token')),
  '§5.2.6: it gives the same refresh token': success(grant('refresh_token'), (usual, seen) =>
    withBody(usual, { ...parse<Json>(usual), refresh_token: formOf(seen).get('refresh_token') }),
  ),
};

const requests: Mutants = {
  '§4.2 GET: a list gets 203': success(list, (usual) => status(usual, 203)),
  '§4.2 GET: a resource gets 203': success(item, (usual) => status(usual, 203)),
  '§4.2 GET: a resource is another one': json(item, (row) => ({ ...row, id: 99 })),
  '§4.2 bare arrays: a list is wrapped': json(list, (wrapped) => ({ items: wrapped })),
  '§4.2 OPTIONS: it gets 204': reply(options, (usual) => status(usual, 204)),
  '§4.2 OPTIONS: it has no Accept': reply(options, (usual) => field(usual, 'accept')),
  '§4.2 OPTIONS: it lacks POST': reply(options, (usual) => field(usual, 'accept', 'GET, OPTIONS')),
  '§4.2 OPTIONS: it has a body': reply(options, (usual) => ({ ...usual, body: '[]' })),
  '§4.2 HEAD: it gets 200': reply(is('HEAD', /orders/), (usual) => status(usual, 200)),
  '§4.3.1: JSON is text/plain': listField('content-type', () => 'text/plain'),
  '§4.3.3: several types in Accept get 406': answer(
    (seen) => list(seen) && (seen.headers.get('accept') ?? '').includes(','),
    failed(406),
  ),
  '§4.3.4: Accept is ignored': requestField(list, 'accept', 'application/json'),
  '§5.2.2: a valid token gets 401': replyOf(200, list, () => failed(401)),
  '§5.2.9: no token gets a list': answer(
    (seen) => list(seen) && !seen.headers.has('authorization'),
    failed(200, []),
  ),
  '§5.2.9: an invalid token gets 403': replyOf(
    401,
    (seen) => list(seen) && seen.headers.has('authorization'),
    (usual) => status(usual, 403),
  ),
  '§7.1 304: If-None-Match is ignored': requestField(orders, 'if-none-match'),
  '§7.1 304: any If-None-Match gets 304': reply(
    (seen) => orders(seen) && seen.headers.has('if-none-match'),
    (usual) => status(usual, 304),
  ),
  '§7.1 304: a list gets 304 without a condition': success(
    (seen) => list(seen) && seen.url.search === '',
    (usual) => status(usual, 304),
  ),
  '§7.1 400: an invalid page is the first': parameter(
    (seen) => list(seen) && pageOf(seen) === 'none',
    'page',
  ),
  '§7.1 404: an unknown id gets 400': replyOf(404, item, (usual) => status(usual, 400)),
  '§9.3: `self` has no version': order((row) => ({ ...row, self: String(row.self).replace('/v1', '') })),
  '§9.3: links have no version': links((parts) => parts.map((part) => part.replace('/v1/', '/'))),
};

const errors: Mutants = {
  '§2.3 message: a 404 has none': error(404, () => ({ error: 'not found' })),
  '§2.3 message: a 401 is HTML': replyOf(
    401,
    () => true,
    (usual) => ({ ...usual, body: '<h1>No</h1>' }),
  ),
  '§2.3 message: it is a number': error(406, () => ({ message: 406 })),
  '§2.3 message: the token endpoint has none': error(
    (_usual, seen) => token(seen),
    () => ({ error: 'no' }),
  ),
  '§2.3 errors: a 404 has some': error(404, (body) => ({
    ...body,
    errors: [{ field: 'id', code: 'invalid' }],
  })),
  '§2.3 errors: it is an object': error(hasErrors, (body) => ({ ...body, errors: {} })),
  '§2.3 errors[].field: it is missing': items(without('field')),
  '§2.3 errors[].code: it is missing': items(without('code')),
  '§2.3 errors[].message: it is a number': items((one) => ({ ...one, message: 5 })),
  '§2.3 errors[].reference: it is no URI': items((one) => ({ ...one, reference: 'see the manual' })),
  '§7.1 500: a wrong sort gets 500': replyOf(400, asks(list, 'sort'), () => failed(500)),
  '§7.1 500: a wrong perPage gets 500': replyOf(400, asks(list, 'perPage'), () => failed(500)),
  '§7.2.1: a wrong sort gets 422': replyOf(400, asks(list, 'sort'), () => failed(422)),
  '§7.2.1: with `errors`': replyOf(400, asks(list, 'sort'), (usual) => status(usual, 422)),
};

const selfOf = (change: (self: string, row: Json) => string) =>
  order((row) => ({ ...row, self: change(String(row.self), row) }));

const resources: Mutants = {
  '§2.1 id: one is missing': order((row, index) => (index === 3 ? drop(row, 'id') : row)),
  '§2.1 id: it is a string': order((row) => ({ ...row, id: String(row.id) })),
  '§2.1 self: it is missing': order(without('self')),
  '§2.1 self: it is relative': selfOf((_self, { id }) => `/v1/orders/${String(id)}`),
  '§2.1 self: it leads to another resource': selfOf((self) => `${self}0`),
  '§2.1 self: it leads to nothing': selfOf((self) => `${self}/x`),
  '§2.1 self: it is at another origin': selfOf((self) =>
    self.replace(/^http:\/\/[^/]+/, 'https://example.com'),
  ),
  '§2.1 nested resource: a reference has no self': orderField('company', without('self')),
  '§2.1 nested resource: a reference is always expanded': orderField<Json>('company', (company) => ({
    name: 'Acme',
    city: 'Oslo',
    ...company,
  })),
  '§2.1 nested resource: a nested one has no id': orderField<Rows>('lines', (lines) =>
    lines.map(without('id')),
  ),
  '§2.1 field names: one is snake_case': json<Rows>(whole, (rows) =>
    rows.map((row) => ({ ...row, internal_code: 1 })),
  ),
  '§2.1 timestamps: they have an offset': orderField<string>('createdAt', (value) =>
    value.replace('Z', '+02:00'),
  ),
  '§2.1 timestamps: they have no zone': orderField<string>('createdAt', (value) => value.replace('Z', '')),
  '§2.1 specific fields: a timestamp has an offset in place of Z': orderField<string>('createdAt', (value) =>
    value.replace('Z', '+00:00'),
  ),
  '§2.1 specific fields: a field is missing': order(without('createdAt')),
  '§2.1 specific fields: a field is null': orderField('note', () => null),
  '§2.1 specific fields: a value is not declared': orderField('status', (value) =>
    value === 'open' ? 'lost' : value,
  ),
  '§2.1 specific fields: a nested field has another type': orderField<Rows>('lines', (lines) =>
    lines.map((line) => ({ ...line, quantity: '1' })),
  ),
};

const asksUnknown: Is = (seen) => list(seen) && seen.url.search.includes('None');
const firstName = (names: string) => names.split(',')[0];

const queries: Mutants = {
  '§4.4 sort: it is ignored': parameter((seen) => list(seen) && !asksUnknown(seen), 'sort'),
  '§4.4 sort: `-` is ignored': parameter(list, 'sort', (value) => value.replaceAll('-', '')),
  '§4.4 sort: the second field is ignored': parameter(list, 'sort', firstName),
  '§4.4 sort: an unknown field is ignored': parameter(asksUnknown, 'sort'),
  '§4.4 sort: it orders within a page only': () => async (seen, next) => {
    const sort = seen.url.searchParams.get('sort') ?? '';
    if (!list(seen) || !/^-?id$/.test(sort)) return next(seen);
    const usual = await next(withParameter(seen, 'sort', undefined));
    const rows = parse<Rows>(usual);
    return withBody(usual, sort === 'id' ? rows : rows.toReversed());
  },
  '§4.4 fields: it is ignored': parameter(orders, 'fields'),
  '§4.4 fields: `id` is left out': json<Rows>(asks(list, 'fields'), (rows) => rows.map(without('id'))),
  '§4.4 fields: `self` is left out': json<Rows>(asks(list, 'fields'), (rows) => rows.map(without('self'))),
  '§4.4 fields: a nested object is whole': parameter(orders, 'fields', (value) => value.split('.')[0]),
  '§4.4 fields: it is ignored for one resource': parameter(item, 'fields'),
  '§4.4 expand: it is ignored': parameter((seen) => list(seen) && !seen.url.search.includes('%2C'), 'expand'),
  '§4.4 expand: it is ignored for one resource': parameter(item, 'expand'),
  '§4.4 expand of several: the second is ignored': parameter(list, 'expand', firstName),
};

const totalPages = 'x-pagination-total-pages';
const totalCount = 'x-pagination-total-count';

const paging: Mutants = {
  '§4.4 page: it is ignored': parameter((seen) => list(seen) && /^\d+$/.test(pageOf(seen)), 'page'),
  '§4.4 perPage: it is ignored': parameter(list, 'perPage', (size) =>
    Number(size) < 100 ? undefined : size,
  ),
  '§4.4 perPage: one above the maximum is cut': parameter(list, 'perPage', (size) =>
    size === '201' ? '200' : size,
  ),
  '§4.5 Link: it is missing': listField('link'),
  '§4.5 Link: page 1 has first': link('first', () => 1, '1'),
  '§4.5 Link: page 1 has prev': link('prev', () => 1, '1'),
  '§4.5 Link: next is missing': link('next'),
  '§4.5 Link: next is missing on page 2': link('next', undefined, '2'),
  '§4.5 Link: last is missing': link('last'),
  '§4.5 Link: prev is missing': link('prev'),
  '§4.5 Link: first is missing': link('first'),
  '§4.5 Link: last leads to page 2': link('last', () => 2),
  '§4.5 Link: next leads to the same page': link('next', (seen) => Number(pageOf(seen))),
  '§4.5 Link: the last page has next': endless(list),
  '§4.5 Link: it leads to another origin': links((parts) =>
    parts.map((part) => part.replace(/http:\/\/[^/]+/, 'https://example.com')),
  ),
  '§4.5 X-Pagination-Total-Pages: it is one too many': plus(totalPages),
  '§4.5 X-Pagination-Total-Pages: it is missing': listField(totalPages),
  '§4.5 X-Pagination-Total-Count: it is one too many': plus(totalCount),
  '§4.5 X-Pagination-Total-Count: it is missing': listField(totalCount),
  '§4.5 X-Pagination-Current-Page: it is always 1': listField('x-pagination-current-page', () => '1'),
  '§4.5 X-Pagination-Current-Page: it counts from 0': listField('x-pagination-current-page', (seen) =>
    String(Number(pageOf(seen)) - 1),
  ),
  '§4.5 X-Pagination-Page-Size: it is that of the server': listField('x-pagination-page-size', () => '25'),
  '§4.5 X-Pagination-Page-Size: it is missing': listField('x-pagination-page-size'),
  '§4.5.1: totals that are not known are -1': success(feed, (usual) =>
    field(field(usual, totalPages, '-1'), totalCount, '-1'),
  ),
  '§4.5.2: a list without totals has last': success(feed, (usual, seen) =>
    field(usual, 'link', [usual.headers.get('link'), linkTo(seen, 5, 'last')].filter(Boolean).join(', ')),
  ),
  '§4.5.2: a list without totals has no next': success(feed, (usual) => field(usual, 'link')),
  '§4.5.2: its last page has next': endless(feed),
  '§4.5.3: a list has more than its default page size': success(
    (seen) => list(seen) && !seen.url.searchParams.has('perPage'),
    (usual) => field(usual, 'x-pagination-page-size', '10'),
  ),
};

const isMissing = (usual: Reply, seen: Seen): boolean => created(seen) && usual.body.includes('missingField');
const isUnparsable: Is = (seen) => post(seen) && !seen.body.endsWith('}');

/** Those that only writes show. */
const writes: Mutants = {
  '§4.2 POST: it gets 200': replyOf(201, created, (usual) => status(usual, 200)),
  '§4.2 POST: it has no Location': success(created, (usual) => field(usual, 'location')),
  '§4.2 POST: its Location leads elsewhere': success(created, (usual) =>
    field(usual, 'location', '/v1/orders/1'),
  ),
  '§4.2 POST: its body is another one': json(created, (body) => ({ id: body.id })),
  '§4.2 PUT: it gets 200': reply(put, (usual) => status(usual, 200)),
  '§4.2 PUT: it does nothing': answer(put, done),
  '§4.2 PATCH: it gets 200': reply(patch, (usual) => status(usual, 200)),
  '§4.2 PATCH: it does nothing': answer(patch, done),
  '§4.2 DELETE: it gets 200': replyOf(204, remove, (usual) => status(usual, 200)),
  '§4.2 DELETE: it deletes at the second request': lateDelete,
  '§7.2.2: JSON that cannot be parsed gets 200': reply(isUnparsable, () => failed(200, {})),
  '§7.1 500: JSON that cannot be parsed gets 500': reply(isUnparsable, () => failed(500)),
  '§7.2.3: a missing field is not listed': error((_usual, seen) => created(seen), without('errors')),
  '§7.2.3: other fields are listed': error(isMissing, (body) => ({
    ...body,
    errors: [{ field: 'other', code: 'missingField' }],
  })),
  '§7.2.3: a body without its fields is created': request(
    (seen) => created(seen) && !isUnparsable(seen) && !seen.body.includes('status'),
    (seen) => ({ ...seen, body: JSON.stringify({ ...newOrder, ...JSON.parse(seen.body) }) }),
  ),
  '§7.2.4: the code of a missing field is another one': error(isMissing, (body) => ({
    ...body,
    errors: (body.errors as Rows).map((one) => ({ ...one, code: 'required' })),
  })),
  '§7.1 415: an unknown content type gets 400': replyOf(415, post, (usual) => status(usual, 400)),
  '§7.1 405: POST to a resource gets 404': replyOf(405, is('POST', /^\/v1\/orders/), (usual) =>
    status(usual, 404),
  ),
  '§2.1 id: it is a string when it is read': order((row) => ({ ...row, id: String(row.id) })),
  '§2.3 errors[].field: no response has it': items(without('field')),
  '§2.3 errors[].code: it is a number': items((one) => ({ ...one, code: 5 })),
};

/** Each breaks one rule. Those that take writes are apart. */
export const mutants = {
  reading: { ...tokens, ...requests, ...errors, ...resources, ...queries, ...paging },
  writing: writes,
} as const;
