import { createRequire } from 'node:module';
import { createClient, customAuth, family, isValidationError } from 'restkin';
import { github } from 'restkin/families';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';

// Responses of GitHub that its own project recorded: @octokit/fixtures.

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly response: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

const require = createRequire(import.meta.url);

const load = (scenario: string): readonly Recorded[] =>
  require(`@octokit/fixtures/scenarios/api.github.com/${scenario}/normalized-fixture.json`) as Recorded[];

const { resource, collection, defineApi } = family(github);
const Label = resource({ name: z.string(), color: z.string() });
const Issue = resource({ number: z.int(), title: z.string() });
const api = defineApi({
  name: 'github',
  auth: 'custom',
  collections: {
    issues: collection('repos/:owner/:repo/issues', Issue, { sort: true, paging: { maxPerPage: 100 } }),
    labels: collection('repos/:owner/:repo/labels', Label, { paging: { maxPerPage: 100 } }),
  },
});

/** A client of GitHub as it was recorded, with the requests that it made. */
const replay = (scenario: string) => {
  const recorded = load(scenario);
  const requests: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    requests.push(`${request.method} ${pathname}${search}`);
    const found = recorded.find(
      ({ method, path }) => method.toUpperCase() === request.method && path === pathname + search,
    );
    if (found === undefined) return new Response('not recorded', { status: 500 });
    const headers = new Headers(found.headers);
    headers.delete('content-length');
    const hasBody = found.status !== 204;
    return new Response(hasBody ? JSON.stringify(found.response) : null, { status: found.status, headers });
  };
  const auth = customAuth(() => ({ authorization: 'token 0000000000000000000000000000000000000001' }));
  const client = createClient({ baseUrl: 'https://api.github.com', auth, fetch, retry: false });
  return { client: client.api(api), requests };
};

describe('the recorded GitHub', () => {
  const repository = { owner: 'octokit-fixture-org', repo: 'paginate-issues' };

  test('each issue is given once, along links that lead to another path', async () => {
    const { client, requests } = replay('paginate-issues');
    const issues = await client.issues(repository).list({ perPage: 3 }).toArray();
    expect(issues.map(({ number }) => number)).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(requests[1]).toBe('GET /repositories/1000/issues?per_page=3&page=2');
  });

  test('a list continues from such a link', async () => {
    const { client } = replay('paginate-issues');
    const { next } = await client.issues(repository).list({ perPage: 3 });
    const rest = await client.issues(repository).list({ from: next }).toArray();
    expect(rest.map(({ number }) => number)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  test('a label is created', async () => {
    const { client } = replay('labels');
    const labels = client.labels({ owner: 'octokit-fixture-org', repo: 'labels' });
    const { id, name } = await labels.create({ name: 'test-label', color: '663399' });
    expect({ id, name }).toEqual({ id: 1009, name: 'test-label' });
  });

  test('an invalid field is in fieldErrors, with 422', async () => {
    const { client } = replay('errors');
    const labels = client.labels({ owner: 'octokit-fixture-org', repo: 'errors' });
    const error: unknown = await labels.create({ name: 'foo', color: 'invalid' }).catch((thrown) => thrown);
    if (!isValidationError(error)) throw error;
    expect(error.status).toBe(422);
    expect(error.fieldErrors).toEqual({ color: [{ field: 'color', code: 'invalid' }] });
  });
});
