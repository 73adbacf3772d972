import {
  BadRequestError,
  basicAuth,
  createClient,
  defineApi,
  endpoint,
  family,
  isAccepted,
  NotFoundError,
} from 'restkin';
import { drf } from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { failureOf } from '../support/basic-ordering.ts';
import { auth, baseUrl, officeOf } from './office.ts';

const query = { from: '2026-11-01' };

describe('a handler of a declared endpoint, by its name', () => {
  test('of an action gets its row and the body, and changes rows', async () => {
    const { orders, mock } = officeOf({
      endpoints: {
        'orders.cancel': ({ row, body }, state) => {
          const changed = { ...row, status: 'shipped' as const, remark: body.reason };
          state.setRows('orders', [changed]);
          return changed;
        },
      },
    });
    const cancelled = await orders.cancel(2, { reason: 'late' });
    expect([cancelled.id, cancelled.status, cancelled.self]).toEqual([
      2,
      'shipped',
      `${baseUrl}/v1/orders/2`,
    ]);
    expect(cancelled.company.self).toMatch(/companies/);
    expect(mock.state.rows('orders').map(({ id, status }) => [id, status])).toEqual([[2, 'shipped']]);
    await failureOf(orders.cancel(99, { reason: 'late' }), NotFoundError);
  });

  test('gets path parameters, query and body as they are declared', async () => {
    const seen: unknown[] = [];
    const { report, saveSettings, orders } = officeOf({
      endpoints: {
        report: ({ query: { from, tags }, body: { title }, row, parameters }) => {
          seen.push(from, tags, row, parameters);
          return { id: 1, title, total: 7 };
        },
        saveSettings: ({ body }) => {
          seen.push(body.since.getTime());
        },
        'orders.unlabel': async ({ parameters, row: { id } }) => {
          seen.push(parameters, id);
        },
      },
    });
    const made = await report({ query: { ...query, tags: ['a', 'b'] }, body: { title: 'x' } });
    expect(made).toMatchObject({ id: 1, title: 'x', total: 7 });
    expect(await saveSettings({ body: { currency: 'EUR', since: new Date(0) } })).toEqual({
      outcome: 'done',
    });
    expect(await orders.unlabel(2, { label: 'a b' })).toEqual({ outcome: 'done' });
    expect(seen).toEqual(['2026-11-01', ['a', 'b'], undefined, {}, 0, { label: 'a b' }, 2]);
  });

  test('gets a copy of its row', async () => {
    const { orders, mock } = officeOf({
      endpoints: { 'orders.cancel': ({ row }) => Object.assign(row, { status: 'cancelled' }) },
    });
    const before = mock.state.rows('orders')[0]?.status;
    await orders.cancel(1, { reason: 'late' });
    expect(before).not.toBe('cancelled');
    expect(mock.state.rows('orders')[0]?.status).toBe(before);
  });

  test('gets a form, and responds with a Response as it is', async () => {
    const { upload, audio } = officeOf({
      endpoints: {
        upload: ({ body }) => ({ id: Number(body.get('number')) }),
        audio: ({ parameters: { id } }) => new Response(id, { headers: { 'content-type': 'audio/wav' } }),
      },
    });
    const form = new FormData();
    form.set('number', '12');
    expect(await upload({ body: form })).toEqual({ id: 12 });
    expect(await (await audio({ id: 3 })).text()).toBe('3');
  });

  test('gets a Blob, with its type', async () => {
    const store = endpoint('PUT', 'notes/:id', { body: z.instanceof(Blob), response: z.string() });
    const endpoints = { store };
    const notes = defineApi({ name: 'notes', version: 1, auth: 'basic', collections: {}, endpoints });
    const mock = createMock(notes, {
      endpoints: { store: async ({ body }) => `${body.type}: ${await body.text()}` },
    });
    const auth = basicAuth({ username: 'ada', password: 'lovelace' });
    const api = createClient({ baseUrl, auth, fetch: mock.fetch }).api(notes);
    const body = new Blob(['hello'], { type: 'text/plain' });
    expect(await api.store({ id: 1, body })).toBe('text/plain: hello');
  });

  test('gets a form that is URL-encoded, and JSON of another type', async () => {
    const endpoints = {
      search: endpoint('POST', 'search', { body: z.instanceof(URLSearchParams), response: z.string() }),
      patch: endpoint('PATCH', 'notes/:id', {
        body: z.object({ text: z.nullable(z.string()) }),
        contentType: 'application/merge-patch+json',
        response: z.string(),
      }),
      store: endpoint('PUT', 'notes/:id', {
        body: z.instanceof(Blob),
        contentType: 'image/png',
        response: z.string(),
      }),
    };
    const notes = defineApi({ name: 'notes', version: 1, auth: 'basic', collections: {}, endpoints });
    const types: (string | null)[] = [];
    const mock = createMock(notes, {
      endpoints: {
        search: ({ body }) => body.getAll('tag').join(),
        patch: ({ body }) => String(body.text),
        store: async ({ body }) => `${body.type}: ${await body.text()}`,
      },
    });
    const fetch: typeof globalThis.fetch = (input, init) => {
      const request = new Request(input, init);
      types.push(request.headers.get('content-type'));
      return mock.fetch(request);
    };
    const auth = basicAuth({ username: 'ada', password: 'lovelace' });
    const api = createClient({ baseUrl, auth, fetch }).api(notes);
    expect(await api.search({ body: new URLSearchParams('tag=a&tag=b%26') })).toBe('a,b&');
    expect(await api.patch({ id: 1, body: { text: null } })).toBe('null');
    expect(await api.store({ id: 1, body: new Blob(['x']) })).toBe('image/png: x');
    expect(types).toEqual([
      'application/x-www-form-urlencoded;charset=UTF-8',
      'application/merge-patch+json',
      'image/png',
    ]);
  });

  test('is not called for a request that the mock refuses', async () => {
    const report = vi.fn<() => { title: string; total: number }>();
    const { mock, ...api } = officeOf({ endpoints: { report } });
    const wrong = { title: 5 as unknown as string };
    const refused = await failureOf(api.report({ query, body: wrong }), BadRequestError);
    expect(refused).toMatchObject({ errors: [{ field: 'title', code: 'invalid' }] });
    expect((await mock.fetch(`${baseUrl}/v1/reports`, { method: 'POST' })).status).toBe(401);
    expect(report).not.toHaveBeenCalled();
  });

  test('does its work although the response says later (202)', async () => {
    const report = vi.fn<() => { readonly title: string; readonly total: number }>(() => ({
      title: 'x',
      total: 1,
    }));
    const api = officeOf({ accepted: true, endpoints: { report } });
    expect(isAccepted(await api.report({ query, body: { title: 'x' } }))).toBe(true);
    expect(report).toHaveBeenCalledTimes(1);
  });

  test('that returns nothing where a response is declared gets 500 with its name', async () => {
    const { settings } = officeOf({ endpoints: { settings: (() => undefined) as never } });
    await expect(settings()).rejects.toThrow('the handler of settings must return');
  });

  test('by a path of one segment begins with a slash', async () => {
    const own = family({ ...drf, path: '' });
    const api = own.defineApi({ name: 'flat', auth: 'basic', collections: {} });
    const mock = createMock(api, { endpoints: { '/status': () => Response.json('up') } });
    const client = createClient({ baseUrl, auth, fetch: mock.fetch, retry: false });
    expect(await client.request({ method: 'GET', path: 'status', auth: 'basic' })).toBe('up');
  });

  test.each<[string, object, string]>([
    [
      'of a misspelt name',
      { setings: () => undefined },
      '"setings" is not the name of a declared endpoint or action; did you mean settings?',
    ],
    ['of an action without its collection', { cancel: () => undefined }, 'did you mean orders.cancel?'],
    ['of another name', { nothingLikeIt: () => undefined }, 'or action, and a path must begin with v1/'],
    ['that is no function', { settings: {} }, 'endpoints["settings"]'],
  ])('%s is refused', (_, endpoints, problem) => {
    const make = () => officeOf({ endpoints: endpoints as Readonly<Record<string, never>> });
    expect(make).toThrow(problem);
  });
});
