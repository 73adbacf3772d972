import { setTimeout } from 'node:timers/promises';
import { json, type Reply, record } from './recording-server.ts';
import { tokenReply } from './token-server.ts';

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
  /** Requests for pages that have no response yet. */
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

  const respondToken = (form: string): Reply => {
    const grant =
      new URLSearchParams(form).get('grant_type') === 'refresh_token' ? 'refresh_token' : 'password';
    grants[grant]++;
    token++;
    served = 0;
    return tokenReply(`access-${token}`, `refresh-${token}`);
  };
  const respondPage = (page: number): Reply => {
    served++;
    const first = (page - 1) * perPage;
    const items = Array.from({ length: Math.max(0, Math.min(perPage, count - first)) }, (_, index) => {
      const id = first + index + 1;
      return { id, self: `${server.url}/v1/things/${id}`, name: `Thing ${id}` };
    });
    return json(items, 200, {
      link: linksOf(server.url, page, last, totals),
      'x-pagination-current-page': String(page),
      'x-pagination-page-size': String(perPage),
      ...(totals
        ? { 'x-pagination-total-pages': String(last), 'x-pagination-total-count': String(count) }
        : {}),
    });
  };

  const server = await record(async ({ url, headers, body }, _index, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname === '/auth/token') return respondToken(body);
    const page = Number(searchParams.get('page') ?? 1);
    pages.push(page);
    onTheWay++;
    response.on('close', () => onTheWay--);
    if (delayMs > 0) await setTimeout(delayMs);
    if (headers.authorization !== `Bearer access-${token}` || served >= pagesPerToken)
      return json({ message: 'Invalid token' }, 401, { 'www-authenticate': 'Bearer' });
    switch (fault?.(page)) {
      case 'reset':
        return 'reset';
      case 'unavailable':
        return json({ message: 'Outage' }, 503);
      case 'throttled':
        return json({ message: 'Slow down' }, 429, { 'retry-after': '0' });
      default:
        return respondPage(page);
    }
  });
  return { url: server.url, pages, grants, onTheWay: () => onTheWay, close: server.close };
};
