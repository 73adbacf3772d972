import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import { requestToken, textOf } from '../support/conformance-send.ts';
import { openTransport } from '../support/conformance-transports.ts';
import { ordering } from '../support/ordering.ts';

const company = { id: 1, self: 'https://api.example.com/v1/companies/1', name: 'Acme', city: 'Oslo' };
const created = () => Response.json(company, { status: 201, headers: { location: company.self } });
const gone = () => Response.json({ message: 'Gone' }, { status: 410 });
const post = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

// Each exchange in the tests of the conventions is compared with the OpenAPI document of its API.
test.each<[string, () => Response, RegExp, RequestInit?]>([
  ['a response of another shape', () => Response.json([{ id: 'seven' }]), /required property 'name'/],
  ['a status that it does not have', gone, /410 is not documented/],
  ['a wrong request that is accepted', created, /name must be string/, post({ name: 1, city: 'Oslo' })],
])('the document of an API finds %s', async (_, respond, reason, init) => {
  const transport = openTransport('HTTP', ordering);
  const place = await transport.place((where) => {
    const mock = createMock(ordering, where);
    return {
      ...mock,
      respond: (request) =>
        request.url.endsWith('/v1/companies') ? Promise.resolve(respond()) : mock.respond(request),
    };
  });
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${textOf((await requestToken(place.authUrl)).json, 'access_token')}`);
  await fetch(`${place.url}/v1/companies`, { ...init, headers });
  await expect(transport[Symbol.asyncDispose]()).rejects.toThrow(reason);
});
