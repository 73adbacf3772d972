import { openAsBlob } from 'node:fs';
import {
  basicAuth,
  type ClientOptions,
  createClient,
  endpoint,
  family,
  InvalidRequestError,
  isAccepted,
  isNotModified,
  NotFoundError,
  ServiceUnavailableError,
  type TracedOperation,
  UnexpectedResponseError,
  ValidationError,
} from 'restkin';
import { drf } from 'restkin/families';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { company, countingFetch, failureOf, login, order } from '../../support/basic-ordering.ts';
import { office } from '../../support/endpoints.ts';
import { type Reply, startRawServer } from '../../support/raw-server.ts';

const connectTo = (baseUrl: string, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl, auth: basicAuth(login), retry: false, ...options }).api(office);

/** The office of a server that responds to every request like this. */
const officeOf = async (reply: Reply, options?: Partial<ClientOptions>) => {
  const server = await startRawServer(() => reply);
  return { server, ...connectTo(server.url, options) };
};

const json = (body: unknown, status = 200): Reply => ({ status, body: JSON.stringify(body) });

describe('an endpoint', () => {
  test('sends its method, path, query and body, and checks and decodes its response', async () => {
    const { server, report } = await officeOf(
      json({ id: 1, self: '/v1/reports/1', title: 'x', total: 3 }, 201),
    );
    const made = await report({
      query: { from: '2026-11-01', tags: ['a,b', 'c'] },
      body: { title: 'x' },
      headers: { 'x-team': 'blue' },
    });
    expect(made).toEqual({ id: 1, self: '/v1/reports/1', title: 'x', total: 3 });
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', url: '/v1/reports?from=2026-11-01&tags=a%2Cb&tags=c' });
    expect(JSON.parse(String(request?.body))).toEqual({ title: 'x' });
    expect(request?.headers).toMatchObject({ 'x-team': 'blue', 'content-type': 'application/json' });
  });

  test('encodes and decodes with the codecs of its schemas', async () => {
    const { settings } = await officeOf(json({ currency: 'EUR', since: '2026-11-01' }));
    expect((await settings()).since).toEqual(new Date('2026-11-01'));
    const { server, saveSettings } = await officeOf({ status: 204 });
    expect(await saveSettings({ body: { currency: 'EUR', since: new Date('2026-11-01') } })).toEqual({
      outcome: 'done',
    });
    expect(JSON.parse(String(server.requests[0]?.body))).toEqual({ currency: 'EUR', since: '2026-11-01' });
  });

  test('encodes path parameters, and gives the response unread, as text, or with its headers', async () => {
    const reply = { status: 200, headers: { 'content-type': 'audio/wav' }, body: 'RIFF' };
    const { server, audio } = await officeOf(reply);
    const response = await audio({ id: 'a/b' });
    expect(await response.text()).toBe('RIFF');
    expect(server.requests[0]).toMatchObject({ url: '/v1/recordings/a%2Fb/audio' });
    expect(server.requests[0]?.headers.accept).toBe('audio/wav');
    const { transcript } = await officeOf({
      ...reply,
      headers: { 'content-type': 'text/plain', etag: '"1"' },
    });
    const whole = await transcript({ id: 1 }).withResponse();
    expect(whole).toMatchObject({ data: 'RIFF', response: { status: 200, etag: '"1"' } });
  });

  test('sends a form as it is', async () => {
    const { server, upload } = await officeOf(json({ id: 5 }, 201));
    const form = new FormData();
    form.set('file', await openAsBlob(import.meta.filename), 'file.ts');
    expect(await upload({ body: form })).toEqual({ id: 5 });
    expect(server.requests[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  });

  test('selects and expands a resource (§4.4)', async () => {
    const { company: _, ...rest } = order(7);
    const { server, latestOrder } = await officeOf(json({ ...rest, company: company(3) }));
    const latest = await latestOrder({ fields: ['status', 'company'], expand: ['company'] });
    expect(latest.company.name).toBe('Company 3');
    expect(server.requests[0]?.url).toBe('/v1/latest-order?fields=status%2Ccompany&expand=company');
  });

  test('is conditional where it reads (§7.1)', async () => {
    const { settings } = await officeOf({ status: 304 });
    expect(isNotModified(await settings({ ifNoneMatch: '"1"' }))).toBe(true);
    await failureOf(settings(), UnexpectedResponseError);
  });

  test('gives Accepted for a 202 where it is declared, and an error elsewhere', async () => {
    const reply = { status: 202, headers: { location: '/v1/jobs/1' } };
    const { server, report, upload } = await officeOf(reply);
    const accepted = await report({ query: { from: '2026-11-01' }, body: { title: 'x' } });
    expect(isAccepted(accepted) && accepted.location).toBe(`${server.url}/v1/jobs/1`);
    const { message } = await failureOf(upload({ body: new FormData() }), UnexpectedResponseError);
    expect(message).toContain('add accepts: true to the endpoint()');
  });

  test.each([
    [json({ currency: 5, since: '2026-11-01' }), 'at `currency`'],
    [{ status: 204 }, 'has no body'],
    [{ status: 200, body: 'no JSON' }, 'not JSON'],
    [{ status: 200, body: '{}', headers: { 'content-type': 'text/html' } }, 'text/html'],
  ])('refuses the response %o', async (reply, problem) => {
    const { settings } = await officeOf(reply);
    expect((await failureOf(settings(), UnexpectedResponseError)).message).toContain(problem);
  });

  test('fails with the errors of every call', async () => {
    const invalid = { message: 'Invalid', errors: [{ field: 'title', code: 'missingField' }] };
    const { report } = await officeOf(json(invalid, 400));
    const failed = report({ query: { from: '2026-11-01' }, body: { title: 'x' } });
    expect((await failureOf(failed, ValidationError)).fieldErrors).toHaveProperty('title');
    const { settings } = await officeOf(json({ message: 'Nothing here' }, 404));
    await failureOf(settings(), NotFoundError);
  });

  test('is retried by its method, a POST only with an Idempotency-Key', async () => {
    const statuses = async (headers?: Readonly<Record<string, string>>) => {
      const server = await startRawServer(() => json({ message: 'Busy' }, 503));
      const retry = { attempts: 2, baseDelayMs: 1, maxDelayMs: 1, writesAfterUnavailable: false };
      const { settings, upload } = connectTo(server.url, { retry });
      await failureOf(settings(), ServiceUnavailableError);
      const reads = server.requests.length;
      const failed = upload({ body: new FormData(), ...(headers && { headers }) });
      await failureOf(failed, ServiceUnavailableError);
      return [reads, server.requests.length - reads];
    };
    expect(await statuses()).toEqual([2, 1]);
    expect(await statuses({ 'idempotency-key': 'k1' })).toEqual([2, 2]);
  });

  test('is traced by its template', async () => {
    const seen: Pick<TracedOperation, 'collection' | 'template' | 'api'>[] = [];
    const trace = (operation: TracedOperation, run: () => Promise<unknown>) => {
      const { api, collection: name, template } = operation;
      seen.push({ api, collection: name, template });
      return run();
    };
    const { orders, transcript } = await officeOf({ status: 204 }, { trace });
    await orders.unlabel(7, { label: 'new' });
    await transcript({ id: 3 });
    expect(seen).toEqual([
      { api: 'office', collection: 'orders.unlabel', template: '/v1/orders/{id}/labels/{label}' },
      { api: 'office', collection: 'transcript', template: '/v1/recordings/{id}/transcript' },
    ]);
  });
});

describe('an action', () => {
  test('is below its resource, and takes its id, its body and the options of the call', async () => {
    const { server, orders } = await officeOf(json(order(7)));
    const { status } = await orders.cancel('7' as unknown as number, { reason: 'late' }, { callId: 'c1' });
    expect(status).toBe('open');
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/v1/orders/7/cancel' });
    expect(JSON.parse(String(server.requests[0]?.body))).toEqual({ reason: 'late' });
    expect(server.requests[0]?.headers['x-request-id']).toBe('c1');
  });

  test('without a body takes its options behind the id', async () => {
    const { server, orders } = await officeOf(json([{ at: 'now' }]));
    expect(await orders.history(7, { query: { limit: 2 } })).toEqual([{ at: 'now' }]);
    expect(server.requests[0]).toMatchObject({ method: 'GET', url: '/v1/orders/7/history?limit=2' });
  });

  test('of a nested collection has the path parameters of both', async () => {
    const { server, companyOrders } = await officeOf({ status: 204 });
    await companyOrders({ companyId: 'a b' }).ship(7);
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/v1/companies/a%20b/orders/7/ship' });
  });
});

describe('a wrong call sends nothing', () => {
  type Loose = Readonly<Record<string, (...given: readonly unknown[]) => Promise<unknown>>>;
  type Office = ReturnType<typeof connectTo>;

  /** The message of a call of a function that `of` finds. */
  const refused = async (of: (office: Office) => unknown, name: string, given: readonly unknown[]) => {
    const { fetch, urls } = countingFetch();
    const call = (of(connectTo('https://api.test', { fetch })) as Loose)[name];
    if (call === undefined) throw new Error(`the client has no ${name}`);
    const { message } = await failureOf(call(...given), InvalidRequestError);
    expect(urls).toEqual([]);
    return message;
  };

  test.each([
    ['settings', { id: 3 }, 'settings has no option "id"'],
    ['settings', { body: {} }, 'settings has no option "body"'],
    ['settings', { fields: ['currency'] }, 'settings has no option "fields"'],
    ['settings', 'x', 'settings takes its options as an object'],
    ['audio', undefined, 'audio: id must be a string or an integer, not undefined'],
    ['audio', { id: '..' }, 'audio: id must not be ".."'],
    ['report', { body: { title: 'x' } }, 'report: `query` does not match its declaration at `from`'],
    [
      'report',
      { query: { from: 'x' }, body: {} },
      'report: `query` does not match its declaration at `from`',
    ],
    ['report', { query: { from: '2026-11-01', to: 'x' }, body: {} }, 'report: `query` has no "to"'],
    ['report', { query: { from: '2026-11-01' } }, 'report: the body is missing'],
    [
      'report',
      { query: { from: '2026-11-01' }, body: { title: 1n } },
      'report: the body is missing or cannot',
    ],
    ['saveSettings', { body: {}, ifNoneMatch: '"1"' }, 'saveSettings has no option "ifNoneMatch"'],
    [
      'report',
      { from: '2026-11-01' },
      'parameters of the query belong in `query`; the body belongs in `body`',
    ],
    ['upload', new FormData(), 'upload: the body is missing; pass it as `body`'],
    ['upload', { body: { file: 'x' } }, 'upload: the body must be a FormData, as declared'],
    ['upload', { body: new Blob(['x'], { type: 'text/plain' }) }, 'upload: the body must be a FormData'],
    ['latestOrder', { fields: ['nope'] }, 'latestOrder: `fields` names the unknown field "nope"'],
    ['latestOrder', { expand: ['device'] }, 'latestOrder: `expand` names a field that is not expandable()'],
  ])('%s(%o)', async (name, given, problem) => {
    expect(await refused((office) => office, name, [given])).toContain(problem);
  });

  test.each([
    ['cancel', [7], 'orders.cancel: the body is missing; pass it after the id'],
    ['cancel', [undefined, { reason: 'x' }], 'orders.cancel: id must be a string or an integer'],
    ['cancel', [7, { reason: 'x' }, { reason: 'x' }], 'orders.cancel has no option "reason"'],
    ['history', [7, { reason: 'x' }], 'orders.history has no option "reason"'],
    ['history', [7, { query: { limit: 'x' } }], 'orders.history: `query` does not match its declaration'],
    ['unlabel', [7], 'orders.unlabel: label must be a string or an integer, not undefined'],
  ])('orders.%s(...%o)', async (name, given, problem) => {
    expect(await refused(({ orders }) => orders, name, given)).toContain(problem);
  });
});

test('an endpoint of a family has its path, its slash and its envelope of a resource', async () => {
  const own = family({ ...drf, path: 'api', item: 'data', body: 'data' });
  const Note = own.resource({ text: z.string() });
  const api = own.defineApi({
    name: 'notes',
    auth: 'basic',
    collections: {},
    endpoints: {
      pinned: endpoint('PUT', 'pinned', { body: z.object({ text: z.string() }), response: Note }),
      raw: endpoint('GET', 'raw', { response: z.object({ data: z.unknown() }) }),
    },
  });
  const server = await startRawServer(() => json({ data: { id: 1, text: 'x' } }));
  const { pinned, raw } = createClient({ baseUrl: server.url, auth: basicAuth(login) }).api(api);
  expect(await pinned({ body: { text: 'x' } })).toEqual({ id: 1, text: 'x' });
  expect(await raw()).toEqual({ data: { id: 1, text: 'x' } });
  expect(server.requests.map(({ url }) => url)).toEqual(['/api/pinned/', '/api/raw/']);
  expect(JSON.parse(String(server.requests[0]?.body))).toEqual({ text: 'x' });
});
