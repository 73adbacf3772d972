import { PassThrough } from 'node:stream';
import { inspect } from 'node:util';
import { type Diagnosis, diagnose } from 'restkin/doctor';
import { createMock, serve } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { createOutput, type Output } from '../../../src/cli/io.ts';
import { writeDiagnosis } from '../../../src/cli/output/diagnosis.ts';
import { toJson } from '../../../src/cli/output/records.ts';
import { formsOf, password } from '../../support/canaries.ts';
import { type Break, breakServer, examineBroken, type Reply } from './server.ts';
import { shop } from './shop.ts';

const username = 'ada';

const clientSecret = 'the/secret+of a client';

const written = async (write: (out: Output) => Promise<void>): Promise<string> => {
  const stream = new PassThrough();
  const out = createOutput(stream, new AbortController().signal);
  await write(out);
  stream.end();
  return (await stream.toArray()).join('');
};

/** Everything that a person or a program can see of a diagnosis. */
const outputsOf = async (diagnosis: Diagnosis): Promise<Readonly<Record<string, string>>> => ({
  table: await written((out) => writeDiagnosis(diagnosis, 'ordering v1', out, true)),
  json: toJson(diagnosis),
  value: inspect(diagnosis, { depth: 20, showHidden: true }),
});

/** The strings of a token response that are secret, by whatever name. */
const tokensIn = ({ body }: Reply): readonly string[] =>
  [...body.matchAll(/"([\w-]{20,}\.[\w-]+\.[\w-]+)"/g)].map(([, token = '']) => token);

/** Examines a server that is given what it has learned, and returns the secrets that some output shows. */
const leaksOf = async (change: (secrets: readonly string[]) => Break): Promise<readonly string[]> => {
  const secrets = [password, clientSecret, Buffer.from(`${username}:${password}`).toString('base64')];
  const mock = createMock(shop, { users: [{ username, password }], generate: 12 });
  const respond = breakServer(mock.respond, async (seen, next) => {
    const reply = await change(secrets)(seen, next);
    secrets.push(...tokensIn(reply));
    return reply;
  });
  const server = await serve({ respond });
  try {
    const { url } = server;
    const client = { id: 'billing', secret: clientSecret };
    const options = { username, password, client, allowWrites: true };
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

/** The data of a person that no output may show: an e-mail, a name, a phone number. */
const personal = ['grace.hopper@example.com', 'Grace Hopper', '+31 6 1234 5678'] as const;
const [email, person, phone] = personal;

const personalForms = personal.flatMap((value) => [
  value,
  encodeURIComponent(value),
  value.split('@')[0] ?? '',
]);

/** Each puts the data of a person where a server may put it. The server stays recognisable. */
const disclosures: Readonly<Record<string, Break>> = {
  'the messages of errors': async (seen, next) => {
    const reply = await next(seen);
    const body = { message: `${email} is taken by ${person}`, detail: { owner: phone } };
    return reply.status < 400 ? reply : { ...reply, body: JSON.stringify(body) };
  },
  'the items of errors': async (seen, next) => {
    const reply = await next(seen);
    const item = { field: email, code: person, message: phone, reference: `https://example.com/?q=${email}` };
    const body = { message: 'Refused', errors: [item] };
    return reply.status < 400 ? reply : { ...reply, body: JSON.stringify(body) };
  },
  'the names of fields': async (seen, next) => {
    const reply = await next(seen);
    if (reply.status !== 200 || isToken(seen.url.pathname)) return reply;
    return { ...reply, body: reply.body.replaceAll('"status":', `"${email}":1,"${person}":`) };
  },
  'the names of fields of errors': async (seen, next) => {
    const reply = await next(seen);
    return reply.status < 400 ? reply : { ...reply, body: JSON.stringify({ [email]: person }) };
  },
  'the names of fields that are gone, or come unasked': async (seen, next) => {
    const reply = await next(seen);
    const isLimited = seen.url.searchParams.has('fields');
    const isOwn = reply.body.includes('restkin-doctor-') && !reply.body.includes('-patch');
    if (reply.status !== 200 || !(isLimited || isOwn)) return reply;
    return { ...reply, body: reply.body.replaceAll('"id":', `"${email}":1,"id":`) };
  },
  'links and self': async (seen, next) => {
    const reply = await next(seen);
    if (isToken(seen.url.pathname)) return reply;
    const target = `${seen.url.origin}/v1/${encodeURIComponent(email)}?owner=${encodeURIComponent(person)}`;
    const headers = new Headers(reply.headers);
    headers.set('link', `<${target}>; rel="next"; title="${phone}"`);
    headers.set('location', target);
    return { ...reply, headers, body: reply.body.replaceAll(/"self":"[^"]*"/g, `"self":"${target}"`) };
  },
  'links outside the version': async (seen, next) => {
    const reply = await next(seen);
    const target = `${seen.url.origin}/${encodeURIComponent(email)}`;
    return { ...reply, body: reply.body.replaceAll(/"self":"[^"]*"/g, `"self":"${target}"`) };
  },
  'other header fields': async (seen, next) => {
    const reply = await next(seen);
    const headers = new Headers(reply.headers);
    for (const name of ['etag', 'accept', 'allow', 'x-pagination-page-size', 'x-pagination-total-count'])
      headers.set(name, `"${email}"`);
    headers.set('content-type', `text/plain; owner="${email}"`);
    headers.set('www-authenticate', `Basic realm="${person}"`);
    return { ...reply, headers };
  },
  'the content type': async (seen, next) => {
    const reply = await next(seen);
    const headers = new Headers(reply.headers);
    headers.set('content-type', email);
    return { ...reply, headers };
  },
  ids: async (seen, next) => {
    const reply = await next(seen);
    return { ...reply, body: reply.body.replaceAll(/"id":\d+/g, `"id":"${email}"`) };
  },
};

describe('no output of a diagnosis shows the data of a person', () => {
  test.each(Object.entries(disclosures))('that a server puts into %s', async (_where, change) => {
    const { mock: _, ...diagnosis } = await examineBroken(change, { allowWrites: true });
    const outputs = await outputsOf(diagnosis);
    expect(diagnosis.counts.fail).toBeGreaterThan(0);
    const shown = Object.entries(outputs).flatMap(([name, output]) =>
      personalForms.filter((form) => output.includes(form)).map((form) => `${name}: ${form}`),
    );
    expect(shown).toEqual([]);
  });
});

describe('no output of a diagnosis shows a password or a token', () => {
  test.each(Object.entries(echoes))('that a server puts into %s', async (_where, change) => {
    expect(await leaksOf(change)).toEqual([]);
  });
});
