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

const messageOf = (json: unknown): unknown => (json as { readonly message: unknown }).message;

check(filled, '§2.3 message is a string in every error body', {
  fetch: async ({ send }) => {
    const answers = [
      await send('/v1/orders/99'),
      await send('/v1/orders/1', { anonymous: true }),
      await send('/v1/orders?page=x'),
      await send('/v1/orders', { method: 'PATCH', body: {} }),
      await send('/v1/orders', { method: 'POST', body: wrong }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 401, 400, 405, 400]);
    for (const { json } of answers) expect(json).toMatchObject({ message: expect.stringMatching(/\w/) });
  },
  client: async ({ api, send }) => {
    const [absent, invalid] = [
      await rejectionOf(api.orders.get(99)),
      await rejectionOf(api.orders.create(wrongOrder)),
    ];
    const answers = [await send('/v1/orders/99'), await send('/v1/orders', { method: 'POST', body: wrong })];
    expect([absent, invalid]).toMatchObject(answers.map(({ json }) => ({ detail: messageOf(json) })));
  },
});

check(filled, '§2.3 errors has one item per field in error, and is only there for validation failures', {
  fetch: async ({ send }) => {
    const { json } = await send('/v1/orders', { method: 'POST', body: wrong });
    expect(json).toMatchObject({ errors: { length: 2 } });
    for (const answer of [
      await send('/v1/orders/99'),
      await send('/v1/orders', { method: 'POST', body: '{' }),
    ]) {
      expect(answer.json).not.toHaveProperty('errors');
    }
  },
  client: async ({ api, client }) => {
    const error = await rejectionOf(api.orders.create(wrongOrder));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ errors: { length: 2 } });
    const text = client.request({ method: 'POST', path: 'v1/orders', body: 'no object' });
    expect(await rejectionOf(api.orders.get(99))).not.toBeInstanceOf(ValidationError);
    expect(Object.getPrototypeOf(await rejectionOf(text))).toBe(BadRequestError.prototype);
  },
});

const fields = ['device.serial', 'lines.0.quantity'];

check(filled, '§2.3 errors[].field is the dotted path of the offending field', {
  fetch: async ({ send }) => {
    const { json } = await send('/v1/orders', { method: 'POST', body: wrong });
    expect(json).toMatchObject({ errors: fields.map((field) => ({ field })) });
  },
  client: async ({ api }) => {
    const error = (await rejectionOf(api.orders.create(wrongOrder))) as ValidationError;
    expect(error.errors.map(({ field }) => field)).toEqual(fields);
    expect(Object.keys(error.fieldErrors)).toEqual(fields);
  },
});

check(filled, '§2.3 errors[].code is a machine code', {
  fetch: async ({ send }) => {
    const { json } = await send('/v1/orders', { method: 'POST', body: wrong });
    expect(json).toMatchObject({ errors: [{ code: 'missingField' }, { code: 'invalid' }] });
  },
  client: async ({ api }) => {
    const { fieldErrors } = (await rejectionOf(api.orders.create(wrongOrder))) as ValidationError;
    expect(fieldErrors['device.serial']).toMatchObject([{ code: 'missingField' }]);
    expect(fieldErrors['lines.0.quantity']).toMatchObject([{ code: 'invalid' }]);
  },
});

check(filled, '§2.3 errors[].message is a detail that an item may lack', {
  fetch: async ({ send }) => {
    const { json } = await send('/v1/orders', { method: 'POST', body: wrong });
    const { errors } = json as { readonly errors: readonly object[] };
    expect(errors[0]).not.toHaveProperty('message');
    expect(errors[1]).toMatchObject({ message: expect.stringMatching(/\w/) });
  },
  client: async ({ api }) => {
    const { errors } = (await rejectionOf(api.orders.create(wrongOrder))) as ValidationError;
    expect(errors.map(({ message }) => typeof message)).toEqual(['undefined', 'string']);
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
