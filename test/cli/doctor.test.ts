import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { apiFile, runHere, startHere, writeTemporary } from './run-here.ts';
import { login, serveOrdering } from './served.ts';

type Environment = Readonly<Record<string, string>>;

const credentials = { RESTKIN_USERNAME: login.username, RESTKIN_PASSWORD: login.password } as const;

const examine = (url: string, args: readonly string[] = [], env: Environment = credentials) =>
  runHere(['doctor', apiFile, `--base-url=${url}`, `--auth-url=${url}`, ...args], env);

/** Starts `restkin mock`, and waits until it listens. */
const startMock = async (env: Environment): Promise<string> => {
  const mock = startHere(['mock', apiFile, '--port=0', '--generate=60'], env);
  return / at (http\S+)/.exec(await mock.written('Stop with Ctrl-C.\n'))?.[1] ?? '';
};

/** Serves the orders, and changes each response of a path. */
const serveBroken = async (path: string, change: (response: Response) => Response | Promise<Response>) => {
  const served = await serveOrdering((respond) => async (request) => {
    const response = await respond(request);
    return new URL(request.url).pathname === path ? change(response) : response;
  });
  onTestFinished(() => served.server.close());
  return served;
};

const lastLines = (stdout: string): readonly string[] => stdout.trimEnd().split('\n').slice(-3);

const withoutLink = ({ body, status, headers }: Response): Response => {
  const others = new Headers(headers);
  others.delete('link');
  return new Response(body, { status, headers: others });
};

test('an API of a family is examined with the header that it takes, which is not shown', async () => {
  const file = fileURLToPath(new URL('../support/tracker.ts', import.meta.url));
  const mock = startHere(['mock', file, '--port=0', '--generate=60'], {});
  const url = / at (http\S+)/.exec(await mock.written('Stop with Ctrl-C.\n'))?.[1] ?? '';
  const args = ['doctor', file, `--base-url=${url}`];
  const { code, stdout } = await runHere([...args, '--header', 'Authorization: Bearer s3cret-of-ada'], {});
  expect(stdout).toContain('restkin works with this server: yes, for reading');
  expect(stdout).not.toContain('s3cret');
  expect(code).toBe(0);
});

test('every ten seconds of an examination, stderr says how far it is', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let requests = 0;
  const { server, url } = await serveOrdering((respond) => async (request) => {
    requests++;
    if (requests === 1 || requests === 20) vi.advanceTimersByTime(10_000);
    return respond(request);
  });
  onTestFinished(() => server.close());
  const { code, stderr } = await examine(url);
  expect(code).toBe(0);
  const [first, second, ...others] = stderr.split('\n');
  expect(first).toBe('Still examining after 10 s: 0 results');
  expect(second).toMatch(/^Still examining after 20 s: [1-9]\d* results, the last one for §\d\S*/);
  expect(others).toEqual(['']);
  expect(vi.getTimerCount()).toBe(0);
});

