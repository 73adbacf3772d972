import { InvalidRequestError, MethodNotAllowedError } from 'restkin';
import { createMock, serve } from 'restkin/mocks';
import { expect, test } from 'vitest';
import { bothTransports, check, mockOf } from '../support/conformance.ts';
import { data, newCompany, newOrder, shop } from '../support/conformance-data.ts';
import { idsOf, rowsOf, statusBySocket } from '../support/conformance-send.ts';
import { Company } from '../support/ordering.ts';
import { rejectionOf } from '../support/shop.ts';

const filled = mockOf(shop, { data });

const retrieved = [
  '§4.2 GET retrieves a collection and a resource with 200',
  '§4.2 bare arrays are the body of a list, also of an empty one',
  '§7.1 200 is the success of GET',
] as const;

check(filled, retrieved, {
  fetch: async ({ send, url }) => {
    const list = await send('/v1/companies');
    const one = await send('/v1/companies/2');
    expect([list.status, one.status]).toEqual([200, 200]);
    expect(idsOf(rowsOf(list))).toEqual([1, 2, 3]);
    expect((await send('/v1/companies?page=99')).text).toBe('[]');
    expect(one.json).toEqual({ ...data.companies[1], self: `${url}/v1/companies/2` });
  },
  client: async ({ api, url, mock }) => {
    expect(idsOf(await api.companies.list().toArray())).toEqual([1, 2, 3]);
    expect(await api.companies.get(2)).toEqual({ ...data.companies[1], self: `${url}/v1/companies/2` });
    expect(mock.requests.map(({ method, status }) => [method, status])).toEqual([
      ['GET', 200],
      ['GET', 200],
    ]);
    expect(mock.requests[0]?.headers.has('content-type')).toBe(false);
  },
});

const createdWith201 = [
  '§4.2 POST creates with 201, and Location is the URI of the created resource in the body',
  '§7.1 201 is for POST: the resource is created',
] as const;

check(filled, createdWith201, {
  fetch: async ({ send, url }) => {
    const answer = await send('/v1/companies', { method: 'POST', body: newCompany });
    const self = `${url}/v1/companies/4`;
    expect([answer.status, answer.headers.get('location')]).toEqual([201, self]);
    expect(answer.json).toEqual({ id: 4, self, ...newCompany });
    expect((await send(self)).json).toEqual(answer.json);
  },
  client: async ({ api, client, url }) => {
    const location = `${url}/v1/companies/4`;
    const data = { id: 4, self: location, ...newCompany };
    const created = await api.companies.create(newCompany).withResponse();
    expect([created.data, created.response.location]).toEqual([data, location]);
    expect(await client.follow(Company, location)).toEqual(data);
  },
});

check(filled, '§4.2 PUT replaces an entire resource with 204: what the body lacks is gone or in error', {
  fetch: async ({ send }) => {
    await send('/v1/orders/1', { method: 'PATCH', body: { note: 'n' } });
    const put = (body: object) => send('/v1/orders/1', { method: 'PUT', body });
    const answer = await put(newOrder);
    expect([answer.status, answer.text]).toEqual([204, '']);
    const { json } = await send('/v1/orders/1');
    expect(json).toMatchObject({ id: 1, device: newOrder.device });
    expect(json).not.toHaveProperty('note');
    expect((await put({ status: 'open' })).status).toBe(400);
  },
  client: async ({ api }) => {
    await api.orders.update(1, { note: 'n' });
    expect(await api.orders.replace(1, newOrder)).toEqual({ outcome: 'done' });
    const order = await api.orders.get(1);
    expect(order).toMatchObject({ id: 1, device: newOrder.device });
    expect(order).not.toHaveProperty('note');
  },
});

check(filled, ['§4.2 PATCH updates part of a resource with 204', '§7.1 204 is the success of PATCH'], {
  fetch: async ({ send }) => {
    const answer = await send('/v1/companies/1', { method: 'PATCH', body: { city: 'Voss' } });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await send('/v1/companies/1')).json).toMatchObject({ name: 'Zeta', city: 'Voss' });
  },
  client: async ({ api }) => {
    expect(await api.companies.update(1, { city: 'Voss' })).toEqual({ outcome: 'done' });
    expect(await api.companies.get(1)).toMatchObject({ name: 'Zeta', city: 'Voss' });
  },
});

