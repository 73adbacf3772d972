import fc from 'fast-check';
import { basicAuth, createClient, defineApi, tokenAuth, UnauthorizedError } from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { anyText, connect, origin, thing, things } from '../support/conformance-round-trip.ts';
import { rejectionOf } from '../support/shop.ts';

describe('what the client sends is what the mock reads', () => {
  test('§4.3.1 bodies of any strings and depth', async () => {
    await fc.assert(
      fc.asyncProperty(thing, thing, async (first, second) => {
        const mock = createMock(things, { data: { things: [] } });
        const api = connect(mock).api(things);
        await api.things.create(first);
        const self = `${origin}/v1/things/${encodeURIComponent(first.id)}`;
        expect(await api.things.get(first.id)).toEqual({ ...first, self });
        const { id: _other, ...body } = second;
        await api.things.replace(first.id, body);
        expect(await api.things.get(first.id)).toEqual({ ...second, id: first.id, self });
        await api.things.update(first.id, { label: first.label, content: [first.content] });
        expect(await api.things.get(first.id)).toEqual({
          ...second,
          id: first.id,
          self,
          label: first.label,
          content: [first.content],
        });
      }),
    );
  });

  const password = anyText.filter((value) => value !== '');
  const username = password.filter((value) => !value.includes(':'));

  test('§5.1 Basic credentials of any characters, with colons in the password', async () => {
    await fc.assert(
      fc.asyncProperty(username, password, password, async (name, secret, other) => {
        fc.pre(secret !== other);
        const user = { username: name, password: secret };
        const mock = createMock(things, { data: { things: [] }, users: [user] });
        expect((await connect(mock, basicAuth(user)).api(things).things.list()).items).toEqual([]);
        const wrong = connect(mock, basicAuth({ username: name, password: other })).api(things);
        expect(await rejectionOf(wrong.things.list())).toBeInstanceOf(UnauthorizedError);
      }),
    );
  });

  test('§4.1 credentials of any characters in the form of a token request', async () => {
    const byToken = defineApi({ ...things, auth: 'token' });
    await fc.assert(
      fc.asyncProperty(password, password, password, async (name, secret, other) => {
        fc.pre(secret !== other);
        const mock = createMock(byToken, {
          data: { things: [] },
          users: [{ username: name, password: secret }],
        });
        const listAs = async (given: string) => {
          const auth = tokenAuth({ authUrl: origin, username: name, password: given });
          const client = createClient({ baseUrl: origin, auth, fetch: mock.fetch, retry: false });
          return client.api(byToken).things.list();
        };
        expect((await listAs(secret)).items).toEqual([]);
        await rejectionOf(listAs(other));
        expect(mock.requests.map(({ grant, status }) => [grant, status])).toEqual([
          ['password', 200],
          [undefined, 200],
          ['password', 401],
        ]);
      }),
      { numRuns: 40 },
    );
  });
});
