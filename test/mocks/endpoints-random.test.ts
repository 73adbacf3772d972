import fc from 'fast-check';
import { basicAuth, createClient, isAccepted } from 'restkin';
import * as presets from 'restkin/families';
import { conventions, type Family } from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import { bodyOf, type Drawn, declareEndpoints, drawnEndpoints } from '../support/random-endpoints.ts';
import { isFullRun } from '../support/runs.ts';

type Call = (...given: readonly unknown[]) => Promise<unknown>;

const check = async (all: readonly Drawn[], isAccepting: boolean, family: Family): Promise<void> => {
  const { api, named } = declareEndpoints(all, family);
  const canExpand = family.query?.expand !== undefined;
  const mock = createMock(api, { generate: { notes: 2 }, accepted: isAccepting });
  const auth = basicAuth({ username: 'ada', password: 'lovelace' });
  const bound = createClient({ baseUrl: 'https://api.test', auth, fetch: mock.fetch, retry: false }).api(api);
  for (const [name, one] of named) {
    const at = (one.isAction ? bound.notes : bound) as unknown as Readonly<Record<string, Call>>;
    const given = {
      ...Object.fromEntries([...one.path.matchAll(/:(\w+)/g)].map(([, key]) => [key, 'a b/c'])),
      ...(one.hasQuery && { query: { from: '2026-11-01', tags: ['a,b', 'c'] } }),
      ...(one.selects && one.response === 'linked' && canExpand && { expand: ['note'] }),
    };
    const form = new FormData();
    form.set('title', 'x');
    const json = { title: 'x' };
    const bodies = {
      form,
      encoded: new URLSearchParams(json),
      bytes: new Blob(['x'], { type: 'text/plain' }),
      json,
      optional: json,
    };
    const kind = bodyOf(one);
    const body = kind && bodies[kind];
    const hasBody = kind !== undefined;
    const ofAction = hasBody ? [2, body, given] : [2, given];
    const result = await at[name]?.(...(one.isAction ? ofAction : [hasBody ? { ...given, body } : given]));
    if (isAccepting && one.accepts) expect(isAccepted(result)).toBe(true);
    else if (one.selects && one.response === 'linked' && canExpand)
      expect(result).toHaveProperty('note.text');
    else if (one.response === 'resource' && one.isAction) expect(result).toHaveProperty('text');
    else if (one.response === null && one.as === null) expect(result).toEqual({ outcome: 'done' });
    expect(mock.requests.at(-1)?.method).toBe(one.method);
    expect(mock.requests.at(-1)?.status).toBeLessThan(300);
  }
};

test('mock and client agree on each call of 200 random declarations with endpoints', async () => {
  const property = fc.asyncProperty(drawnEndpoints, fc.boolean(), fc.constant(conventions), check);
  await fc.assert(property, { numRuns: 200, seed: 51 });
});

test.each(Object.entries<Family>(presets))(
  'mock and client agree on each call of random declarations with endpoints: %s',
  async (_, family) => {
    const property = fc.asyncProperty(drawnEndpoints, fc.boolean(), fc.constant(family), check);
    await fc.assert(property, { numRuns: isFullRun ? 40 : 10, seed: 52 });
  },
);
