import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import { doors } from '../support/conformance-doors.ts';
import { requestToken, textOf } from '../support/conformance-send.ts';
import { ordering } from '../support/ordering.ts';

const company = { id: 1, self: 'https://api.example.com/v1/companies/1', name: 'Acme', city: 'Oslo' };
const created = () => Response.json(company, { status: 201, headers: { location: company.self } });
const post = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

// Each exchange over HTTP in the tests of the conventions is compared with the OpenAPI document of its API.
test.each<[string, () => Response, RegExp, ReturnType<typeof post>?]>([
  [
    'a response body of another shape',
    () => Response.json([{ id: 'seven' }]),
    /must have required property 'name'/,
  ],
  [
    'a status that it does not have',
    () => Response.json({ message: 'Gone' }, { status: 410 }),
    /410 is not documented|410: response: Unable to match the returned status code/,
  ],
  [
    'a request body of another shape that is accepted',
    created,
    /name must be string|request\.body\.name: .*must be string/,
    post({ name: 1, city: 'Oslo' }),
  ],
])('the document of an API finds %s', async (_, respond, reason, init) => {
  const door = doors.find(({ name }) => name === 'HTTP')?.open(ordering);
  const place = await door?.place((where) => {
    const mock = createMock(ordering, where);
    return {
      ...mock,
      respond: (request) =>
        request.url.endsWith('/v1/companies') ? Promise.resolve(respond()) : mock.respond(request),
    };
  });
  const token = textOf((await requestToken(place?.authUrl ?? '')).json, 'access_token');
  const headers = { ...init?.headers, authorization: `Bearer ${token}` };
  await fetch(`${place?.url}/v1/companies`, { ...init, headers });
  await expect(door?.[Symbol.asyncDispose]()).rejects.toThrow(reason);
});

test('the document of an API finds nothing in an exchange that it has', async () => {
  const door = doors.find(({ name }) => name === 'HTTP')?.open(ordering);
  const place = await door?.place((where) => ({
    ...createMock(ordering, where),
    respond: async () => created(),
  }));
  const { headers, ...init } = post({ name: 'Acme', city: 'Oslo' });
  await fetch(`${place?.url}/v1/companies`, { ...init, headers: { ...headers, authorization: 'Bearer t' } });
  await expect(door?.[Symbol.asyncDispose]()).resolves.toBeUndefined();
});
