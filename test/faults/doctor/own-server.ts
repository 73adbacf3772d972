import { createHash, randomUUID } from 'node:crypto';
import { login } from './server.ts';

// A server of the family that shares no line with the mock: it does what the conventions say in another way.

type Row = Record<string, unknown>;

const origin = 'https://own.test';

/** Ends a request with a status. */
const refuse = (status: number, errors?: readonly Row[]): never => {
  if (status < 400) throw new Response(null, { status });
  throw Response.json({ message: `Refused with ${status}`, errors }, { status });
};

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Access tokens of one second are equal, as those of a signature without an id are. */
const toJwt = (claims: Row): string => `${base64url({ alg: 'none' })}.${base64url(claims)}.c2ln`;

const createTokens = () => {
  const refreshTokens = new Set<string>();
  return (form: URLSearchParams): Response => {
    const need = (name: string): string => form.get(name) || refuse(400);
    const grant = form.get('grant_type');
    if (grant === 'password') {
      const [username, password] = [need('username'), need('password')];
      if (username !== login.username || password !== login.password) refuse(401);
    } else if (grant === 'refresh_token') {
      if (!refreshTokens.delete(need('refresh_token'))) refuse(401);
    } else refuse(400);
    const iat = Math.floor(Date.now() / 1000);
    const refresh_token = toJwt({ iat, jti: randomUUID() });
    refreshTokens.add(refresh_token);
    const access_token = toJwt({ iat, sub: login.username });
    const expiry = { expires_in: 600, refresh_expires_in: 2_592_000 };
    return Response.json({ access_token, token_type: 'Bearer', refresh_token, ...expiry });
  };
};

const pick = (row: Row, paths: readonly string[]): Row => {
  const picked: Row = { id: row.id, self: row.self };
  for (const path of paths) {
    const [head = '', tail] = path.split('.');
    if (row[head] === undefined) continue;
    picked[head] =
      tail === undefined ? row[head] : { ...(picked[head] as Row), [tail]: (row[head] as Row)[tail] };
  }
  return picked;
};

const at = (row: Row, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Row | undefined)?.[name], row);

const collate = new Intl.Collator('en');

const byFields =
  (names: readonly string[]) =>
  (a: Row, b: Row): number => {
    for (const name of names) {
      const path = name.replace(/^-/, '');
      const [left, right] = [at(a, path), at(b, path)];
      if (left === undefined) refuse(400);
      const order =
        typeof left === 'number' ? left - Number(right) : collate.compare(String(left), String(right));
      if (order !== 0) return name.startsWith('-') ? -order : order;
    }
    return 0;
  };

const toPage = (rows: readonly Row[], { pathname, searchParams: query }: URL, hasTotals: boolean) => {
  const [page, perPage] = [query.get('page') ?? '1', query.get('perPage') ?? '10'];
  if (!/^[1-9]\d*$/.test(page) || !/^[1-9]\d*$/.test(perPage) || Number(perPage) > 200) refuse(400);
  const [number, size] = [Number(page), Number(perPage)];
  const last = Math.max(1, Math.ceil(rows.length / size));
  const to = (target: number, relation: string): string => {
    const search = new URLSearchParams(query);
    search.set('page', String(target));
    search.set('perPage', String(size));
    return `<${pathname}?${search}>;rel=${relation}`;
  };
  const links = [
    ...(hasTotals && number > 1 ? [to(1, 'first'), to(number - 1, 'prev')] : []),
    ...(number < last ? [to(number + 1, 'next')] : []),
    ...(hasTotals ? [to(last, 'last')] : []),
  ];
  const headers = new Headers({
    'X-Pagination-Current-Page': String(number),
    'X-Pagination-Page-Size': String(size),
  });
  for (const link of links) headers.append('Link', link);
  if (hasTotals) {
    headers.set('X-Pagination-Total-Pages', String(last));
    headers.set('X-Pagination-Total-Count', String(rows.length));
  }
  return Response.json(rows.slice((number - 1) * size, number * size), { headers });
};