describe('restkin doctor and the mock in another process', () => {
  test.for([
    ['with one user', credentials],
    ['that logs in anybody', {}],
  ] as const)('finds nothing wrong with a mock %s', async ([, env]) => {
    const url = await startMock(env);
    const { code, stdout, stderr } = await examine(url, ['--allow-writes']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`ordering v1 at ${url}\n`);
    expect(stdout).toContain('A § is a section of docs/conventions.md in the package.');
    expect(stdout).toMatch(/ section +│ pass │ fail │ not declared │ cannot tell │\n/);
    expect(stdout).toMatch(/\n0 failed, \d{3} passed, \d+ not declared, with \d+ requests\n/);
    expect(stdout.split('\n')[0]).toBe('restkin works with this server: yes.');
    expect(lastLines(stdout).slice(0, 2)).toEqual([
      'restkin works with this server: yes.',
      'Nothing to fix.',
    ]);
    expect(lastLines(stdout)[2]).toMatch(/^Not told: \d rules?\b.* No request can show \d+ others\.$/);
  });

  test('says how to tell the rules that need writes', async () => {
    const { url, server } = await serveOrdering();
    onTestFinished(() => server.close());
    const { stdout } = await examine(url);
    expect(lastLines(stdout)[0]).toBe(
      'restkin works with this server: yes, for reading; writes were not tried.',
    );
    expect(lastLines(stdout)[2]).toMatch(/^Not told: \d+ rules \(\d+ with --allow-writes/);
  });

  const examineWrongRows = async () => {
    const { url } = await serveBroken('/v1/orders', async (response) => {
      const headers = new Headers(response.headers);
      headers.delete('etag');
      const rows = response.status === 200 ? JSON.parse(await response.text()) : undefined;
      if (!Array.isArray(rows)) return response;
      const changed = rows.map((row) => ({ ...row, self: '/orders/1', status: 5 }));
      return new Response(JSON.stringify(changed), { status: 200, headers });
    });
    return examine(url);
  };
  const cause =
    'orders: expected data that fits the declaration, found ' +
    '`status` of the type number that does not fit (0.status) (§2.1 specific fields)';

  test('begins and ends with the reason why restkin does not work', async () => {
    const { code, stdout } = await examineWrongRows();
    expect(code).toBe(1);
    const reason = `restkin works with this server: no, because of ${cause}.`;
    expect(stdout.split('\n')[0]).toBe(reason);
    expect(lastLines(stdout).slice(0, 2)).toEqual([
      reason,
      expect.stringContaining(`First to fix: ${cause}; `),
    ]);
  });

  test('prints the failures that stop restkin first', async () => {
    const { stdout } = await examineWrongRows();
    const failures = stdout.match(/^(?:FATAL|FAIL) /gm) ?? [];
    expect(failures[0]).toBe('FATAL ');
    expect(failures).toEqual(failures.toSorted((a, b) => b.length - a.length));
  });

  test('lists every finding with --verbose', async () => {
    const { url, server } = await serveOrdering();
    onTestFinished(() => server.close());
    const { stdout } = await examine(url, ['--verbose']);
    expect(stdout).toContain('pass  §4.4 sort  orders\n');
    expect(stdout).toContain('not declared  §4.4 sort  feed: `sort` is not declared\n');
    expect(stdout).toContain('cannot tell  §4.2 PUT  orders: it needs writes, which allowWrites permits\n');
  });

  test('reports a broken rule with its exchange, and ends with 1', async () => {
    const { url } = await serveBroken('/v1/orders', withoutLink);
    const { code, stdout } = await examine(url);
    expect(code).toBe(1);
    expect(stdout.match(/^FAIL .*/gm)).toEqual([
      'FAIL  §4.5 Link  orders: first, prev, next and last, as applicable.',
    ]);
    expect(stdout).toContain('      expected: a link "next"\n      found:    no Link\n');
    expect(stdout).toContain(`      GET ${url}/v1/orders?page=1&perPage=8
      accept: application/json
`);
  });

  test('writes the findings as JSON', async () => {
    const { url } = await serveBroken('/v1/orders', withoutLink);
    const { code, stdout } = await examine(url, ['--output=json']);
    expect(code).toBe(1);
    const { findings, counts } = JSON.parse(stdout);
    expect(counts.fail).toBe(1);
    const failed = { rule: '§4.5 Link', section: '§4.5', where: 'orders', outcome: 'fail', found: 'no Link' };
    expect(findings).toContainEqual(expect.objectContaining(failed));
  });

  test('ends with 3 where the server refuses the password', async () => {
    const { url, server } = await serveOrdering();
    onTestFinished(() => server.close());
    const { code, stdout } = await examine(url, [], { ...credentials, RESTKIN_PASSWORD: 'an-old-one' });
    expect(code).toBe(3);
    expect(stdout).toContain('The server refused the credentials (401), so nothing that needs a login');
  });

  const limited = { status: 429, headers: { 'retry-after': '3600' } };

  test.each([
    ['the budget is spent', ['--max-requests=2'], undefined, 'the budget of 2 requests is spent'],
    ['of the rate limit', [], limited, 'GET <url>/v1/orders got 429: the rate limit is reached'],
  ])('ends with 1 where nothing could be examined, because %s', async (_, args, init, reason) => {
    const { url, server } = await serveOrdering((respond) => async (request) => {
      const response = await respond(request);
      return init === undefined || request.method === 'POST'
        ? response
        : Response.json({ message: '-' }, init);
    });
    onTestFinished(() => server.close());
    const { code, stdout } = await examine(url, args);
    expect(code).toBe(1);
    const cause = `orders: ${reason.replace('<url>', url)}`;
    expect(lastLines(stdout).slice(0, 2)).toEqual([
      `restkin works with this server: it cannot be told, because no collection or endpoint could be examined: ${cause}.`,
      `First to fix: ${cause}.`,
    ]);
  });

  test('ends with 0 for an API without a list, one of whose endpoints was read', async () => {
    const index = new URL('../../src/index.ts', import.meta.url).href;
    const file = await writeTemporary(
      'office.ts',
      `import { defineApi, endpoint } from '${index}';
      const endpoints = { status: endpoint('GET', 'status') };
      export const office = defineApi({ name: 'office', version: 1, auth: 'basic', collections: {}, endpoints });`,
    );
    const mock = startHere(['mock', file, '--port=0']);
    const url = / at (http\S+)/.exec(await mock.written('Stop with Ctrl-C.\n'))?.[1] ?? '';
    const { code, stdout } = await runHere(['doctor', file, `--base-url=${url}`], credentials);
    expect(stdout).toContain('restkin works with this server: yes.');
    expect(code).toBe(0);
  });

  test('says what a website is, on one screen', async () => {
    const page = () => new Response('<title>Shop</title>', { headers: { 'content-type': 'text/html' } });
    const { url, server } = await serveOrdering(() => async () => page());
    onTestFinished(() => server.close());
    const { code, stdout, stderr } = await examine(url);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/GET http\S+\/v1\/orders gets 200 with text\/html, not a list/);
    expect(stdout.split('\n').length).toBeLessThan(10);
  });
});

describe('restkin doctor with wrong arguments', () => {
  test.for<readonly [string, readonly string[], string]>([
    ['a body without a file', ['--body=orders'], '--body needs a name and a value: --body name=value'],
    ['a repeated name', ['--path-param=a=1', '--path-param=a=2'], '--path-param has "a" more than once'],
    [
      'a parameter of no path',
      ['--path-param=company=3'],
      'diagnose: pathParameters has no option "company"; its options are companyId',
    ],
  ])('%s ends with 2', async ([, args, message]) => {
    const { code, stdout, stderr } = await examine('http://127.0.0.1:9', args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(`restkin: ${message}\n`);
  });
});
