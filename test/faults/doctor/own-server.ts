import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { login } from './server.ts';

// A server of the family that shares no line with the mock: it does what the conventions say in another way.

type Row = Record<string, unknown>;

class Refusal extends Error {
  readonly status: number;
  readonly items: readonly Row[] | undefined;
  constructor(status: number, items?: readonly Row[]) {
    super(`Refused with ${status}`);
    this.status = status;
    this.items = items;
  }
}

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Access tokens of one second are equal, as those of a signature without an id are. */
const toJwt = (claims: Row): string => `${base64url({ alg: 'none' })}.${base64url(claims)}.c2ln`;

const createTokens = () => {
  const refreshTokens = new Set<string>();
  const issue = () => {
    const iat = Math.floor(Date.now() / 1000);
    const refresh_token = toJwt({ iat, jti: randomUUID() });
    refreshTokens.add(refresh_token);
    return {
      access_token: toJwt({ iat, sub: login.username }),
      expires_in: 600,
      token_type: 'Bearer',
      refresh_expires_in: 2_592_000,
      refresh_token,
    };
  };
  return (form: URLSearchParams) => {
    const need = (name: string): string => {
      const value = form.get(name);
      if (!value) throw new Refusal(400);
      return value;
    };
    switch (form.get('grant_type')) {
      case 'password': {
        const [username, password] = [need('username'), need('password')];
        if (username !== login.username || password !== login.password) throw new Refusal(401);
        return issue();
      }
      case 'refresh_token':
        if (!refreshTokens.delete(need('refresh_token'))) throw new Refusal(401);
        return issue();
      default:
        throw new Refusal(400);
    }
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
      if (left === undefined) throw new Refusal(400);
      const order =
        typeof left === 'number' ? left - Number(right) : collate.compare(String(left), String(right));
      if (order !== 0) return name.startsWith('-') ? -order : order;
    }
    return 0;
  };