/** A server of orders and companies of the shop. */
export const createOwn = () => {
  const requestTokens = createTokens();
  const names = ['Acme', 'bolt', 'Cobra'];
  const company = (id: unknown, isWhole: boolean): Row => {
    const self = `${origin}/v1/companies/${String(id)}`;
    return isWhole ? { id, self, name: names[Number(id) - 1], city: 'Oslo' } : { id, self };
  };
  const companies = names.map((_, index) => company(index + 1, true));
  const orders = new Map<number, Row>();
  const keep = (body: Row, id: number): Row => {
    const lines = (body.lines as Row[]).map((line, index) => ({ ...line, id: index + 1 }));
    // The server knows when it was created.
    const createdAt = new Date(1_750_000_000_000 + ((id * 37) % 50) * 3_600_000).toISOString();
    const row = { createdAt, ...body, id, lines };
    orders.set(id, row);
    return row;
  };
  const show = (row: Row, query: URLSearchParams): Row => {
    const expand = query.get('expand')?.split(',') ?? [];
    const shown = {
      ...row,
      self: `${origin}/v1/orders/${String(row.id)}`,
      company: company((row.company as Row).id, expand.includes('company')),
      payer: company((row.payer as Row).id, expand.includes('payer')),
    };
    return query.has('fields') ? pick(shown, query.get('fields')?.split(',') ?? []) : shown;
  };
  const check = (body: Row): void => {
    const wrong = ['status', 'note', 'device', 'lines', 'company', 'payer'].flatMap((field) => {
      if (body[field] === undefined) return [{ field, code: 'missingField' }];
      const isString = field === 'status' || field === 'note';
      return isString && typeof body[field] !== 'string' ? [{ field, code: 'invalid' }] : [];
    });
    if (wrong.length > 0) refuse(400, wrong);
  };

  const read = (url: URL, headers: Headers): Response => {
    const { searchParams: query } = url;
    const [, , kind = '', id] = url.pathname.split('/');
    if (kind === 'orders' && id === undefined) {
      const rows = [...orders.values()].toSorted(byFields(query.get('sort')?.split(',') ?? []));
      return toPage(
        rows.map((row) => show(row, query)),
        url,
        true,
      );
    }
    if (kind === 'orders') {
      const shown = show(orders.get(Number(id)) ?? refuse(404), query);
      const etag = `W/"${createHash('sha1').update(JSON.stringify(shown)).digest('hex')}"`;
      if (headers.get('if-none-match') === etag) refuse(304);
      return Response.json(shown, { headers: { etag } });
    }
    if (kind === 'feed' && id === undefined) return toPage(companies, url, false);
    if (kind !== 'companies') refuse(404);
    return Response.json(id === undefined ? companies : (companies[Number(id) - 1] ?? refuse(404)));
  };

  const write = ({ method, headers }: Request, body: string, id: string | undefined): Response => {
    const row = id === undefined ? undefined : (orders.get(Number(id)) ?? refuse(404));
    if (method === 'DELETE') {
      orders.delete(Number(id));
      return new Response(null, { status: 204 });
    }
    if ((method === 'POST') === (id !== undefined)) refuse(405);
    if (headers.get('content-type') !== 'application/json') refuse(415);
    const value: Row = body.endsWith('}') ? JSON.parse(body) : refuse(400);
    if (method !== 'PATCH') check(value);
    if (method === 'POST') {
      const made = keep(value, Math.max(0, ...orders.keys()) + 1);
      const location = `/v1/orders/${String(made.id)}`;
      return Response.json(show(made, new URLSearchParams()), { status: 201, headers: { location } });
    }
    keep(method === 'PATCH' ? { ...row, ...value } : value, Number(id));
    return new Response(null, { status: 204 });
  };

  const respond = (request: Request, body: string): Response => {
    const { method, headers } = request;
    const url = new URL(request.url);
    if (url.pathname === '/auth/token') return requestTokens(new URLSearchParams(body));
    if (method === 'HEAD') refuse(405);
    const [scheme, token = ''] = (headers.get('authorization') ?? '').split(' ');
    if (scheme !== 'Bearer' || token.split('.').length !== 3) refuse(401);
    if (!/application\/json|\*\/\*/.test(headers.get('accept') ?? '*/*')) refuse(415);
    if (!url.pathname.startsWith('/v1/')) refuse(404);
    if (method === 'OPTIONS') return new Response(null, { headers: { accept: 'GET,POST,PUT,PATCH,DELETE' } });
    return method === 'GET' ? read(url, headers) : write(request, body, url.pathname.split('/')[3]);
  };

  for (let id = 1; id <= 35; id++) {
    const status = ['open', 'shipped', 'cancelled'][id % 3];
    const device = { model: `m${id % 4}`, serial: `S-${id}` };
    const lines = [{ sku: 'A', quantity: id }];
    keep({ status, note: `Note ${id}`, device, lines, company: { id: (id % 3) + 1 }, payer: { id: 1 } }, id);
  }
  const fetch = async (...given: ConstructorParameters<typeof Request>): Promise<Response> => {
    const request = new Request(...given);
    try {
      return respond(request, await request.text());
    } catch (error) {
      if (error instanceof Response) return error;
      throw error;
    }
  };
  return { url: origin, orders, fetch };
};
