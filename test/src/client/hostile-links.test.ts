import { CrossOriginUrlError, ForbiddenError, PagingError, UnexpectedResponseError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { company, connect, failureOf } from '../../support/basic-ordering.ts';
import { startRawServer } from '../../support/raw-server.ts';

/** A list whose pages have these Link fields, by their number. */
const listing = async (linkOf: (page: number, url: string) => string | undefined) => {
  const server = await startRawServer(({ url, headers }) => {
    const page = Number(new URL(url, 'http://a.test').searchParams.get('page') ?? 1);
    const link = linkOf(page, `http://${headers.host}${url}`);
    return { headers: link === undefined ? {} : { link }, body: JSON.stringify([company(page)]) };
  });
  return { server, ...connect(server.url) };
};

const readAll = async (list: AsyncIterable<{ readonly id: number }>, read: number[]): Promise<void> => {
  for await (const { id } of list) read.push(id);
};

describe('a response without any paging field', () => {
  const listed = async (status: number) => {
    const server = await startRawServer(({ url }) =>
      url.includes('page=2')
        ? { status, body: '{"message":"There is no such page"}' }
        : { body: JSON.stringify([company(1), company(2)]) },
    );
    return { server, ...connect(server.url) };
  };

  test.each([400, 404])('is the whole list where the server has no second page (%d)', async (status) => {
    const { companies, server } = await listed(status);
    const read: number[] = [];
    await readAll(companies.list(), read);
    expect([read, server.requests.length]).toEqual([[1, 2], 2]);
  });

  test('is not, where the second page is refused', async () => {
    const { companies } = await listed(403);
    const read: number[] = [];
    expect((await failureOf(readAll(companies.list(), read), ForbiddenError)).status).toBe(403);
    expect(read).toEqual([1, 2]);
  });
});

describe('a place to continue from', () => {
  test.each([
    ['prev', '#delivered=1&id=77', '/admin/reindex?all=1'],
    ['next', '#delivered=1&id=1', '/v1/secrets'],
    ['next', '#delivered=1&id=77', '/v1/secrets?page=2'],
  ])('is not looked for behind a %s link (%s) to %s', async (relation, place, target) => {
    const { companies, server } = await listing(() => `<${target}>; rel="${relation}"`);
    const from = `${server.url}/v1/companies${place}`;
    const { message } = await failureOf(companies.list({ from }).toArray(), PagingError);
    expect(message).toBe(
      `GET ${server.url}/v1/companies: the ${relation} link leads out of the collection (§4.5)`,
    );
    expect((await failureOf(companies.list({ from }), PagingError)).message).toBe(message);
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/companies', '/v1/companies']);
  });
});

describe('a next link', () => {
  test('to another origin is not followed; its page is read', async () => {
    const other = await startRawServer(() => ({ body: '[]' }));
    const { companies } = await listing(() => `<${other.url}/v1/companies?page=2>; rel="next"`);
    const read: number[] = [];
    expect((await failureOf(readAll(companies.list(), read), CrossOriginUrlError)).name).toBe(
      'CrossOriginUrlError',
    );
    expect([read, other.requests.length]).toEqual([[1], 0]);
    const page = await companies.list();
    expect((await failureOf(companies.list({ from: page.next }), CrossOriginUrlError)).name).toBe(
      'CrossOriginUrlError',
    );
    expect(other.requests).toHaveLength(0);
  });

  test.each(['?page=1', '?page=2'])('that loops to %s ends with an error', async (back) => {
    const { companies, server } = await listing(
      (page) => `<${page < 3 ? `?page=${page + 1}` : back}>; rel=next`,
    );
    const read: number[] = [];
    expect((await failureOf(readAll(companies.list({ page: 1 }), read), PagingError)).name).toBe(
      'PagingError',
    );
    expect([read, server.requests.length]).toEqual([[1, 2, 3], 3]);
  });

  test('with a fragment is followed without it, so that it is no position', async () => {
    const { companies } = await listing((page) =>
      page === 1 ? '<?page=2#delivered=1>; rel=next' : undefined,
    );
    expect((await companies.list()).next).toMatch(/\/companies\?page=2$/);
    const read: number[] = [];
    await readAll(companies.list(), read);
    expect(read).toEqual([1, 2]);
  });

  test('about something else is ignored, also where its anchor is no URL', async () => {
    const { companies } = await listing(() => '<?page=2>; rel=next; anchor="http://["');
    expect((await companies.list()).next).toBeUndefined();
  });

  test('to itself', async () => {
    const { companies, server } = await listing((_page, url) => `<${url}>; rel=next`);
    const read: number[] = [];
    expect((await failureOf(readAll(companies.list(), read), PagingError)).name).toBe('PagingError');
    expect([read, server.requests.length]).toEqual([[1], 1]);
  });

  test.each(['<http://[>; rel=next', '<http://a:b:c/>; rel=next'])('that is no URL: %s', async (link) => {
    const { companies } = await listing(() => link);
    const error = await failureOf(companies.list(), UnexpectedResponseError);
    expect(error).toMatchObject({ status: 200, method: 'GET' });
  });

  test.each([
    'javascript:alert(1)',
    'data:application/json,[]',
    'file:///etc/passwd',
    'http://a:b@127.0.0.1/',
  ])('to %s is not followed', async (target) => {
    const { companies, server } = await listing(() => `<${target}>; rel=next`);
    expect((await failureOf(companies.list().toArray(), CrossOriginUrlError)).name).toBe(
      'CrossOriginUrlError',
    );
    expect(server.requests).toHaveLength(1);
  });
});

test.each(['next', '<?page=2', '<?page=2>; rel="next', '<?page=2> rel=next'])(
  'a Link field that cannot be read is an error, never the end of the list: %s',
  async (link) => {
    const { companies } = await listing(() => link);
    const error = await failureOf(companies.list().toArray(), UnexpectedResponseError);
    expect(error).toMatchObject({ status: 200, method: 'GET' });
    expect(error.attempts).toHaveLength(1);
  },
);

test('a failure in the middle of a list keeps what was read', async () => {
  const server = await startRawServer(({ url }) =>
    url.includes('page=2')
      ? { body: '[{"id":"2"}]' }
      : { headers: { link: '<?page=2>; rel=next' }, body: JSON.stringify([company(1)]) },
  );
  const read: number[] = [];
  const error = await failureOf(readAll(connect(server.url).companies.list(), read), UnexpectedResponseError);
  expect(read).toEqual([1]);
  expect(error.url).toContain('page=2');
});
