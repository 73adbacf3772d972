import { readFile } from 'node:fs/promises';
import { diagnose } from 'restkin/doctor';
import { type MockRequest, serve } from 'restkin/mocks';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { start } from '../../cli/run-command.ts';
import { createWorkspace, type Workspace } from '../../cli/workspace.ts';
import { isFullRun } from '../../support/runs.ts';
import { type Break, breakServer, createShop, examineBroken, login, type Reply, reach } from './server.ts';
import { shop } from './shop.ts';

/** Serves a shop that is broken in one way, until the test is over. */
const serveShop = async ({ onTestFinished }: TestContext, change: Break) => {
  const mock = createShop();
  const server = await serve({ respond: breakServer(mock.respond, change) });
  onTestFinished(() => server.close());
  const left = (): number => mock.state.rows('orders').length - 40;
  return { mock, left, url: server.url };
};

const everything = { ...login, allowWrites: true } as const;

const isWrite = ({ method, path }: Pick<MockRequest, 'method' | 'path'>): boolean =>
  !['GET', 'HEAD', 'OPTIONS'].includes(method) && path.startsWith('/v1/');

/** The requests of a whole run. */
const requestsOfRun = async (): Promise<readonly MockRequest[]> =>
  (await examineBroken((seen, next) => next(seen), everything)).mock.requests;

const stopped = new Error('stopped');

const refusal: Reply = { status: 403, headers: new Headers(), body: '{"message":"No"}' };

/** The last requests of a run, which remove what it made. They are sent also after a stop. */
const removing = 4;

/** How many requests apart a run is stopped. */
const step = isFullRun ? 1 : 3;

describe('a run with writes leaves nothing behind', { timeout: 60_000 }, () => {
  test('when it is stopped at any of its requests', async () => {
    const { length: total } = await requestsOfRun();
    expect(total).toBeGreaterThan(80);
    for (let at = 1; at <= total; at += step) {
      const stop = new AbortController();
      let count = 0;
      const mock = createShop();
      const respond = breakServer(mock.respond, (seen, next) => {
        if (++count === at) stop.abort(stopped);
        return next(seen);
      });
      const run = diagnose(shop, { ...reach(respond), ...everything, signal: stop.signal });
      const end = await run.then(
        ({ leftBehind }) => leftBehind,
        (error: unknown) => error,
      );
      const expected = at < total - removing ? stopped : [];
      expect({ at, end, rows: mock.state.rows('orders').length }).toEqual({ at, end: expected, rows: 40 });
    }
  }, 120_000);

  test.concurrent.each([
    ['the request is lost', false],
    ['its response is lost', true],
  ])('when the connection breaks at any write, and %s', async (_what, isDone) => {
    const { length: writes } = (await requestsOfRun()).filter(isWrite);
    expect(writes).toBeGreaterThan(8);
    const breakAt = async (at: number): Promise<void> => {
      const mock = createShop();
      let count = 0;
      const options = reach(async (request) => {
        const { method, url } = request;
        if (!isWrite({ method, path: new URL(url).pathname }) || ++count !== at) return mock.respond(request);
        if (isDone) await mock.respond(request);
        throw new TypeError('fetch failed');
      });
      const { leftBehind } = await diagnose(shop, { ...options, ...everything });
      const rows = mock.state.rows('orders').length;
      expect({ at, leftBehind, rows }).toEqual({ at, leftBehind: [], rows: 40 });
    };
    // Most of the time is spent in waits for what may appear later.
    await Promise.all(Array.from({ length: writes }, (_, index) => breakAt(index + 1)));
  });

  test.concurrent('and says what it could not remove', async (context) => {
    const { left, url } = await serveShop(context, (seen, next) =>
      seen.method === 'DELETE' ? refusal : next(seen),
    );
    const { leftBehind } = await diagnose(shop, { baseUrl: url, authUrl: url, ...everything });
    expect(leftBehind).toEqual([`${url}/v1/orders/41`, `${url}/v1/orders/42`]);
    expect(left()).toBe(2);
  });

  test.concurrent('and says so also where it is stopped', async (context) => {
    const stop = new AbortController();
    const { url } = await serveShop(context, async (seen, next) => {
      if (seen.method === 'DELETE') return refusal;
      const reply = await next(seen);
      if (seen.method === 'POST' && reply.status === 201) stop.abort(stopped);
      return reply;
    });
    const left: string[] = [];
    const options = { baseUrl: url, authUrl: url, ...everything, signal: stop.signal };
    const run = diagnose(shop, { ...options, onLeftBehind: (one) => left.push(one) });
    await expect(run).rejects.toBe(stopped);
    expect(left).toEqual([`${url}/v1/orders/41`]);
  });

  test.concurrent('and never changes or deletes what it did not make', async (context) => {
    const changed: string[] = [];
    const { url, left } = await serveShop(context, async (seen, next) => {
      if (['PUT', 'PATCH', 'DELETE'].includes(seen.method)) changed.push(seen.url.pathname);
      const usual = await next(seen);
      // The id of another order.
      return seen.method === 'POST' && usual.status === 201 ? { ...usual, body: '{"id":1}' } : usual;
    });
    await diagnose(shop, { baseUrl: url, authUrl: url, ...everything });
    expect(changed).not.toContain('/v1/orders/1');
    expect(left()).toBe(0);
  });

  test.concurrent.for(['', '.', undefined])(
    'and does not take the id %j for a part of a path',
    async (id, context) => {
      const deleted: string[] = [];
      const { url, left } = await serveShop(context, async (seen, next) => {
        if (seen.method === 'DELETE') deleted.push(seen.url.pathname);
        const target = new URL(seen.url);
        if (target.pathname.endsWith('/')) {
          // Many servers take it for the collection itself; this one lists the newest first.
          target.pathname = target.pathname.slice(0, -1);
          target.searchParams.set('sort', '-id');
        }
        const usual = await next({ ...seen, url: target });
        return seen.method === 'POST' && usual.status === 201
          ? { ...usual, body: JSON.stringify({ id }) }
          : usual;
      });
      const options = { baseUrl: url, authUrl: url, ...everything };
      const { leftBehind } = await diagnose(shop, options);
      expect(deleted.filter((path) => !/^\/v1\/orders\/\d+$/.test(path))).toEqual([]);
      expect({ leftBehind, left: left() }).toEqual({ leftBehind: [], left: 0 });
    },
  );
});

