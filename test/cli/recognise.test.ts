import { collection, defineApi, expandable, family, resource } from 'restkin';
import * as presets from 'restkin/families';
import { createMock, serve } from 'restkin/mocks';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { basePathOf, type Family } from '../../src/families/family.ts';
import { readFamily } from '../../src/families/read-family.ts';
import { runHere } from './run-here.ts';

const rows = [1, 2, 3, 4, 5].map((id) => ({ id, title: `Title ${id}`, note: id === 2 ? null : 'a' }));

const serveFamily = async (given: Family) => {
  const { resource, collection, defineApi } = family(given);
  const book = resource({ title: z.string(), note: z.nullable(z.string()) });
  const books = collection('books', book, { paging: { defaultPerPage: 2 } });
  const api = defineApi({ name: 'library', version: 1, auth: 'custom', collections: { books } });
  const server = await serve(createMock(api, { data: { books: rows } }));
  onTestFinished(() => server.close());
  const whole = readFamily(given);
  return `${server.url}${basePathOf(whole, 1)}/books${whole.trailingSlash ? '/' : ''}`;
};

test.each(Object.entries(presets))(
  'the mock of %s is recognised without a difference',
  async (name, preset) => {
    const { code, stdout, stderr } = await runHere(['recognise', await serveFamily(preset)]);
    expect(stderr).toContain(`The nearest preset is ${name};`);
    expect(code).toBe(0);
    expect(stdout).toContain(`= family(${name});`);
    expect(stdout).not.toContain('//');
    expect(stderr).toMatch(
      /Read it: createClient\(\{ baseUrl: 'http\S+', auth: customAuth\(\(\) => \(\{\}\)\) \}\)\.api\(api\)/,
    );
    expect(stdout).toContain('resource({ title: z.string(), note: z.nullable(z.string()) })');
    expect(stderr).not.toContain('whether');
  },
);

