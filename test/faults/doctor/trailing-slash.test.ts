import { collection, defineApi, resource } from 'restkin';
import { diagnose } from 'restkin/doctor';
import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { type Break, breakServer, login, reach } from './server.ts';

const shop = defineApi({
  name: 'shop',
  version: 1,
  auth: 'basic',
  collections: {
    items: collection('items', resource({ name: z.string() }), { paging: true, trailingSlash: true }),
  },
});

test('a collection whose path ends with a slash is examined there, and its resources are without one', async () => {
  const redirected: string[] = [];
  // As FastAPI does.
  const redirect: Break = async (seen, next) => {
    const reply = await next(seen);
    const { pathname } = seen.url;
    if (!/\/items$|\/items\/[^/]+\/$/.test(pathname)) return reply;
    redirected.push(pathname);
    return { ...reply, status: 307 };
  };
  const mock = createMock(shop, { users: [login], generate: 60 });
  const { counts } = await diagnose(shop, reach(breakServer(mock.respond, redirect)));
  expect(counts.fail).toBe(0);
  expect(redirected).toEqual([]);
  const paths = new Set(mock.requests.map(({ path }) => path));
  expect([...paths]).toEqual(expect.arrayContaining(['/v1/items/', '/v1/items/1']));
});
