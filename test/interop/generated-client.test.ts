import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient as generate } from '@hey-api/openapi-ts';
import { createClient, tokenAuth } from 'restkin';
import { toOpenApi } from 'restkin/openapi';
import { expect, test } from 'vitest';
import { login, order, orderBody } from '../support/basic-ordering.ts';
import { ordering } from '../support/ordering.ts';
import { json } from '../support/recording-server.ts';
import { temporaryFolder } from '../support/runs.ts';
import { grantsOf, serveTokens } from '../support/token-server.ts';

/** What is used of a client that hey-api generates. */
interface Generated {
  readonly client: {
    setConfig(config: { readonly baseUrl: string; readonly fetch: typeof fetch }): unknown;
    get(options: { readonly url: string }): Promise<Answer>;
    post(options: {
      readonly url: string;
      readonly body: unknown;
      readonly headers: object;
    }): Promise<Answer>;
  };
}
interface Answer {
  readonly data?: { readonly id: number };
  readonly response: Response;
}

test('a client that hey-api generates, over client.fetch: 50 calls with an expired token, one renewal, 50 results', async () => {
  const folder = temporaryFolder();
  const input = join(folder, 'openapi.json');
  await writeFile(input, JSON.stringify(toOpenApi(ordering)));
  const output = join(folder, 'generated');
  await generate({ input, output, plugins: ['@hey-api/client-fetch'], logs: { level: 'silent' } });
  const { client: generated }: Generated = await import(pathToFileURL(join(output, 'client.gen.ts')).href);

  await using server = await serveTokens({
    api: ({ method }) => (method === 'POST' ? json(order(9), 201) : json(order(7))),
  });
  const auth = tokenAuth({ authUrl: server.url, ...login });
  const { baseUrl, fetch } = createClient({ baseUrl: server.url, auth });
  generated.setConfig({ baseUrl, fetch });
  const create = () =>
    generated.post({
      url: '/v1/orders',
      body: orderBody,
      headers: { 'content-type': 'application/json' },
    });
  expect((await generated.get({ url: '/v1/orders/7' })).data?.id).toBe(7);
  server.expire();
  const answers = await Promise.all(Array.from({ length: 50 }, create));
  expect(answers.map(({ data }) => data?.id)).toEqual(Array.from({ length: 50 }, () => 9));
  expect(grantsOf(server)).toEqual(['password', 'refresh_token']);
  const bodies = server.calls.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));
  expect(bodies).toEqual(bodies.map(() => orderBody));
});
