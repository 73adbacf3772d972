import { BadRequestError, ValidationError } from 'restkin';
import { expect } from 'vitest';
import { check, mockOf } from '../support/conformance.ts';
import { data, newOrder, shop } from '../support/conformance-data.ts';
import { rejectionOf } from '../support/shop.ts';

const filled = mockOf(shop, { data });

/** Two fields in error: one is absent, the other has a wrong value. */
const wrong = { ...newOrder, device: { model: 'M9' }, lines: [{ sku: 'a', quantity: 0 }] };

/** A JavaScript user has no compiler. */
const wrongOrder = wrong as unknown as typeof newOrder;

const items = [
  '§2.3 errors has one item per field in error, and is only there for validation failures',
  '§7.2.3 a validation failure has a general message, and lists each offending field',
  '§2.3 errors[].field is the dotted path of the offending field',
  '§2.3 errors[].code is a machine code',
  '§7.2.4 missingField is an absent field, invalid a value that is not valid',
  '§2.3 errors[].message is a detail that an item may lack',
] as const;

check(filled, items, {
  fetch: async ({ send }) => {
    const { json } = await send('/v1/orders', { method: 'POST', body: wrong });
    const detail = expect.stringMatching(/\w/);
    expect(json).toEqual({
      message: detail,
      errors: [
        { field: 'device.serial', code: 'missingField' },
        { field: 'lines.0.quantity', code: 'invalid', message: detail },
      ],
    });
    const absent = await send('/v1/orders/99');
    const unparsed = await send('/v1/orders', { method: 'POST', body: '{' });
    for (const answer of [absent, unparsed]) expect(answer.json).not.toHaveProperty('errors');
  },
  client: async ({ api, client }) => {
    const error = await rejectionOf(api.orders.create(wrongOrder));
    expect(error).toBeInstanceOf(ValidationError);
    const { errors, fieldErrors } = error as ValidationError;
    expect(errors.map(({ field, code }) => [field, code])).toEqual([
      ['device.serial', 'missingField'],
      ['lines.0.quantity', 'invalid'],
    ]);
    expect(errors.map(({ message }) => typeof message)).toEqual(['undefined', 'string']);
    expect(Object.keys(fieldErrors)).toEqual(['device.serial', 'lines.0.quantity']);
    const text = client.request({ method: 'POST', path: 'v1/orders', body: 'no object' });
    expect(await rejectionOf(api.orders.get(99))).not.toBeInstanceOf(ValidationError);
    expect(Object.getPrototypeOf(await rejectionOf(text))).toBe(BadRequestError.prototype);
  },
});

const withReference = {
  message: 'The request is not valid',
  errors: [
    { field: 'status', code: 'invalid', reference: 'https://docs.example.com/status' },
    { field: 'createdAt', code: 'missingField' },
  ],
};

check(filled, '§2.3 errors[].reference is a URI that an item may have', {
  fetch: async ({ send, mock }) => {
    mock.faults.next({ status: 400, body: JSON.stringify(withReference) });
    expect(await send('/v1/orders', { method: 'POST', body: newOrder })).toMatchObject({
      status: 400,
      json: withReference,
    });
  },
  client: async ({ api, mock }) => {
    mock.faults.next({ status: 400, body: JSON.stringify(withReference) });
    const { errors } = (await rejectionOf(api.orders.create(newOrder))) as ValidationError;
    expect(errors).toEqual(withReference.errors);
  },
});

const withMessage = [
  '§2.3 message is a string in every error body',
  '§7.2.2 every error body has a message, also where the body could not be parsed',
] as const;

check(filled, withMessage, {
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