check(filled, ['§4.2 DELETE deletes a resource with 204', '§7.1 204 is the success of DELETE'], {
  fetch: async ({ send }) => {
    const answer = await send('/v1/companies/1', { method: 'DELETE' });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await send('/v1/companies/1')).status).toBe(404);
    expect(idsOf(rowsOf(await send('/v1/companies')))).toEqual([2, 3]);
  },
  client: async ({ api, mock }) => {
    expect(await api.companies.delete(1)).toEqual({ outcome: 'done' });
    expect(mock.requests[0]?.headers.has('content-type')).toBe(false);
    expect(await rejectionOf(api.companies.get(1))).toMatchObject({ status: 404 });
    expect(idsOf(await api.companies.list().toArray())).toEqual([2, 3]);
  },
});

const methodsAt = {
  '/v1/orders': ['GET', 'POST', 'OPTIONS'],
  '/v1/orders/1': ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  '/v1/feed': ['GET', 'OPTIONS'],
};

check(filled, '§4.2 OPTIONS lists the available methods of a URI in Accept, with 200 and no body', {
  fetch: async ({ send }) => {
    for (const [path, methods] of Object.entries(methodsAt)) {
      const { status, text, headers } = await send(path, { method: 'OPTIONS' });
      expect([status, text]).toEqual([200, '']);
      expect(headers.get('accept')?.split(/, */).toSorted()).toEqual(methods.toSorted());
    }
  },
  client: async ({ api }) => {
    const found = [
      await api.orders.allowedMethods(),
      await api.orders.allowedMethods(1),
      await api.feed.allowedMethods(),
    ];
    expect(found.map((methods) => methods.toSorted())).toEqual(
      Object.values(methodsAt).map((methods) => methods.toSorted()),
    );
  },
});

const refused = [
  '§4.2 HEAD gets 405, and the client does not send it',
  '§7.1 405 is for HEAD always, and for a method that the resource does not support',
] as const;

check(
  filled,
  refused,
  {
    fetch: async ({ send }) => {
      for (const path of ['/v1/orders', '/v1/orders/1', '/v1/orders/99']) {
        const { status, text } = await send(path, { method: 'HEAD', anonymous: path.endsWith('1') });
        expect([status, text]).toEqual([405, '']);
      }
      expect((await send('/v1/feed', { method: 'POST', body: newCompany })).status).toBe(405);
      expect((await send('/v1/orders', { method: 'DELETE' })).status).toBe(405);
    },
    client: async ({ client, mock }) => {
      // A JavaScript user has no compiler.
      const head = client.request({ method: 'HEAD' as 'GET', path: 'v1/orders' });
      expect(await rejectionOf(head)).toBeInstanceOf(InvalidRequestError);
      expect(mock.requests).toEqual([]);
      const post = client.request({ method: 'POST', path: 'v1/feed', body: newCompany });
      expect(await rejectionOf(post)).toBeInstanceOf(MethodNotAllowedError);
    },
  },
  bothTransports,
);

for (const method of ['TRACE', 'TRACK'] as const) {
  check(filled, `§4.2 ${method} is not sent by the client`, {
    client: async ({ client, mock }) => {
      // A JavaScript user has no compiler.
      const call = client.request({ method: method as 'GET', path: 'v1/orders' });
      expect(await rejectionOf(call)).toBeInstanceOf(InvalidRequestError);
      expect(mock.requests).toEqual([]);
    },
  });

  test(`§4.2 ${method} gets 405 [HTTP, node:http]`, async () => {
    await using server = await serve(createMock(shop, { data }));
    expect(await statusBySocket(`${server.url}/v1/orders`, method)).toBe(405);
    await expect(fetch(`${server.url}/v1/orders`, { method })).rejects.toThrow(method);
  });
}
