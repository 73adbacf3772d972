import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of a request for a page. */
export type PageFault = 'unavailable' | 'throttled' | 'reset' | undefined;

export interface ListServerOptions {
  readonly count: number;
  readonly perPage: number;
  /** True by default. */
  readonly totals?: boolean;
  /** Milliseconds before each page. */
  readonly delayMs?: number;
  /** Called for each request of a page. */
  readonly fault?: (page: number) => PageFault;
  /** An access token is refused after so many pages; never by default. */
  readonly pagesPerToken?: number;
}

/** A list of `count` records over HTTP, written apart from the mock. */
export interface ListServer {
  readonly url: string;
  /** Requests for pages, in the order they came. */
  readonly pages: readonly number[];
  /** Token requests by grant type. */
  readonly grants: Readonly<Record<'password' | 'refresh_token', number>>;
  /** Requests for pages that are not answered yet. */
  onTheWay(): number;
  close(): Promise<void>;
}

const linksOf = (url: string, page: number, last: number, totals: boolean): string => {
  const links = [];
  if (page < last) links.push(`<${url}/v1/things?page=${page + 1}>; rel="next"`);
  if (totals && page > 1) links.push(`<${url}/v1/things?page=1>; rel="first"`);
  if (totals && page < last) links.push(`<${url}/v1/things?page=${last}>; rel="last"`);
  return links.join(', ');
};

/** Starts the server on a free port of this machine. */
export const startListServer = async (options: ListServerOptions): Promise<ListServer> => {
  const {
    count,
    perPage,
    totals = true,
    delayMs = 0,
    fault,
    pagesPerToken = Number.POSITIVE_INFINITY,
  } = options;
  const last = Math.max(1, Math.ceil(count / perPage));
  const pages: number[] = [];
  const grants = { password: 0, refresh_token: 0 };
  let onTheWay = 0;
  let token = 0;
  let served = 0;
  let url = '';

  const json = (
    response: ServerResponse,
    status: number,
    value: unknown,
    headers: Record<string, string> = {},
  ): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };
  const answerToken = (form: string, response: ServerResponse): void => {
    const grant =
      new URLSearchParams(form).get('grant_type') === 'refresh_token' ? 'refresh_token' : 'password';
    grants[grant]++;
    token++;
    served = 0;
    const tokens = { access_token: `access-${token}`, refresh_token: `refresh-${token}` };
    json(response, 200, { ...tokens, token_type: 'bearer', expires_in: 600, refresh_expires_in: 9_000 });
  };
  const answerPage = (page: number, authorization: string | undefined, response: ServerResponse): void => {
    if (authorization !== `Bearer access-${token}` || served >= pagesPerToken) {
      json(response, 401, { message: 'Invalid token' }, { 'www-authenticate': 'Bearer' });
      return;
    }
    const what = fault?.(page);
    if (what === 'reset') response.socket?.resetAndDestroy();
    else if (what === 'unavailable') json(response, 503, { message: 'Outage' });
    else if (what === 'throttled') json(response, 429, { message: 'Slow down' }, { 'retry-after': '0' });
    else serve(page, response);
  };
  const serve = (page: number, response: ServerResponse): void => {
    served++;
    const first = (page - 1) * perPage;
    const items = Array.from({ length: Math.max(0, Math.min(perPage, count - first)) }, (_, index) => {
      const id = first + index + 1;
      return { id, self: `${url}/v1/things/${id}`, name: `Thing ${id}` };
    });
    json(response, 200, items, {
      link: linksOf(url, page, last, totals),
      'x-pagination-current-page': String(page),
      'x-pagination-page-size': String(perPage),
      ...(totals
        ? { 'x-pagination-total-pages': String(last), 'x-pagination-total-count': String(count) }
        : {}),
    });
  };

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      if (pathname === '/auth/token') return answerToken(body, response);
      const page = Number(searchParams.get('page') ?? 1);
      pages.push(page);
      onTheWay++;
      response.on('close', () => onTheWay--);
      const answer = (): void => answerPage(page, request.headers.authorization, response);
      if (delayMs === 0) answer();
      else setTimeout(answer, delayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    pages,
    grants,
    onTheWay: () => onTheWay,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
