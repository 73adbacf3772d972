import { collection, defineApi, expandable, resource, UnexpectedResponseError } from 'restkin';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { connect } from '../../support/connect.ts';
import { rejectionOf } from '../../support/shop.ts';

const Implied = resource({ name: z.string() });
const Optional = resource({ self: z.optional(z.string()), name: z.string() });
const Url = resource({ self: z.url(), name: z.string() });
const Order = resource({ optional: expandable(Optional), url: expandable(Url) });
const api = defineApi({
  name: 'x',
  version: 1,
  auth: 'basic',
  collections: {
    implied: collection('implied', Implied),
    optional: collection('optional', Optional, { fields: true }),
    urls: collection('urls', Url),
    orders: collection('orders', Order, { expand: ['optional', 'url'] }),
  },
});
const self = 'https://api.test/v1/x/1';

describe('§2.1 a declared self is taken as it stands', () => {
  test('one that is optional may be missing where the resource can be fetched', async () => {
    const one = { id: 1, name: 'a' };
    const whole = connect(api, ({ url }) => (url.endsWith('/1') ? one : [one]));
    expect(await whole.api.optional.get(1)).toEqual(one);
    expect(await whole.api.optional.list().toArray()).toEqual([one]);
    const limited = connect(api, () => one);
    expect(await limited.api.optional.get(1, { fields: ['name'] })).toEqual(one);
  });

  test('in a reference, and where it is expanded', async () => {
    const order = { id: 1, self, optional: { id: 2 }, url: { id: 3, self } };
    expect(await connect(api, () => order).api.orders.get(1)).toEqual(order);
    const full = { ...order, optional: { id: 2, name: 'a' }, url: { id: 3, self, name: 'b' } };
    const { orders } = connect(api, () => full).api;
    expect(await orders.get(1, { expand: ['optional', 'url'] })).toEqual(full);
  });

  test('one that is a URL is checked as a URL', async () => {
    const { urls } = connect(api, () => ({ id: 1, name: 'a', self: 'no URL' })).api;
    expect(await rejectionOf(urls.get(1))).toMatchObject({ issues: [{ path: 'self' }] });
  });

  test('one that is not declared is required, and the error says what to declare, once', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => ({ id: index + 1, name: 'a' }));
    const { implied } = connect(api, () => rows).api;
    const error = await rejectionOf(implied.list());
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    const { message, issues } = error as UnexpectedResponseError;
    expect(message).toContain('at `0.self` (id 1): Invalid input: expected string, received undefined');
    expect(message).toContain('in 20 records');
    expect(message).toContain('declare resource({ self: z.optional(z.string()), ... })');
    expect(issues).toEqual([{ path: '0.self', message: expect.any(String), id: 1, records: 20 }]);
  });
});
