import {
  CrossOriginUrlError,
  createClient,
  customAuth,
  family,
  InvalidRequestError,
  PagingError,
  resource,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import { failureOf } from '../../support/basic-ordering.ts';
import { json, record } from '../../support/recording-server.ts';

const auth = customAuth(() => ({ 'x-api-key': 'k-12345678' }));
const Plain = resource({});

const declared = family({
  path: '',
  query: { page: 'page' },
  list: { items: 'data', next: { body: 'next' } },
  identity: ['id'],
});
const books = declared.collection('books', declared.resource({}), { paging: true });
const api = declared.defineApi({ name: 'linked', auth: 'custom', collections: { books } });

/** A client of a server whose first page leads to a link. */
const serve = async (linkAt: (origin: string) => string) => {
  const server = await record(() => json({ data: [{ id: 1 }], next: linkAt(server.url) }));
  const client = createClient({ baseUrl: server.url, auth });
  return { server, client, link: linkAt(server.url) };
};

describe.each<[string, (origin: string) => string, string, (origin: string) => string]>([
  ['a script', () => 'javascript:alert(1)', 'is not an http: or https: URL', () => 'a javascript: URL'],
  ['another scheme', () => 'ftp://files.test/a', 'is not an http: or https: URL', () => 'a ftp: URL'],
  ['data', () => 'data:text/plain,abc', 'is not an http: or https: URL', () => 'a data: URL'],
  ['a blob', (origin) => `blob:${origin}/a`, 'is not an http: or https: URL', () => 'a blob: URL'],
  ['another origin', () => 'https://other.test/a', 'leads to another origin', () => 'https://other.test'],
  ['another host', () => '//other.test/a', 'leads to another origin', () => 'http://other.test'],
  [
    'a password',
    (origin) => origin.replace('//', '//ada:lovelace@'),
    'has a username or a password',
    (origin) => origin,
  ],
])('a link with %s', (_what, linkAt, problem, shown) => {
  test.each(['next', 'from', 'follow'] as const)(
    'is not followed as %s, and the error says why',
    async (how) => {
      const { server, client, link } = await serve(linkAt);
      await using _ = server;
      const ways = {
        next: () => client.api(api).books.list().toArray(),
        from: () => client.api(api).books.list({ from: link }).toArray(),
        follow: () => client.follow(Plain, link),
      };
      const error = await failureOf<CrossOriginUrlError>(Promise.resolve(ways[how]()), CrossOriginUrlError);
      expect(error.message).toContain(`GET ${shown(server.url)}: not sent: the link ${problem}`);
      expect(error.message).not.toContain('lovelace');
      expect(server.requests.length).toBe(how === 'next' ? 1 : 0);
    },
  );
});

describe('a link of a server behind a proxy that ends TLS, which has lost `https:`', () => {
  const baseUrl = 'https://api.test';
  const urls: string[] = [];
  const linking = (toLink: (page: number) => string): ReturnType<typeof createClient> => {
    urls.length = 0;
    const fetch = async (url: string): Promise<Response> => {
      urls.push(url);
      const page = Number(new URL(url).searchParams.get('page') ?? 1);
      return Response.json({ data: [{ id: page }], next: page === 3 ? null : toLink(page) });
    };
    return createClient({ baseUrl, auth, fetch });
  };

  test('is followed with the `https:` of `baseUrl`, and so is `from`', async () => {
    const client = linking((page) => `http://api.test/books?page=${page + 1}`);
    const { books } = client.api(api);
    expect(await books.list().toArray()).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(urls.map((url) => new URL(url).protocol)).toEqual(['https:', 'https:', 'https:']);
    const { next } = await books.list();
    expect(next).toBe('https://api.test/books?page=2');
    expect(await books.list({ from: 'http://api.test/books?page=3' }).toArray()).toEqual([{ id: 3 }]);
  });

  test('is a loop where it leads to its own page', async () => {
    const list = linking((page) => `http://api.test/books?page=${page}`)
      .api(api)
      .books.list({ page: 2 });
    await failureOf(Promise.resolve(list.toArray()), PagingError);
    expect(urls).toHaveLength(1);
  });

  test('is refused at another port', async () => {
    const list = linking(() => 'http://api.test:8000/books?page=2')
      .api(api)
      .books.list();
    await failureOf(Promise.resolve(list.toArray()), CrossOriginUrlError);
    expect(urls).toHaveLength(1);
  });
});

describe('a link to another path of the same origin', () => {
  const { resource, collection, defineApi } = family({
    path: '',
    query: { page: 'page' },
    list: { items: 'data', next: { body: 'next', optional: true }, anyPath: true },
    identity: ['id'],
  });
  const anywhere = defineApi({
    name: 'anywhere',
    auth: 'custom',
    collections: { books: collection('books', resource({}), { paging: true }) },
  });
  const serveBooks = async () => {
    const server = await record(({ url }) =>
      url.startsWith('/shelves/')
        ? json({ data: [{ id: 2 }], next: null })
        : json({ data: [{ id: 1 }], next: `${server.url}/shelves/7/books?page=2` }),
    );
    return { server, client: createClient({ baseUrl: server.url, auth }) };
  };

  test('is followed while a list is read, as it is written', async () => {
    const { server, client } = await serveBooks();
    await using _ = server;
    for (const declaration of [api, anywhere])
      expect(await client.api(declaration).books.list().toArray()).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('is taken as `from` with `anyPath`, and else is refused with that advice', async () => {
    const { server, client } = await serveBooks();
    await using _ = server;
    const from = `${server.url}/shelves/7/books?page=2`;
    expect(await client.api(anywhere).books.list({ from }).toArray()).toEqual([{ id: 2 }]);
    const refused = Promise.resolve(client.api(api).books.list({ from }).toArray());
    const error = await failureOf<InvalidRequestError>(refused, InvalidRequestError);
    expect(error.message).toContain('at /books, and leads to /shelves/7/books; if the links of the server');
    expect(error.message).toContain('declare list.anyPath');
  });
});

test('a link that is no URL is not followed either', async () => {
  const { server, client } = await serve(() => '');
  await using _ = server;
  const following = Promise.resolve(client.follow(Plain, 'http://[::1'));
  const error = await failureOf<CrossOriginUrlError>(following, CrossOriginUrlError);
  expect(error.message).toContain('GET an invalid URL: not sent: the link is not an http: or https: URL');
});
