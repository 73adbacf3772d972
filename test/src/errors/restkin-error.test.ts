import {
  AmbiguousOutcomeError,
  ApiError,
  ConnectionError,
  CrossOriginUrlError,
  InvalidCredentialsError,
  InvalidRequestError,
  isApiError,
  isConnectionError,
  isRestkinError,
  isValidationError,
  PagingError,
  ReauthenticationRequiredError,
  RedirectRefusedError,
  ResponseTooLargeError,
  RestkinError,
  TimeoutError,
  TokenRequestError,
  UnexpectedResponseError,
} from 'restkin';
import { describe, expect, test, vi } from 'vitest';
import { toApiError } from '../../../src/errors/api-error.ts';

const context = { method: 'GET', url: 'https://a.test/', message: 'm' };
const answer = { ...context, status: 200 };

const errors: readonly RestkinError[] = [
  new ApiError(answer),
  new TokenRequestError('m'),
  new InvalidCredentialsError('m', { status: 401 }),
  new ReauthenticationRequiredError('m'),
  new ConnectionError({ ...context, sent: true }),
  new TimeoutError({ ...context, sent: true }),
  new AmbiguousOutcomeError({ ...context, sent: true }),
  new UnexpectedResponseError(answer),
  new ResponseTooLargeError(answer),
  new RedirectRefusedError(answer),
  new CrossOriginUrlError(answer),
  new PagingError('m'),
  new InvalidRequestError('m'),
];

describe('every error', () => {
  test.each(errors.map((error) => [error.name, error] as const))('%s', (name, error) => {
    expect(error).toBeInstanceOf(RestkinError);
    expect(name).toBe(error.constructor.name);
    expect(String(error)).toMatch(/^\w+Error: (?:GET https:\/\/a\.test\/: )?(?:200(?:: m)?|m)$/);
    expect(String(error).startsWith(`${name}: `)).toBe(true);
    expect(isRestkinError(error)).toBe(true);
    expect(error.cause).toBeUndefined();
    const { message, code, ...fields } = error;
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      name,
      message,
      code,
      ...JSON.parse(JSON.stringify(fields)),
    });
  });

  test('has a code of its own', () => {
    expect(new Set(errors.map(({ code }) => code)).size).toBe(errors.length);
  });
});

test('the name may be changed, as that of any error', () => {
  const error = new PagingError('m');
  error.name = 'ListError';
  expect([error.name, String(error), error.toJSON().name]).toEqual([
    'ListError',
    'ListError: m',
    'ListError',
  ]);
  expect(new PagingError('m').name).toBe('PagingError');
  expect(Object.keys(error)).toEqual(Object.keys(new PagingError('m')));
});

test('the classes that a group of errors shares', () => {
  const of = (type: abstract new (...args: never[]) => Error) =>
    errors.filter((error) => error instanceof type).map(({ name }) => name);
  expect(of(TokenRequestError)).toEqual([
    'TokenRequestError',
    'InvalidCredentialsError',
    'ReauthenticationRequiredError',
  ]);
  expect(of(ConnectionError)).toEqual(['ConnectionError', 'TimeoutError', 'AmbiguousOutcomeError']);
  expect(of(UnexpectedResponseError)).toEqual([
    'UnexpectedResponseError',
    'ResponseTooLargeError',
    'RedirectRefusedError',
    'CrossOriginUrlError',
  ]);
  expect(errors.filter(isApiError).map(({ name }) => name)).toEqual(['ApiError']);
  expect(errors.filter(isConnectionError).map(({ name }) => name)).toEqual(of(ConnectionError));
  expect(errors.filter(isValidationError)).toEqual([]);
});

test('a guard narrows by status or code, and takes no index of a list for one', () => {
  const notFound = toApiError({ ...context, status: 404 });
  expect([isApiError(notFound, 404), isApiError(notFound, 400)]).toEqual([true, false]);
  expect(isApiError(toApiError({ ...context, status: 502 }), 502)).toBe(true);
  const timeout = new TimeoutError({ ...context, sent: true });
  expect(isConnectionError(timeout, 'timeout')).toBe(true);
  expect(isConnectionError(timeout, 'ambiguous_outcome')).toBe(false);
  expect([notFound, timeout].filter(isApiError)).toEqual([notFound]);
  expect([notFound, timeout].find(isConnectionError)).toBe(timeout);
});

test('the guards know the errors of a second copy of the package', async () => {
  vi.resetModules();
  const copy = await import('restkin');
  const error = new copy.TimeoutError({ ...context, sent: true });
  expect(error).not.toBeInstanceOf(TimeoutError);
  expect([isRestkinError(error), isConnectionError(error), isApiError(error)]).toEqual([true, true, false]);
  const invalid = new copy.ValidationError({ ...context, status: 400, items: [] });
  expect([isApiError(invalid), isValidationError(invalid)]).toEqual([true, true]);
});

test.each([undefined, null, 'x', new TypeError('x'), { code: 'timeout' }])(
  'the guards refuse %o',
  (value) => {
    const guards = [isRestkinError, isApiError, isConnectionError, isValidationError];
    expect(guards.map((guard) => guard(value))).toEqual([false, false, false, false]);
  },
);
