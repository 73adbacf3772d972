import { CrossOriginUrlError, UnexpectedResponseError } from 'restkin';
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

describe('a next link', () => {
  test('with a fragment is followed without it', async () => {
    const { companies } = await listing((page) => (page === 1 ? '<?page=2#top>; rel=next' : undefined));
    expect((await companies.list()).next).toMatch(/\/companies\?page=2$/);
    const read: number[] = [];
    await readAll(companies.list(), read);
    expect(read).toEqual([1, 2]);
  });

  test('about something else is ignored, also where its anchor is no URL', async () => {
    const { companies } = await listing(() => '<?page=2>; rel=next; anchor="http://["');
    expect((await companies.list()).next).toBeUndefined();
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
