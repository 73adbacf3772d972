import { RedirectRefusedError, ResponseTooLargeError, UnexpectedResponseError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { basicOrdering, connect, failureOf, orderBody } from '../../support/basic-ordering.ts';

const url = 'https://api.test';
const location = `${url}/v1/orders/9`;

const responding = (status: number, body: string | null, options: object = {}) =>
  connect(url, {
    fetch: async () =>
      new Response(body, { status, headers: { 'content-type': 'application/json', location } }),
    ...options,
  });

// The server has done what was asked: whoever resends the request does it twice.
describe('a write that succeeded and whose response is refused', () => {
  test('a POST that was answered with 200', async () => {
    const { orders } = responding(200, '{}');
    const error = await failureOf(orders.create(orderBody), UnexpectedResponseError);
    expect(error.message).toMatch(/must be 201 or 202 .*; 200 means processed, so do not resend it$/);
    expect(error.headers).toEqual({ location });
  });

  test('a POST of client.request whose 200 does not match its schema', async () => {
    const { client } = responding(200, '{}');
    const schema = z.object({ sum: z.number() });
    const call = client.request({ method: 'POST', path: 'v1/sums', body: {}, schema, api: basicOrdering });
    const error = await failureOf(call, UnexpectedResponseError);
    expect(error.message).toMatch(/; 200 means processed, so do not resend it$/);
  });

  test('a 201 above maxResponseBytes, with its Location', async () => {
    const { orders } = responding(201, ' '.repeat(200), { maxResponseBytes: 100 });
    const error = await failureOf(orders.create(orderBody), ResponseTooLargeError);
    expect(error.message).toMatch(/\(100\); 201 means created, so do not resend it$/);
    expect(error.headers).toEqual({ location });
  });

  test('a 202 that the collection does not declare', async () => {
    const { orders } = responding(202, null);
    const error = await failureOf(orders.create(orderBody), UnexpectedResponseError);
    expect(error.message).toMatch(/accepts: \['create'\].*; 202 means accepted, so do not resend it$/);
  });

  test.each(['replace', 'update', 'delete'] as const)('%s with 201', async (name) => {
    const { orders } = responding(201, '{}');
    const calls = {
      replace: () => orders.replace(7, orderBody),
      update: () => orders.update(7, { status: 'open' }),
      delete: () => orders.delete(7),
    };
    const error = await failureOf(calls[name](), UnexpectedResponseError);
    expect(error.message).toMatch(/; 201 means created, so do not resend it$/);
  });

  test('a write that is redirected by See Other, which may lead to its result', async () => {
    const { orders } = responding(303, null);
    const error = await failureOf(orders.create(orderBody), RedirectRefusedError);
    expect(error.message).toMatch(
      /: redirect to https:\/\/api\.test refused; check `baseUrl`, and whether it was done \(303\) before you resend it$/,
    );
    const { message } = await failureOf(orders.get(7), RedirectRefusedError);
    expect(message).toMatch(/refused; check `baseUrl`$/);
  });

  test('but not of other redirects', async () => {
    const { message } = await failureOf(responding(307, null).orders.create(orderBody), RedirectRefusedError);
    expect(message).toMatch(/refused; check `baseUrl`$/);
  });

  test.each([
    ['/v1/orders/', 'trailingSlash'],
    ['http://api.test/v1/orders/?page=2', 'trailingSlash'],
    ['/v1/orders/9', 'baseUrl'],
    ['/v1/orders', 'baseUrl'],
    ['//', 'baseUrl'],
  ])('a redirect of /v1/orders to %s names %s', async (target, option) => {
    const fetch = async () => new Response(null, { status: 307, headers: { location: target } });
    const { orders } = connect(url, { fetch });
    const { message } = await failureOf(orders.create(orderBody), RedirectRefusedError);
    expect(message.endsWith(`refused; check \`${option}\``)).toBe(true);
  });

  test('a redirect to the path without its slash names trailingSlash', async () => {
    const fetch = async () => new Response(null, { status: 308, headers: { location: '/v1/items' } });
    const { client } = connect(url, { fetch });
    const call = client.request({ method: 'GET', path: 'v1/items/' });
    expect((await failureOf(call, RedirectRefusedError)).message).toMatch(/check `trailingSlash`$/);
  });

  test('a GET is no write', async () => {
    const { orders } = responding(201, '{}');
    const { message } = await failureOf(orders.get(7), UnexpectedResponseError);
    expect(message).not.toContain('resend');
  });
});