/** Serves orders and companies of the shop until the test is over. */
export const serveOwn = async (): Promise<{
  readonly url: string;
  readonly orders: ReadonlyMap<number, Row>;
}> => {
  const requestTokens = createTokens();
  let url = '';
  const companies = new Map(
    ['Acme', 'bolt', 'Cobra'].map((name, index) => [index + 1, { id: index + 1, name, city: 'Oslo' }]),
  );
  const company = (id: unknown, isWhole: boolean): Row => {
    const self = `${url}/v1/companies/${String(id)}`;
    return isWhole ? { ...companies.get(Number(id)), self } : { id, self };
  };
  const orders = new Map<number, Row>();
  const keep = (body: Row, id: number): Row => {
    const lines = (body.lines as Row[]).map((line, index) => ({ ...line, id: index + 1 }));
    // The server knows when it was created.
    const row = {
      ...body,
      id,
      lines,
      createdAt: body.createdAt ?? new Date(1_750_000_000_000 + ((id * 37) % 50) * 3_600_000).toISOString(),
    };
    orders.set(id, row);
    return row;
  };
  const show = (row: Row, expand: readonly string[]): Row => ({
    ...row,
    self: `${url}/v1/orders/${String(row.id)}`,
    company: company((row.company as Row).id, expand.includes('company')),
    payer: company((row.payer as Row).id, expand.includes('payer')),
  });
  const check = (body: Row): void => {
    const wrong = ['status', 'note', 'device', 'lines', 'company', 'payer'].flatMap((field) => {
      if (body[field] === undefined) return [{ field, code: 'missingField' }];
      const isString = field === 'status' || field === 'note';
      return isString && typeof body[field] !== 'string'
        ? [{ field, code: 'invalid', message: 'not a string' }]
        : [];
    });
    if (wrong.length > 0) throw new Refusal(400, wrong);
  };

  const list = (
    rows: readonly Row[],
    query: URLSearchParams,
    path: string,
    hasTotals: boolean,
    response: ServerResponse,
  ) => {
    const [page, perPage] = [query.get('page') ?? '1', query.get('perPage') ?? '10'];
    if (!/^[1-9]\d*$/.test(page) || !/^[1-9]\d*$/.test(perPage) || Number(perPage) > 200)
      throw new Refusal(400);
    const [number, size] = [Number(page), Number(perPage)];
    const last = Math.max(1, Math.ceil(rows.length / size));
    const to = (target: number, relation: string): string => {
      const search = new URLSearchParams(query);
      search.set('page', String(target));
      search.set('perPage', String(size));
      return `<${path}?${search}>;rel=${relation}`;
    };
    const links = [
      ...(hasTotals && number > 1 ? [to(1, 'first'), to(number - 1, 'prev')] : []),
      ...(number < last ? [to(number + 1, 'next')] : []),
      ...(hasTotals ? [to(last, 'last')] : []),
    ];
    if (links.length > 0) response.setHeader('Link', links);
    if (hasTotals) {
      response.setHeader('X-Pagination-Total-Pages', last);
      response.setHeader('X-Pagination-Total-Count', rows.length);
    }
    response.setHeader('X-Pagination-Current-Page', number);
    response.setHeader('X-Pagination-Page-Size', size);
    return rows.slice((number - 1) * size, number * size);
  };

  const read = (
    request: IncomingMessage,
    query: URLSearchParams,
    segments: readonly string[],
    response: ServerResponse,
  ): unknown => {
    const [, kind, id] = segments;
    const names = (name: string): readonly string[] => query.get(name)?.split(',') ?? [];
    const limit = (row: Row): Row => (query.has('fields') ? pick(row, names('fields')) : row);
    if (kind === 'orders' && id === undefined) {
      const rows = [...orders.values()].toSorted(byFields(names('sort')));
      const shown = rows.map((row) => limit(show(row, names('expand'))));
      return list(shown, query, '/v1/orders', true, response);
    }
    if (kind === 'orders') {
      const row = orders.get(Number(id));
      if (row === undefined) throw new Refusal(404);
      const shown = limit(show(row, names('expand')));
      const etag = `W/"${createHash('sha1').update(JSON.stringify(shown)).digest('hex')}"`;
      response.setHeader('ETag', etag);
      if (request.headers['if-none-match'] === etag) throw new Refusal(304);
      return shown;
    }
    if (kind === 'companies' && id === undefined)
      return [...companies.keys()].map((key) => company(key, true));
    if (kind === 'companies' && companies.has(Number(id))) return company(id, true);
    if (kind === 'feed' && id === undefined) {
      return list(
        [...companies.keys()].map((key) => company(key, true)),
        query,
        '/v1/feed',
        false,
        response,
      );
    }
    throw new Refusal(404);
  };

  const write = (
    request: IncomingMessage,
    body: string,
    [, , id]: readonly string[],
    response: ServerResponse,
  ): unknown => {
    const { method = '' } = request;
    const row = id === undefined ? undefined : orders.get(Number(id));
    if (id !== undefined && row === undefined) throw new Refusal(404);
    if (method === 'DELETE') {
      orders.delete(Number(id));
      throw new Refusal(204);
    }
    if ((method === 'POST') === (id !== undefined)) throw new Refusal(405);
    if (request.headers['content-type'] !== 'application/json') throw new Refusal(415);
    let value: Row;
    try {
      value = JSON.parse(body);
    } catch {
      throw new Refusal(400);
    }
    if (method !== 'PATCH') check(value);
    if (method === 'POST') {
      const made = keep(value, Math.max(0, ...orders.keys()) + 1);
      response.statusCode = 201;
      response.setHeader('Location', `/v1/orders/${String(made.id)}`);
      return show(made, []);
    }
    keep(method === 'PATCH' ? { ...row, ...value } : value, Number(id));
    throw new Refusal(204);
  };

  const respond = (request: IncomingMessage, body: string, response: ServerResponse): unknown => {
    const { method = '', headers } = request;
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    if (pathname === '/auth/token') return requestTokens(new URLSearchParams(body));
    if (method === 'HEAD') throw new Refusal(405);
    const [scheme, token = ''] = (headers.authorization ?? '').split(' ');
    if (scheme !== 'Bearer' || token.split('.').length !== 3) throw new Refusal(401);
    if (!/application\/json|\*\/\*/.test(headers.accept ?? '*/*')) throw new Refusal(415);
    const segments = pathname.slice(1).split('/');
    if (segments[0] !== 'v1') throw new Refusal(404);
    if (method === 'OPTIONS') {
      response.setHeader('Accept', 'GET,POST,PUT,PATCH,DELETE');
      throw new Refusal(200);
    }
    return method === 'GET'
      ? read(request, searchParams, segments, response)
      : write(request, body, segments, response);
  };

  for (let id = 1; id <= 35; id++) {
    const status = ['open', 'shipped', 'cancelled'][id % 3];
    const device = { model: `m${id % 4}`, serial: `S-${id}` };
    keep(
      {
        status,
        note: `Note ${id}`,
        device,
        lines: [{ sku: 'A', quantity: id }],
        company: { id: (id % 3) + 1 },
        payer: { id: 1 },
      },
      id,
    );
  }
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    try {
      const value = respond(request, Buffer.concat(chunks).toString(), response);
      response.setHeader('Content-Type', 'application/json; charset=utf-8').end(JSON.stringify(value));
    } catch (error) {
      const { status, items, message } = error instanceof Refusal ? error : new Refusal(500);
      response.statusCode = status;
      if (status < 400) return void response.end();
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ message, errors: items }));
    }
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return { url, orders };
};