test('what differs from the preset is a line of the family', async () => {
  const list = { items: 'rows', next: { body: 'next' }, totalCount: { body: 'count' } } as const;
  const url = await serveFamily({ ...presets.drf, query: { page: 'p' }, list });
  const { stdout, stderr } = await runHere(['recognise', url]);
  expect(stderr).toContain('The nearest preset is drf;');
  expect(stderr).toContain('Not known: whether');
  expect(stdout).toMatch(/^\/\/ The nearest preset, with what differs from it\.\nconst \{.*family\(\{$/m);
  expect(stdout).toContain("page: 'p'");
  expect(stdout).toContain("items: 'rows'");
});

describe('the name of the size of a page', () => {
  // As Django does, it ignores a parameter that it does not know.
  const recognise = async (query = '', name = 'limit') => {
    const server = await serve({
      respond: async (request) => {
        const { searchParams } = new URL(request.url);
        const size = Number(searchParams.get(name) ?? 2);
        const start = (Number(searchParams.get('page') ?? 1) - 1) * size;
        return Response.json({ count: 5, next: null, results: rows.slice(start, start + size) });
      },
    });
    onTestFinished(() => server.close());
    return runHere(['recognise', `${server.url}/books/${query}`]);
  };

  test('is not known where no usual one has an effect, which are named', async () => {
    const { stderr } = await recognise('', 'n');
    expect(stderr).toContain(
      'its name for the size of a page: none of page_size, limit, per_page, pageSize, size, perPage, page[size], count had an effect; name it in query.perPage',
    );
  });

  test.each(['limit', 'per_page', 'pageSize', 'size', 'perPage', 'count'])(
    'is found among the usual ones: %s',
    async (name) => {
      const { stdout, stderr } = await recognise('', name);
      expect(stdout).toContain(`perPage: '${name}'`);
      expect(stderr).not.toContain('the size of a page');
    },
  );

  test('is the one in the URL', async () => {
    const { stdout, stderr } = await recognise('?limit=3');
    expect(stdout).toContain("perPage: 'limit'");
    expect(stderr).not.toContain('had no effect');
  });
});

test('a list of numbered pages without a total is continued by the link in its body', async () => {
  // As Laravel's `simplePaginate` responds.
  const server = await serve({
    respond: async (request) => {
      const url = new URL(request.url);
      const page = Number(url.searchParams.get('page') ?? 1);
      const size = Number(url.searchParams.get('per_page') ?? 2);
      const data = rows.slice((page - 1) * size, page * size);
      const next = page * size < rows.length ? `${url.origin}${url.pathname}?page=${page + 1}` : null;
      return Response.json({
        data,
        links: { prev: null, next },
        meta: { current_page: page, per_page: size },
      });
    },
  });
  onTestFinished(() => server.close());
  const { stdout, stderr } = await runHere(['recognise', `${server.url}/api/books`]);
  expect(stderr).toContain('The nearest preset is laravel;');
  expect(stdout).toContain("next: { body: 'links.next' }");
});

test('a list of errors and a filter are not taken for the records and the page', async () => {
  const server = await serve({
    respond: async (request) => {
      const url = new URL(request.url);
      const page = Number(url.searchParams.get('p') ?? 1);
      const data = rows.slice((page - 1) * 2, page * 2);
      const next = page * 2 < rows.length ? `${url.origin}${url.pathname}?user=2&p=${page + 1}` : null;
      return Response.json({ errors: [], data, links: { next } });
    },
  });
  onTestFinished(() => server.close());
  const { stdout } = await runHere(['recognise', `${server.url}/books?user=2&p=1`]);
  expect(stdout).toContain("page: 'p'");
  expect(stdout).not.toContain("'errors'");
  expect(stdout).toContain('title: z.string()');
});

test('presets that fit equally well are told, the first by name first', async () => {
  const list = { items: 'data', next: 'number', totalCount: { body: 'meta.totalItems' } } as const;
  const url = await serveFamily({ path: '', query: { page: 'p' }, list, identity: ['id'] });
  const { stderr } = await runHere(['recognise', url]);
  expect(stderr).toMatch(/^The nearest preset is directus; .*\nEqually near: nestjsPaginate\n/);
});

test('references are printed as the import prints them', async () => {
  const Company = resource({ name: z.string() });
  const Order = resource({
    status: z.string(),
    company: expandable(Company),
    payer: z.nullable(expandable(Company)),
  });
  const orders = collection('orders', Order, { paging: true });
  const companies = collection('companies', Company);
  const api = defineApi({ name: 'o', version: 1, auth: 'custom', collections: { orders, companies } });
  const server = await serve(createMock(api, { generate: 9 }));
  onTestFinished(() => server.close());
  const { stdout } = await runHere(['recognise', `${server.url}/v1/orders`]);
  expect(stdout).toContain('const { resource, expandable, collection, defineApi } = family(conventions);');
  expect(stdout).toContain('company: expandable(resource({})),');
  expect(stdout).toContain('payer: z.nullable(expandable(resource({}))),');
});

test('the login of a token endpoint takes the client of the environment', async () => {
  const forms: string[] = [];
  const server = await serve({
    respond: async (request) => {
      if (new URL(request.url).pathname !== '/auth/token') return Response.json([{ id: 1 }]);
      forms.push(`${request.headers.get('authorization')} ${await request.text()}`);
      return Response.json({ access_token: 'a-token-of-ada', expires_in: 600, token_type: 'bearer' });
    },
  });
  onTestFinished(() => server.close());
  const env = {
    RESTKIN_AUTH_URL: server.url,
    RESTKIN_USERNAME: 'ada',
    RESTKIN_PASSWORD: 'lovelace-1815',
    RESTKIN_CLIENT_ID: 'web',
    RESTKIN_SCOPE: 'read',
  };
  const { stdout, stderr } = await runHere(['recognise', `${server.url}/books`], env);
  expect(stderr).toContain('The nearest preset is');
  expect(stderr).toContain(
    `auth: tokenAuth({ authUrl: '${server.url}', username: …, password: …, client: { id: … }, scope: 'read' }) })`,
  );
  expect(stdout).toContain("auth: 'token',");
  expect(stderr).not.toContain('lovelace');
  expect(forms).toEqual([expect.stringMatching(/client_id=web/)]);
  expect(forms[0]).toContain('scope=read');
});

test('the value of a parameter that only has "count" in its name is not printed', async () => {
  const server = await serve({ respond: async () => Response.json([{ id: 1 }]) });
  onTestFinished(() => server.close());
  const { stdout, stderr } = await runHere(['recognise', `${server.url}/books?account_key=s3cret-of-ada`]);
  expect(stdout).toMatch(/params: z.object\(\{\s*account_key: z.string\(\)/);
  expect(stdout + stderr).not.toContain('s3cret');
});

describe('the client that is printed', () => {
  const recognise = async (...options: readonly string[]) => {
    const seen: (string | null)[] = [];
    const server = await serve({
      respond: async ({ headers }) => {
        seen.push(headers.get('authorization'), headers.get('x-tenant'));
        return Response.json([{ id: 1 }]);
      },
    });
    onTestFinished(() => server.close());
    const env = { RESTKIN_USERNAME: 'ada', RESTKIN_PASSWORD: 'lovelace-1815' };
    const given = ['recognise', `${server.url}/books`, '--header', 'X-Tenant: 7', ...options];
    return { ...(await runHere(given, env)), seen };
  };

  test('has the login by Basic and the header fields of the request', async () => {
    const { stdout, stderr, seen } = await recognise();
    expect(seen).toEqual(expect.arrayContaining([`Basic ${btoa('ada:lovelace-1815')}`, '7']));
    expect(stderr).toContain("auth: basicAuth({ username: …, password: … }), headers: { 'x-tenant': … } })");
    expect(stdout).toContain("auth: 'basic',");
  });

  test('has a login with tokens, where --auth-url names their endpoint', async () => {
    const { stderr } = await recognise('--auth-url=http://127.0.0.1:9');
    expect(stderr).toContain('POST http://127.0.0.1:9/auth/token: ');
  });

  test('has the credentials of a header field in place of a login', async () => {
    const { stdout, stderr } = await recognise('--header', 'Authorization: Bearer s3cret-of-ada');
    expect(stderr).toContain("auth: customAuth(() => ({ 'x-tenant': …, authorization: … })) })");
    expect(stdout).toContain("auth: 'custom',");
  });

  test('two logins are refused: a header field with credentials, and --auth-url', async () => {
    const authorization = ['--header', 'Authorization: Bearer s3cret-of-ada'];
    const { code, stderr, seen } = await recognise(...authorization, '--auth-url=http://127.0.0.1:9');
    expect([code, seen]).toEqual([2, []]);
    expect(stderr).toBe(
      'restkin: --header Authorization stands for a login, so that --auth-url would be ignored: leave one of them out\n',
    );
  });
});

test('no secret is printed, and no redirect leads to another origin', async () => {
  const seen: string[] = [];
  const other = await serve({ respond: async () => new Response(seen.push('other') ? '[]' : '') });
  const server = await serve({
    respond: async (request) => {
      seen.push(String(request.headers.get('x-api-key')));
      return new Response(null, { status: 302, headers: { Location: `${other.url}/books` } });
    },
  });
  onTestFinished(async () => {
    await server.close();
    await other.close();
  });
  const result = await runHere(['recognise', `${server.url}/books`, '--header', 'X-Api-Key: s3cret-of-ada']);
  expect(seen).toStrictEqual(['s3cret-of-ada']);
  expect(result.code).not.toBe(0);
  expect(JSON.stringify(result)).not.toContain('s3cret');
});

test('an error status ends the command with the code of the status', async () => {
  const server = await serve({ respond: async () => new Response('no', { status: 404 }) });
  onTestFinished(() => server.close());
  const { code, stdout, stderr } = await runHere(['recognise', `${server.url}/books`]);
  expect([code, stdout]).toEqual([5, '']);
  expect(stderr).toContain(`GET ${server.url}/books: 404 Not Found`);
});

/** Pages by `page` and `per_page`, as an Express handler of an afternoon does: without links. */
const servePlain = async (headers: Readonly<Record<string, string>>) => {
  const server = await serve({
    respond: async (request) => {
      const { searchParams } = new URL(request.url);
      const size = Number(searchParams.get('per_page') ?? 2);
      const start = (Number(searchParams.get('page') ?? 1) - 1) * size;
      return Response.json(rows.slice(start, start + size), { headers });
    },
  });
  onTestFinished(() => server.close());
  return `${server.url}/api/books`;
};

test('a server with a total and without links is read by the number of the page', async () => {
  const { stdout } = await runHere(['recognise', await servePlain({ 'x-total': '5' })]);
  expect(stdout).toContain("list: { next: 'number', totalCount: { header: 'X-Total' } },");
});

test('a server with neither a link nor a total is read until an empty page', async () => {
  const { stdout, stderr } = await runHere(['recognise', await servePlain({})]);
  expect(stdout).toContain("list: { next: 'untilEmpty' }");
  expect(stderr).not.toContain('leads to the next one');
});

test('a server with a total is not told to have no way to the next page', async () => {
  const { stderr } = await runHere(['recognise', await servePlain({ 'x-total': '5' })]);
  expect(stderr).not.toContain('leads to the next one');
});

test('names come from the collection, not from the path in front or the preset', async () => {
  const { stdout } = await runHere(['recognise', await servePlain({ 'x-total': '5' })]);
  expect(stdout).toContain('export const Book = resource(');
  expect(stdout).toContain("name: 'books',");
  expect(stdout).toContain("collections: { books: collection('api/books', Book, { paging: true }) },");
});

test('an ending of the path is no part of a name: Redmine', async () => {
  const server = await serve({ respond: async () => Response.json({ books: rows, total_count: 5 }) });
  onTestFinished(() => server.close());
  const { stdout } = await runHere(['recognise', `${server.url}/books.json`]);
  expect(stdout).toContain('export const Book = resource(');
  expect(stdout).toContain("collections: { books: collection('books.json', Book,");
});

test.each([
  ['is told where the URL asks for more records than came', 'per_page=500', true],
  ['is not seen where as many came', 'per_page=2', false],
  ['is not seen in the last page, which is short', 'page=3&per_page=2', false],
])('a size that the server lowers %s', async (_, query, isTold) => {
  const server = await serve({
    respond: async (request) => {
      const { searchParams } = new URL(request.url);
      const size = Math.min(2, Number(searchParams.get('per_page') ?? 2));
      const start = (Number(searchParams.get('page') ?? 1) - 1) * size;
      return Response.json({ data: rows.slice(start, start + size), meta: { total: 5 } });
    },
  });
  onTestFinished(() => server.close());
  const { stdout, stderr } = await runHere(['recognise', `${server.url}/books?${query}`]);
  expect(stdout.includes('clampsSize: true,')).toBe(isTold);
  expect(
    stderr.includes('\nNot known: the largest size of a page. Declare it in paging: { maxPerPage }'),
  ).toBe(isTold);
});
