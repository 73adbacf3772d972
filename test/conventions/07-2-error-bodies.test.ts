import { BadRequestError, TokenRequestError, ValidationError } from 'restkin';
import { expect } from 'vitest';
import { check, mockOf } from '../support/conformance.ts';
import { data, newOrder, ordering, shop } from '../support/conformance-data.ts';
import { requestToken } from '../support/conformance-send.ts';
import { rejectionOf } from '../support/shop.ts';

const filled = mockOf(shop, { data });
const tokens = mockOf(ordering, { data });

/** A JavaScript user has no compiler. */
const invalidOrder = { ...newOrder, status: 'lost', lines: [{ quantity: 1 }] } as unknown as typeof newOrder;

check(filled, '§7.2.1 what the input causes is a 400', {
  fetch: async ({ send }) => {
    const post = async (body: unknown) => (await send('/v1/orders', { method: 'POST', body })).status;
    expect([await post('{"status":'), await post({}), await post(invalidOrder)]).toEqual([400, 400, 400]);
    expect((await send('/v1/orders?perPage=x')).status).toBe(400);
  },
  client: async ({ api, client }) => {
    const calls = [
      () => api.orders.create(invalidOrder),
      () => client.request({ method: 'POST', path: 'v1/orders', body: {} }),
      () => client.request({ method: 'GET', path: 'v1/orders', query: { perPage: 'x' } }),
    ];
    for (const call of calls) expect(await rejectionOf(call())).toBeInstanceOf(BadRequestError);
  },
});

check(filled, '§7.2.2 every error body has a message, also where the body could not be parsed', {
  fetch: async ({ send, mock }) => {
    const message = expect.stringMatching(/\w/);
    const unparsed = await send('/v1/orders', { method: 'POST', body: '{"status":' });
    expect(unparsed).toMatchObject({ status: 400, json: { message } });
    for (const status of [401, 403, 404, 405, 406, 413, 415, 429, 500, 503]) {
      mock.faults.next({ status });
      expect(await send('/v1/orders')).toMatchObject({ status, json: { message } });
    }
  },
  client: async ({ api, mock, connect }) => {
    const absent = await rejectionOf(api.orders.get(99));
    expect(absent).toMatchObject({ status: 404, message: expect.stringMatching(/99/) });
    for (const status of [401, 403, 405, 406, 413, 415, 429, 500, 503]) {
      const message = `It is ${status}`;
      mock.faults.next({ status, body: JSON.stringify({ message }) });
      // A client of its own: after a 429 one pauses.
      const { orders } = connect({ retry: false }).api(shop);
      expect(await rejectionOf(orders.get(1))).toMatchObject({ status, detail: message });
    }
  },
});

check(filled, '§7.2.3 a validation failure has a general message, and lists each offending field', {
  fetch: async ({ send }) => {
    const { json } = await send('/v1/orders', { method: 'POST', body: invalidOrder });
    expect(json).toEqual({
      message: expect.stringMatching(/\w/),
      errors: [
        expect.objectContaining({ field: 'status' }),
        expect.objectContaining({ field: 'lines.0.sku' }),
      ],
    });
  },
  client: async ({ api }) => {
    const error = await rejectionOf(api.orders.create(invalidOrder));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ message: expect.stringMatching(/\w/) });
    expect(Object.keys((error as ValidationError).fieldErrors)).toEqual(['status', 'lines.0.sku']);
  },
});

const items = [
  { field: 'status', code: 'invalid', message: expect.any(String) },
  { field: 'lines.0.sku', code: 'missingField' },
];

check(filled, '§7.2.4 missingField is an absent field, invalid a value that is not valid', {
  fetch: async ({ send }) => {
    const { json } = await send('/v1/orders', { method: 'POST', body: invalidOrder });
    expect(json).toMatchObject({ errors: items });
  },
  client: async ({ api }) => {
    const error = (await rejectionOf(api.orders.create(invalidOrder))) as ValidationError;
    expect(error.errors).toMatchObject(items);
  },
});

check(tokens, '§7.2.5 the token endpoint responds with 400 to missing or invalid parameters', {
  fetch: async ({ authUrl }) => {
    const forms: readonly Readonly<Record<string, string>>[] = [
      {},
      { grant_type: 'magic' },
      { grant_type: 'password', username: 'ada' },
      { grant_type: 'refresh_token' },
    ];
    for (const form of forms) {
      expect(await requestToken(authUrl, form)).toMatchObject({
        status: 400,
        json: { message: expect.any(String), errors: [{ code: expect.any(String) }] },
      });
    }
  },
  client: async ({ api, mock }) => {
    mock.faults.next({ status: 400, token: true });
    const error = await rejectionOf(api.orders.get(1));
    expect(error).toBeInstanceOf(TokenRequestError);
    expect(error).toMatchObject({ status: 400 });
    expect(mock.requests.map(({ status }) => status)).toEqual([400]);
  },
});
