import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { run } from './run-command.ts';
import { type Served, serveOrdering } from './served.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

let workspace: Workspace;
let served: Served;
beforeAll(async () => {
  [workspace, served] = await Promise.all([createWorkspace(), serveOrdering()]);
});
afterEach(() => served.mock.reset());
afterAll(async () => {
  await served.server.close();
  await workspace.remove();
});

const get = (...args: string[]) => run(['get', './api.ts', ...args], workspace.folder, served.env);

const idsOf = (text: string): readonly number[] =>
  (JSON.parse(text) as readonly { readonly id: number }[]).map(({ id }) => id);

describe('restkin get of a list', () => {
  test('prints the first page without --all and --limit, and requests no other', async () => {
    const { code, stdout, stderr } = await get('orders', '--per-page=4');
    expect({ code, stderr, ids: idsOf(stdout) }).toEqual({ code: 0, stderr: '', ids: [1, 2, 3, 4] });
    expect(served.mock.requests.filter(({ path }) => path.endsWith('/orders'))).toHaveLength(1);
  });

  test('prints the page of --page', async () => {
    expect(idsOf((await get('orders', '--page=3', '--per-page=4')).stdout)).toEqual([9, 10, 11, 12]);
  });

  test('prints every record with --all, and as many as --limit says, from as many pages as necessary', async () => {
    const [all, some] = await Promise.all([get('orders', '--all'), get('orders', '--limit=30', '--all')]);
    expect(idsOf(all.stdout)).toHaveLength(60);
    expect(idsOf(some.stdout)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  });

  test('sends sort, fields and expand as given, and takes a descending sort as a separate word', async () => {
    const query = ['--fields=status', '--fields', 'company', '--expand=company', '--limit=1'];
    const { stdout } = await get('orders', '--sort', '-createdAt,id', ...query);
    expect(JSON.parse(stdout)).toEqual([
      {
        id: 60,
        self: `${served.url}/v1/orders/60`,
        status: 'open',
        company: {
          id: 3,
          self: `${served.url}/v1/companies/3`,
          name: 'Red\u001b[31m\nTwo',
          city: '=1+1',
        },
      },
    ]);
  });

  test('converts the values of --param to the types of their schema', async () => {
    const { code, stderr } = await get('feed', '--param', 'limit=5', '--param', 'since=2026');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [request] = served.mock.requests.filter(({ path }) => path.endsWith('/feed'));
    expect(String(request?.url)).toMatch(/\?since=2026&limit=5$|\?limit=5&since=2026$/);
    expect(await get('feed', '--param', 'limit=many')).toMatchObject({ code: 2 });
  });

  test.each(['colour', '__proto__', 'toString'])(
    'refuses --param %s=5, which is not declared',
    async (name) => {
      expect(await get('feed', '--param', `${name}=5`)).toMatchObject({
        code: 2,
        stderr: `restkin: "feed": --param has no "${name}"; the collection() declares since, limit\n`,
      });
    },
  );

  test('reads a collection below a resource by its path', async () => {
    const { stdout } = await get('companies/2/orders', '--limit=3');
    expect(idsOf(stdout)).toEqual([2, 5, 8]);
  });
});

describe('restkin get of one resource', () => {
  test('prints it as an object', async () => {
    const { code, stdout, stderr } = await get('/orders/2', '--fields=note');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ id: 2, self: `${served.url}/v1/orders/2`, note: 'second' });
  });

  test('finds it below another resource', async () => {
    expect(JSON.parse((await get('companies/2/orders/5')).stdout)).toMatchObject({ id: 5 });
  });

  test('refuses the options of a list', async () => {
    expect(await get('orders/2', '--all')).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('restkin get with --verbose', () => {
  test('reports on stderr what was sent, and no secret', async () => {
    const { stderr } = await get('orders/2', '--verbose');
    expect(stderr).toContain('token: first by password\n');
    expect(stderr).toContain(`GET ${served.url}/v1/orders/2 200 in `);
    expect(stderr).not.toContain(served.env.RESTKIN_PASSWORD);
    expect(stderr).not.toContain('eyJ');
  });
});
