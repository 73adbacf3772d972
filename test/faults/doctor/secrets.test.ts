import { PassThrough } from 'node:stream';
import { inspect } from 'node:util';
import { type Diagnosis, diagnose } from 'restkin/doctor';
import { createMock, serve } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { createOutput, type Output } from '../../../src/cli/io.ts';
import { writeDiagnosis } from '../../../src/cli/output/diagnosis.ts';
import { toJson } from '../../../src/cli/output/records.ts';
import { formsOf, password } from '../../support/canaries.ts';
import { type Break, breakServer, type Reply } from './server.ts';
import { shop } from './shop.ts';

const username = 'ada';

const written = async (write: (out: Output) => Promise<void>): Promise<string> => {
  const stream = new PassThrough();
  const out = createOutput(stream, new AbortController().signal);
  await write(out);
  stream.end();
  return (await stream.toArray()).join('');
};

/** Everything that a person or a program can see of a diagnosis. */
const outputsOf = async (diagnosis: Diagnosis): Promise<Readonly<Record<string, string>>> => ({
  table: await written((out) => writeDiagnosis(diagnosis, out, true)),
  json: toJson(diagnosis),
  value: inspect(diagnosis, { depth: 20, showHidden: true }),
});

/** The strings of a token response that are secret, by whatever name. */
const tokensIn = ({ body }: Reply): readonly string[] =>
  [...body.matchAll(/"([\w-]{20,}\.[\w-]+\.[\w-]+)"/g)].map(([, token = '']) => token);

/** Examines a server that is given what it has learned, and returns the secrets that some output shows. */
const leaksOf = async (change: (secrets: readonly string[]) => Break): Promise<readonly string[]> => {
  const secrets = [password, Buffer.from(`${username}:${password}`).toString('base64')];
  const mock = createMock(shop, { users: [{ username, password }], generate: 12 });
  const respond = breakServer(mock.respond, async (seen, next) => {
    const reply = await change(secrets)(seen, next);
    secrets.push(...tokensIn(reply));
    return reply;
  });
  const server = await serve({ respond });
  try {
    const { url } = server;
    const options = { username, password, allowWrites: true };
    const outputs = await outputsOf(await diagnose(shop, { baseUrl: url, authUrl: url, ...options }));
    const canaries = [...new Set(secrets)].flatMap(formsOf);
    expect(secrets.length).toBeGreaterThan(3);
    return Object.entries(outputs).flatMap(([name, output]) =>
      canaries.filter((canary) => output.includes(canary)).map((canary) => `${name}: ${canary}`),
    );
  } finally {
    await server.close();
  }
};

const isToken = (path: string): boolean => path === '/auth/token';

const echoes: Readonly<Record<string, (secrets: readonly string[]) => Break>> = {
  'the messages and codes of errors': (secrets) => async (seen, next) => {
    const reply = await next(seen);
    if (reply.status < 400) return reply;
    const said = secrets.join(' ');
    const errors = [{ field: said, code: said, message: said, reference: `https://example.com/${said}` }];
    return { ...reply, body: JSON.stringify({ message: `${said} ${seen.body}`, errors }) };
  },
  'header fields': (secrets) => async (seen, next) => {
    const reply = await next(seen);
    const [token = ''] = secrets.slice(-1);
    const url = `${seen.url.origin}/v1/${encodeURIComponent(secrets[0] ?? '')}?page=${token}&key=${token}`;
    const fields = {
      link: `<${url}>; rel="next"`,
      etag: `"${token}"`,
      location: url,
      accept: token,
      'x-pagination-page-size': token,
    };
    const headers = new Headers(reply.headers);
    if (!isToken(seen.url.pathname))
      for (const [name, value] of Object.entries(fields)) headers.set(name, value);
    return { ...reply, headers };
  },
  'values, names and links of resources': (secrets) => async (seen, next) => {
    const reply = await next(seen);
    if (isToken(seen.url.pathname) || reply.status !== 200 || reply.body === '') return reply;
    const row = JSON.stringify(secrets.at(-1));
    return {
      ...reply,
      body: reply.body
        .replaceAll(/"status":"[^"]*"/g, `"status":${row},${JSON.stringify(secrets[0])}:1,${row}:2`)
        .replaceAll(
          /"self":"[^"]*"/g,
          `"self":${JSON.stringify(`${seen.url.origin}/v1/x/${secrets.at(-1)}`)}`,
        ),
    };
  },
  'a redirect': (secrets) => async (seen, next) => {
    const reply = await next(seen);
    if (isToken(seen.url.pathname)) return { ...reply, status: 500 };
    return {
      ...reply,
      status: 302,
      headers: new Headers({ location: `https://example.com/${secrets.at(-1)}` }),
    };
  },
};

describe('no output of a diagnosis shows a password or a token', () => {
  test.each(Object.entries(echoes))('that a server puts into %s', async (_where, change) => {
    expect(await leaksOf(change)).toEqual([]);
  });
});
