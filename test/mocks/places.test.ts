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
      'The collections "firms" of "firms" and "orgs" of "others" are both at /v1/firms',
    );
  });

  test('whatever the parameters of the path are called', () => {
    const paths = { a: 'firms/:firmId/notes', b: 'firms/:id/notes' };
    expect(() => createMock(declare('notes', paths))).toThrow('"a" of "notes" and "b" of "notes"');
  });

  test('but not in two majors', () => {
    expect(() => createMock([api, declare('firms', { firms: 'firms' }, 2)])).not.toThrow();
  });
});
