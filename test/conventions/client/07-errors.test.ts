import {
  BadRequestError,
  ContentTooLargeError,
  ForbiddenError,
  InternalServerError,
  isApiError,
  isNotModified,
  MethodNotAllowedError,
  NotAcceptableError,
  NotFoundError,
  ServiceUnavailableError,
  TooManyRequestsError,
  UnauthorizedError,
  UnexpectedResponseError,
  UnsupportedMediaTypeError,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import { json, record } from '../../support/recording-server.ts';
import { rejectionOf, shopAt } from '../../support/shop.ts';

const statuses = [
  [400, BadRequestError, 'bad_request'],
  [401, UnauthorizedError, 'unauthorized'],
  [403, ForbiddenError, 'forbidden'],
  [404, NotFoundError, 'not_found'],
  [405, MethodNotAllowedError, 'method_not_allowed'],
  [406, NotAcceptableError, 'not_acceptable'],
  [413, ContentTooLargeError, 'content_too_large'],
  [415, UnsupportedMediaTypeError, 'unsupported_media_type'],
  [429, TooManyRequestsError, 'too_many_requests'],
  [500, InternalServerError, 'internal_server_error'],
  [503, ServiceUnavailableError, 'service_unavailable'],
] as const;

describe('§7.1 status codes', () => {
  test.each(statuses)('§7.1 %i has a class of its own', async (status, Class, code) => {
    await using server = await record(() => json({ message: `It is ${status}` }, status));
    const company = { name: 'a', city: 'b' };
    // Each call has a client of its own, because a 429 makes the next one wait.
    const shopOf = () => shopAt(server, { retry: false }).companies;
    const calls: readonly (readonly [string, string, () => PromiseLike<unknown>])[] = [
      ['GET', '/v1/companies/1', () => shopOf().get(1)],
      ['GET', '/v1/companies', () => shopOf().list()],
      ['POST', '/v1/companies', () => shopOf().create(company)],
      ['PUT', '/v1/companies/1', () => shopOf().replace(1, company)],
      ['PATCH', '/v1/companies/1', () => shopOf().update(1, company)],
      ['DELETE', '/v1/companies/1', () => shopOf().delete(1)],
      ['OPTIONS', '/v1/companies', () => shopOf().allowedMethods()],
    ];
    for (const [method, path, call] of calls) {
      const error = await rejectionOf(call());
      expect(error).toBeInstanceOf(Class);
      expect(Object.getPrototypeOf(error)).toBe(Class.prototype);
      expect(isApiError(error)).toBe(true);
      expect(error).toMatchObject({
        status,
        code,
        detail: `It is ${status}`,
        method,
        url: server.url + path,
      });
    }
    expect(server.requests).toHaveLength(calls.length);
  });
});

describe('§7.1 304', () => {
  const since = new Date('2026-03-01T12:30:45.678Z');

  test('§7.1 ifNoneMatch sends If-None-Match, and 304 is an outcome', async () => {
    await using server = await record(() => ({ status: 304, headers: { etag: '"a"' } }));
    const call = shopAt(server).companies.get(1, { ifNoneMatch: '"a"' });
    const { data, response } = await call.withResponse();
    expect(isNotModified(data)).toBe(true);
    expect([response.status, response.etag]).toEqual([304, '"a"']);
    expect(server.requests[0]?.headers['if-none-match']).toBe('"a"');
    expect(server.requests[0]?.headers).not.toHaveProperty('modified-since');
  });

  test('§7.1 modifiedSince sends Modified-Since, and If-Modified-Since for others', async () => {
    await using server = await record(() => ({ status: 304 }));
    const result = await shopAt(server).companies.get(1, { modifiedSince: since });
    expect(result).toEqual({ outcome: 'notModified' });
    expect(server.requests[0]?.headers).toMatchObject({
      'modified-since': 'Sun, 01 Mar 2026 12:30:45 GMT',
      'if-modified-since': 'Sun, 01 Mar 2026 12:30:45 GMT',
    });
    expect(server.requests[0]?.headers).not.toHaveProperty('if-none-match');
  });

  test('§7.1 a 304 to an unconditional request is unexpected', async () => {
    await using server = await record(() => ({ status: 304 }));
    const { companies } = shopAt(server);
    const calls: readonly (() => PromiseLike<unknown>)[] = [
      () => companies.get(1),
      () => companies.get(1, { ifNoneMatch: undefined }),
      () => companies.list(),
      () => companies.delete(1),
    ];
    for (const call of calls) {
      const error = await rejectionOf(call());
      expect(error).toBeInstanceOf(UnexpectedResponseError);
      expect(error).toMatchObject({ status: 304 });
    }
    expect(server.requests).toHaveLength(4);
    expect(server.requests[1]?.headers).not.toHaveProperty('if-none-match');
  });
});
