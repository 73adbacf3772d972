import { basicAuth, createClient } from 'restkin';
import * as presets from 'restkin/families';
import { conventions, type Family } from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import fc from '../support/random.ts';
import { bodyOf, type Drawn, declareEndpoints, drawnEndpoints } from '../support/random-endpoints.ts';
import { isFullRun } from '../support/runs.ts';

type Call = (...given: readonly unknown[]) => Promise<unknown>;

/** What a call of an endpoint gives, as far as its declaration says. */
const resultOf = (one: Drawn, isAccepting: boolean, canExpand: boolean): unknown => {
  if (isAccepting && one.accepts) return expect.objectContaining({ outcome: 'accepted' });
  if (one.selects && one.response === 'linked' && canExpand)
    return expect.objectContaining({ note: expect.objectContaining({ text: expect.any(String) }) });
  if (one.response === 'resource' && one.isAction)
    return expect.objectContaining({ text: expect.any(String) });
  if (one.response === null && one.as === null) return { outcome: 'done' };
  return expect.toSatisfy((value) => value !== undefined);
};

const check = async (all: readonly Drawn[], isAccepting: boolean, family: Family): Promise<void> => {
  const { api, named, key } = declareEndpoints(all, family);
  const canExpand = family.query?.expand !== undefined;
  const mock = createMock(api, { generate: { notes: 2 }, accepted: isAccepting });
  const auth = basicAuth({ username: 'ada', password: 'lovelace' });
  const bound = createClient({ baseUrl: 'https://api.test', auth, fetch: mock.fetch, retry: false }).api(api);
  const { [key]: id } = mock.state.rows('notes')[1] ?? {};
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
    const ofAction = hasBody ? [id, body, given] : [id, given];
    const result = await at[name]?.(...(one.isAction ? ofAction : [hasBody ? { ...given, body } : given]));
    expect({ name, result }).toEqual({ name, result: resultOf(one, isAccepting, canExpand) });
    expect(mock.requests.at(-1)?.method).toBe(one.method);
    expect(mock.requests.at(-1)?.status).toBeLessThan(300);
  }
};

test('mock and client agree on each call of 200 random declarations with endpoints', async () => {
  const property = fc.asyncProperty(drawnEndpoints, fc.boolean(), fc.constant(conventions), check);
  await fc.assert(property, { numRuns: 200 });
});

test.each(Object.entries<Family>(presets))(
  'mock and client agree on each call of random declarations with endpoints: %s',
  async (_, family) => {
    const property = fc.asyncProperty(drawnEndpoints, fc.boolean(), fc.constant(family), check);
    await fc.assert(property, { numRuns: isFullRun ? 40 : 10 });
  },
);
