import { describe, expect, onTestFinished, test } from 'vitest';
import { apiFile, runHere } from './run-here.ts';
import { serveOrdering } from './served.ts';

interface Wants {
  readonly path: string;
  readonly scope: string;
  readonly isClient: (form: URLSearchParams, authorization: string | null) => boolean;
}

const refused = (error: string): Response => Response.json({ error, message: 'No' }, { status: 400 });

/** Serves orders behind a token endpoint that wants a client, a scope and a path of its own. */
const serveWith = async ({ path, scope, isClient }: Wants) => {
  const served = await serveOrdering((respond) => async (request) => {
    const { pathname, origin } = new URL(request.url);
    if (!pathname.includes('token')) return respond(request);
    const form = new URLSearchParams(await request.text());
    if (pathname !== path) return Response.json({ message: 'No token endpoint' }, { status: 404 });
    if (!isClient(form, request.headers.get('authorization'))) return refused('invalid_client');
    if (form.get('grant_type') === 'password' && form.get('scope') !== scope) return refused('invalid_scope');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return respond(new Request(`${origin}/auth/token`, { method: 'POST', headers, body: String(form) }));
  });
  onTestFinished(() => served.server.close());
  return served;
};

const publicClient: Wants = {
  path: '/oauth/token',
  scope: 'orders offline_access',
  isClient: (form) => form.get('client_id') === 'billing',
};

const confidentialClient: Wants = {
  ...publicClient,
  isClient: (_form, authorization) => authorization === `Basic ${btoa('billing:client-s3cret')}`,
};

const ofPublic = {
  RESTKIN_CLIENT_ID: 'billing',
  RESTKIN_SCOPE: 'orders offline_access',
  RESTKIN_TOKEN_PATH: 'oauth/token',
} as const;

const ofConfidential = { ...ofPublic, RESTKIN_CLIENT_SECRET: 'client-s3cret' } as const;

describe('a token endpoint that wants a client, a scope and a path of its own', () => {
  test.for([
    ['a public client', publicClient, ofPublic],
    ['a client with a secret', confidentialClient, ofConfidential],
  ] as const)('logs in restkin get as %s', async ([, wants, env]) => {
    const served = await serveWith(wants);
    const { code, stdout, stderr } = await runHere(['get', apiFile, 'orders/7'], { ...served.env, ...env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ id: 7 });
  });

  test.for([
    ['a public client', publicClient, ofPublic],
    ['a client with a secret', confidentialClient, ofConfidential],
  ] as const)('logs in restkin doctor as %s', async ([, wants, env]) => {
    const served = await serveWith(wants);
    const { stdout, stderr } = await runHere(['doctor', apiFile], { ...served.env, ...env });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^restkin works with this server: yes/);
    expect(stdout).not.toContain('client-s3cret');
  });

  test('is told apart from a server that does not work, where the client is missing', async () => {
    const served = await serveWith(confidentialClient);
    const env = { ...served.env, RESTKIN_TOKEN_PATH: 'oauth/token' };
    const { code, stdout } = await runHere(['doctor', apiFile], env);
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /^restkin works with this server: no\. The server refused the credentials \(400\)/,
    );
    expect(stdout).toContain('First to fix: RESTKIN_USERNAME and RESTKIN_PASSWORD, or RESTKIN_CLIENT_ID');
  });

  test('needs the id of a client that has a secret', async () => {
    const { env } = await serveWith(confidentialClient);
    const secret = { RESTKIN_CLIENT_SECRET: 'client-s3cret' };
    const { code, stderr } = await runHere(['get', apiFile, 'orders/7'], { ...env, ...secret });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'restkin: RESTKIN_CLIENT_SECRET needs RESTKIN_CLIENT_ID, the client that it belongs to\n',
    });
  });
});