describe('restkin doctor --allow-writes', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await createWorkspace();
    await workspace.write('shop.ts', await readFile(new URL('shop.ts', import.meta.url), 'utf8'));
  });
  afterAll(() => workspace.remove());

  test.for(['POST', 'DELETE'])('removes what it made after Ctrl-C at a %s', async (method, context) => {
    let interrupt = (): void => undefined;
    const { left, url } = await serveShop(context, (seen, next) => {
      if (seen.method === method && seen.url.pathname.startsWith('/v1/orders')) interrupt();
      return next(seen);
    });
    const args = ['doctor', './shop.ts', `--base-url=${url}`, `--auth-url=${url}`, '--allow-writes'];
    const env = { RESTKIN_USERNAME: login.username, RESTKIN_PASSWORD: login.password };
    const { child, finished } = start(args, workspace.folder, env);
    interrupt = () => void child.kill('SIGINT');
    const stderr = 'Removing what was created …\n';
    expect(await finished).toMatchObject({ code: 130, stdout: '', stderr });
    expect(left()).toBe(0);
  });

  test('prints after Ctrl-C what it could not remove', async (context) => {
    let interrupt = (): void => undefined;
    const { url } = await serveShop(context, (seen, next) => {
      if (seen.method === 'DELETE') return refusal;
      if (seen.method === 'POST' && seen.url.pathname === '/v1/orders') interrupt();
      return next(seen);
    });
    const args = ['doctor', './shop.ts', `--base-url=${url}`, `--auth-url=${url}`, '--allow-writes'];
    const env = { RESTKIN_USERNAME: login.username, RESTKIN_PASSWORD: login.password };
    const { child, finished } = start(args, workspace.folder, env);
    interrupt = () => void child.kill('SIGINT');
    const { code, stderr } = await finished;
    expect(code).toBe(130);
    expect(stderr).toContain(`\nLEFT BEHIND: ${url}/v1/orders/41 may be a resource of this run`);
  });
});
