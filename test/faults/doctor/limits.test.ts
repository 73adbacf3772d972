import { collection, defineApi } from 'restkin';
import { type Diagnosis, diagnose } from 'restkin/doctor';
import { createMock, serve } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { rules } from '../../../src/doctor/rules.ts';
import { type Break, examineBroken, login, type Reply } from './server.ts';
import { shop } from './shop.ts';

const tooMany = (retryAfter: string): Reply => ({
  status: 429,
  headers: new Headers({ 'content-type': 'application/json', 'retry-after': retryAfter }),
  body: '{"message":"Too many requests"}',
});

const reasonsOf = ({ findings }: Diagnosis): readonly string[] =>
  findings.flatMap((finding) => ('reason' in finding ? [finding.reason] : []));

describe('a diagnosis and the limits of a server', () => {
  test('waits as long as a 429 says, and finds nothing wrong with it', async () => {
    let count = 0;
    const change: Break = (seen, next) => (++count % 7 === 0 ? tooMany('0') : next(seen));
    const { counts, requests } = await examineBroken(change, { allowWrites: true });
    expect(counts.fail).toBe(0);
    expect(requests).toBe(count);
  });

  test('asks no further than a wait that is too long allows', async () => {
    let count = 0;
    const change: Break = (seen, next) => (++count > 20 ? tooMany('3600') : next(seen));
    const diagnosis = await examineBroken(change);
    expect(diagnosis.counts.fail).toBe(0);
    expect(reasonsOf(diagnosis).join('\n')).toContain('got 429: the rate limit is reached');
  });

  test.each([1, 10])('sends at most %i requests when that is its budget', async (maxRequests) => {
    let count = 0;
    const change: Break = (seen, next) => {
      count++;
      return next(seen);
    };
    const { requests, counts } = await examineBroken(change, { maxRequests });
    expect([requests, count, counts.fail]).toEqual([maxRequests, maxRequests, 0]);
  });

  test('stops asking a server that no longer responds', async () => {
    let hanging = 0;
    let count = 0;
    const change: Break = (seen, next) => {
      if (++count <= 20) return next(seen);
      hanging++;
      return new Promise<never>(() => undefined);
    };
    const diagnosis = await examineBroken(change, { timeoutMs: 1_000 });
    expect(hanging).toBe(3);
    expect(diagnosis.counts.fail).toBe(0);
    expect(reasonsOf(diagnosis)).toContain('the last 3 requests had no response');
  });
});

describe('diagnose', () => {
  test('examines an API that takes Basic, without a token endpoint', async () => {
    const basic = defineApi({ ...shop, auth: 'basic' });
    const server = await serve(createMock(basic, { users: [login], generate: 12 }));
    const { findings, counts } = await diagnose(basic, { baseUrl: server.url, ...login, allowWrites: true });
    await server.close();
    expect(findings.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
    expect(findings).toContainEqual(
      expect.objectContaining({ rule: '§5.1.3', where: 'orders', outcome: 'pass' }),
    );
    expect(counts.pass).toBeGreaterThan(60);
  });

  test('examines an API with a style of its own by the header fields that it is given', async () => {
    const own = defineApi({ ...shop, auth: 'api-key' });
    const mock = createMock(own, {
      generate: 12,
      authorize: ({ headers }) => headers.get('x-api-key') === 'k-12345678',
    });
    const server = await serve(mock);
    const diagnosis = await diagnose(own, { baseUrl: server.url, headers: { 'x-api-key': 'k-12345678' } });
    await server.close();
    expect(diagnosis.findings).toContainEqual(
      expect.objectContaining({ rule: '§4.2 GET', where: 'orders', outcome: 'pass' }),
    );
    expect(JSON.stringify(diagnosis)).not.toContain('k-12345678');
  });

  test('expects no 401 of an open API that is examined without credentials', async () => {
    const open = defineApi({ ...shop, auth: 'open' });
    const { fetch } = createMock(open, { generate: 12 });
    const examine = (headers: Readonly<Record<string, string>>) =>
      diagnose(open, { baseUrl: 'https://api.test', headers, fetch });
    expect((await examine({})).findings.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
    const { findings } = await examine({ 'x-api-key': 'k-12345678' });
    expect(findings).toContainEqual(
      expect.objectContaining({ rule: '§5.2.9', where: 'orders', outcome: 'fail' }),
    );
  });

  test('has a finding for every rule of the conventions that says something', async () => {
    const { findings } = await examineBroken((seen, next) => next(seen));
    const judged = new Set<string>(findings.map(({ rule }) => rule));
    const stated = rules.filter(({ nothing }) => nothing === undefined);
    expect(stated.filter(({ id }) => !judged.has(id))).toEqual([]);
  });

  const baseUrl = 'http://127.0.0.1:9';

  test('refuses options that cannot be used before it sends anything', async () => {
    const wrong = { baseUrl, authUrl: baseUrl, ...login };
    const basic = defineApi({ ...shop, auth: 'basic' });
    const refused = [
      [diagnose(shop, { baseUrl, ...login }), 'The API "shop" takes tokens; pass `authUrl` to diagnose()'],
      [diagnose(shop, { ...wrong, maxRequests: 0 }), 'maxRequests must be an integer from 1'],
      [diagnose(shop, { ...wrong, baseUrl: 'http://api.example.com' }), 'baseUrl is plain http:'],
      [diagnose(basic, { ...wrong, username: 'ada:x' }), 'username must not have a colon'],
      // As where two modules import each other.
      [diagnose(undefined as never, wrong), 'diagnose needs what defineApi returned'],
    ] as const;
    for (const [diagnosis, message] of refused) await expect(diagnosis).rejects.toThrow(message);
  });

  const orders = collection('companies/:companyId/orders', shop.collections.orders.resource);
  const nested = defineApi({ name: 'nested', version: 1, auth: 'basic', collections: { orders } });

  test.each([
    [shop, `POST ${baseUrl}/auth/token: the connection failed (`],
    [nested, `GET ${baseUrl}/v1/companies/1/orders: the connection failed (`],
  ])('says of a server that is not there what the connection failed with', async (api, message) => {
    const { isOfFamily, server, counts } = await diagnose(api, { baseUrl, authUrl: baseUrl, ...login });
    expect([isOfFamily, counts.fail, server.startsWith(message)]).toEqual([false, 1, true]);
  });

  test('passes a server that has only lists below resources of unknown ids', async () => {
    const { fetch } = createMock(nested, { users: [login], generate: 2 });
    const { isOfFamily, counts, requests } = await diagnose(nested, { baseUrl, ...login, fetch });
    expect([isOfFamily, counts.fail, requests]).toEqual([true, 0, 1]);
    const { server } = await diagnose(nested, { baseUrl: `${baseUrl}/v1`, ...login, fetch });
    expect(server).toBe(
      `GET ${baseUrl}/v1/v1/companies/1/orders gets 404; restkin adds /v1 itself: leave it out.`,
    );
  });
});
