import { collection, defineApi, resource } from 'restkin';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { resolvePath } from '../../src/cli/target.ts';
import { apiFile, runHere } from './run-here.ts';
import { type Served, serveOrdering } from './served.ts';

let served: Served;
beforeAll(async () => {
  served = await serveOrdering();
});
afterEach(() => served.mock.reset());
afterAll(() => served.server.close());

const get = (...args: readonly string[]) => runHere(['get', apiFile, ...args], served.env);

const recordsOf = ({ stdout }: { readonly stdout: string }): readonly { readonly id: number }[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const idsOf = (result: { readonly stdout: string }) => recordsOf(result).map(({ id }) => id);

describe('restkin get of a list', () => {
  test('prints the first page without --all and --limit, a line for each record, and requests no other', async () => {
    const result = await get('orders', '--per-page=4');
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(idsOf(result)).toEqual([1, 2, 3, 4]);
    expect(served.mock.requests.filter(({ path }) => path.endsWith('/orders'))).toHaveLength(1);
  });

  test('prints the page of --page', async () => {
    expect(idsOf(await get('orders', '--page=3', '--per-page=4'))).toEqual([9, 10, 11, 12]);
  });

  test('says with --all that a server shows neither a total nor a next page', async () => {
    const bare = await serveOrdering((respond) => async (request) => {
      const response = await respond(request);
      const shown = [...response.headers].filter(([name]) => !/^(?:link|x-pagination-.*)$/.test(name));
      return new Response(response.body, { status: response.status, headers: shown });
    });
    try {
      const { code, stderr, stdout } = await runHere(['get', apiFile, 'orders', '--all'], bare.env);
      expect([code, idsOf({ stdout }).length]).toEqual([0, 25]);
      expect(stderr).toBe(
        'No total and no next link came with these 25 records; "restkin doctor" tells whether there are more\n',
      );
      // A page that is not full is the last one.
      const short = await runHere(['get', apiFile, 'companies', '--all', '--per-page=4'], bare.env);
      expect([short.stderr, idsOf(short).length]).toEqual(['', 3]);
      // Of links alone, it has none; and its length is no usual size of a page.
      const linked = await runHere(['get', apiFile, 'feed', '--all'], bare.env);
      expect([linked.stderr, idsOf(linked).length]).toEqual(['', 3]);
      const unknown = await runHere(['get', apiFile, 'companies', '--all'], bare.env);
      expect(unknown.stderr).toContain('these 3 records');
    } finally {
      await bare.server.close();
    }
  });

  test('says it with --all of a page that has fewer records than --per-page, which a server may have lowered', async () => {
    const lowering = await serveOrdering((respond) => async (request) => {
      const url = new URL(request.url);
      if (url.searchParams.has('perPage')) url.searchParams.set('perPage', '15');
      const response = await respond(new Request(url, request));
      return new Response(response.body, {
        status: response.status,
        headers: { 'content-type': 'application/json' },
      });
    });
    try {
      const lowered = await runHere(
        ['get', apiFile, 'companies/1/orders', '--all', '--per-page=100'],
        lowering.env,
      );
      expect(idsOf(lowered)).toHaveLength(15);
      expect(lowered.stderr).toContain('these 15 records');
      const declared = await runHere(['get', apiFile, 'orders', '--all', '--per-page=100'], lowering.env);
      expect([declared.stderr, idsOf(declared).length]).toEqual(['', 15]);
    } finally {
      await lowering.server.close();
    }
  });

  test('prints every record with --all', async () => {
    expect(idsOf(await get('orders', '--all'))).toHaveLength(60);
  });

  test('prints as many records as --limit says', async () => {
    expect(idsOf(await get('orders', '--limit=30'))).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
  });

  test('prints nothing of a list without records', async () => {
    expect((await get('companies/99/orders')).stdout).toBe('');
  });

  test('sends sort, fields and expand as given, and takes a descending sort as a separate word', async () => {
    const query = ['--fields=status', '--fields', 'company', '--expand=company', '--limit=1'];
    const { url } = served;
    expect(recordsOf(await get('orders', '--sort', '-createdAt,id', ...query))).toEqual([
      {
        id: 60,
        self: `${url}/v1/orders/60`,
        status: 'open',
        company: { id: 3, self: `${url}/v1/companies/3`, name: 'Red\u001b[31m\nTwo', city: '=1+1' },
      },
    ]);
  });

  test('reads the values of --param as their schema wants them', async () => {
    const { code, stderr } = await get('feed', '--param', 'limit=5', '--param', 'since=2026');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [request] = served.mock.requests.filter(({ path }) => path.endsWith('/feed'));
    expect(Object.fromEntries(request?.search ?? [])).toEqual({ limit: '5', since: '2026' });
  });

  test.each([
    ['a value that does not fit', 'limit=many'],
    ['a name that is not declared', 'colour=red'],
  ])('refuses %s of --param', async (_, param) => {
    expect(await get('feed', '--param', param)).toMatchObject({ code: 2 });
  });

  test('reads a collection below a resource by its path', async () => {
    expect(idsOf(await get('companies/2/orders', '--limit=3'))).toEqual([2, 5, 8]);
  });
});

describe('restkin get of one resource', () => {
  test('prints it as a line', async () => {
    expect(recordsOf(await get('/orders/2', '--fields=note'))).toEqual([
      { id: 2, self: `${served.url}/v1/orders/2`, note: 'second' },
    ]);
  });

  test('reads it below another resource by its path', async () => {
    expect(recordsOf(await get('companies/2/orders/5'))).toMatchObject([{ id: 5 }]);
  });

  test('refuses the options of a list', async () => {
    expect(await get('orders/2', '--all')).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('on a terminal', () => {
  const getCompanies = (...options: readonly string[]) =>
    runHere(['get', apiFile, 'companies', ...options], served.env, { isTTY: true });

  test('it prints a table', async () => {
    const { code, stdout } = await getCompanies();
    expect(code).toBe(0);
    expect(stdout.split('\n')[1]).toMatch(/^│ id │ self +│ name +│ city +│$/);
    expect(stdout).toContain('│ 株式会社 ');
  });

  test('it prints none of the characters that a terminal obeys', async () => {
    expect((await getCompanies()).stdout).not.toContain('\u001b');
  });

  test('it shows its progress, and removes it at the end', async () => {
    expect((await getCompanies()).stderr).toBe('\rpage 1, 3 of 3 records\u001b[K\r\u001b[K');
  });

  test('it says how to read the records that are left', async () => {
    const { stderr } = await getCompanies('--per-page=2');
    expect(stderr).toContain('\u001b[K2 of 3 records; --all reads the rest\n');
  });
});

describe('restkin get of the key of a nested collection, with path parameters in --param', () => {
  test('prints its list, and one resource of it', async () => {
    const listed = await get('companyOrders', '--param=companyId=2', '--per-page=3');
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(recordsOf(listed)).toMatchObject(Array(3).fill({ company: { id: 2 } }));
    const [first] = idsOf(listed);
    const one = await get(`companyOrders/${first}`, '--param', 'companyId=2');
    expect([one.stderr, idsOf(one)]).toEqual(['', [first]]);
  });

  test.each([
    [['companyOrders'], 'companyOrders is companies/:companyId/orders; give --param=companyId=…\n'],
    [['companyOrders/7'], 'companyOrders is companies/:companyId/orders; give --param=companyId=…\n'],
    [['companyOrders', '--param=companyId=1', '--param=nope=1'], '"companyOrders": `params` is not declared'],
    [
      ['companyOrders', '--param=companyId=1', '--param=companyId=2'],
      '--param has "companyId" more than once',
    ],
    [['companyOrders/7', '--param=companyId=1', '--param=nope=1'], 'takes --fields and --expand only'],
    [['companies/1/orders', '--param=companyId=1'], '"companyOrders": `params` is not declared'],
    [['companyOrders/7/lines', '--param=companyId=1'], 'did you mean companies/:companyId/orders/7/lines?'],
  ])('refuses %j', async (argv, problem) => {
    const { code, stderr } = await get(...argv);
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });
});

const Thing = resource({ name: z.string() });
const api = defineApi({
  name: 'things',
  version: 1,
  auth: 'token',
  collections: {
    byId: collection('things/:thingId/parts', Thing),
    things: collection('things', Thing),
    archive: collection('things/archive', Thing),
    newParts: collection('things/new/parts', Thing),
  },
});

test.each<[string, string, object]>([
  ['a collection', '/things', { key: 'things', id: undefined }],
  ['one of its resources, whose id is decoded', 'things/a%2Fb%20c', { key: 'things', id: 'a/b c' }],
  ['a collection in place of a resource', 'things/archive', { key: 'archive', id: undefined }],
  ['a collection in place of one below a resource', 'things/new/parts', { key: 'newParts' }],
  ['a resource below a resource', 'things/7/parts/8', { key: 'byId', id: '8', parameters: { thingId: '7' } }],
])('a path leads to %s', (_, path, target) => {
  expect(resolvePath(api, path)).toMatchObject(target);
});
