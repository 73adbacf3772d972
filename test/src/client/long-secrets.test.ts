import { createClient, isApiError, tokenAuth } from 'restkin';
import { describe, expect, test } from 'vitest';
import { ordering } from '../../support/ordering.ts';

const password = 'a-password-of-some-length';
const tokenOf = (length: number, name: string): string => name.padEnd(length, `${name}.0123456789`);

/** A server whose tokens have a length, and that repeats the request's token in a 404. */
const echoing = (length: number) => {
  let renewals = 0;
  const fetch = async (input: Request | string | URL, init?: RequestInit): Promise<Response> => {
    if (String(input).endsWith('/auth/token')) {
      renewals++;
      return Response.json({
        access_token: tokenOf(length, `access${renewals}`),
        refresh_token: tokenOf(length, `refresh${renewals}`),
        token_type: 'bearer',
        expires_in: 600,
      });
    }
    const sent = new Headers(init?.headers).get('authorization') ?? '';
    return Response.json({ message: `Not yours: ${sent} (${password})` }, { status: 404 });
  };
  return fetch;
};

describe.each([7, 24_575, 24_576, 100_000, 2 ** 20])('tokens of %i characters', (length) => {
  test('an error is the error of its status, without them', async () => {
    const seen: unknown[] = [];
    const client = createClient({
      baseUrl: 'https://api.test',
      auth: tokenAuth({ authUrl: 'https://auth.test', username: 'ada', password }),
      fetch: echoing(length),
      on: { response: (event) => seen.push(event) },
    });
    const error = await client
      .api(ordering)
      .orders.get(7)
      .then(
        () => expect.fail('the call succeeded'),
        (thrown: unknown) => thrown,
      );
    expect(isApiError(error) && error.status).toBe(404);
    const shown = `${String(error)} ${JSON.stringify(error)}`;
    expect(shown).toContain('Not yours: ');
    expect(shown).not.toContain(password);
    expect(shown).not.toContain(tokenOf(length, 'access1').slice(0, 20));
    expect(seen).toHaveLength(2);
  });
});
