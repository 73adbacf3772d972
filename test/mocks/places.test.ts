import { collection, defineApi, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { origin, send } from './calls.ts';

const Firm = resource({ name: z.string() });
const declare = (name: string, paths: Readonly<Record<string, string>>, version = 1) =>
  defineApi({
    name,
    version,
    auth: 'open',
    collections: Object.fromEntries(
      Object.entries(paths).map(([key, path]) => [key, collection(path, Firm)]),
    ),
  });
const api = declare('firms', { firms: 'firms' });

describe.each(['baseUrl', 'authUrl'] as const)('%s', (name) => {
  test.each(['api.example.com', '', '/rest', 'ftp://api.example.com', 5, {}])(
    'is a URL of HTTP, and not %j',
    (url) => {
      const create = () => createMock(api, { [name]: url as string });
      expect(create).toThrow(TypeError);
      expect(create).toThrow(`${name} must be a URL of http: or https:`);
    },
  );

  test.each([`${origin}?x=1`, `${origin}/rest#a`, `${origin}/?`])(
    'has no query and no fragment: %s',
    (url) => {
      expect(() => createMock(api, { [name]: url })).toThrow(`${name} must have no query and no fragment`);
    },
  );
});

test.each([origin, `${origin}/`, 'HTTPS://API.example.com:443/'])(
  'links begin with %s as a URL is written',
  async (baseUrl) => {
    const mock = createMock(api, { baseUrl, data: { firms: [{ name: 'a' }] } });
    expect((await send(mock, '/v1/firms/1')).json.self).toBe(`${origin}/v1/firms/1`);
  },
);

describe('two collections at one path are refused, with both named', () => {
  test('of two APIs', () => {
    expect(() => createMock([api, declare('others', { orgs: 'firms' })])).toThrow(
      'The collections "firms" of "firms" v1 and "orgs" of "others" v1 are both at /v1/firms',
    );
  });

  test('whatever the parameters of the path are called', () => {
    const paths = { a: 'firms/:firmId/notes', b: 'firms/:id/notes' };
    expect(() => createMock(declare('notes', paths))).toThrow('"a" of "notes" v1 and "b" of "notes" v1');
  });

  test('but not in two majors', () => {
    expect(() => createMock([api, declare('firms', { firms: 'firms' }, 2)])).not.toThrow();
  });
});
