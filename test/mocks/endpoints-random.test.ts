import fc from 'fast-check';
import {
  basicAuth,
  collection,
  createClient,
  defineApi,
  endpoint,
  isAccepted,
  type Method,
  resource,
} from 'restkin';
import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import * as z from 'zod';

const Note = resource({ text: z.string(), size: z.optional(z.int()) });
const responses = {
  resource: Note,
  object: z.object({ name: z.string(), at: z.iso.datetime() }),
  list: z.array(z.object({ count: z.int().check(z.gte(0)) })),
  notes: z.array(Note),
  number: z.number(),
  nullable: z.nullable(z.string()),
} as const;

const drawn = fc.record({
  method: fc.constantFrom<Method>('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  path: fc.constantFrom('alpha', 'alpha/:key', 'beta/:key/gamma', 'notes/search', 'delta/:one/:two'),
  response: fc.option(fc.constantFrom(...(Object.keys(responses) as (keyof typeof responses)[]))),
  as: fc.option(fc.constantFrom('text' as const, 'bytes' as const, 'response' as const)),
  hasBody: fc.boolean(),
  hasQuery: fc.boolean(),
  isAction: fc.boolean(),
  accepts: fc.boolean(),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

const hasBody = ({ method, hasBody }: Drawn): boolean => hasBody && method !== 'GET' && method !== 'DELETE';

const declare = (one: Drawn) => {
  const form =
    one.response === null ? one.as !== null && { as: one.as } : { response: responses[one.response] };
  return endpoint(one.method, one.path, {
    ...form,
    ...(one.accepts && { accepts: true }),
    ...(one.hasQuery && { query: z.object({ from: z.iso.date(), tags: z.optional(z.array(z.string())) }) }),
    ...(one.hasQuery && { repeated: ['tags'] }),
    ...(hasBody(one) && { body: z.object({ title: z.string() }) }),
  } as object);
};

type Call = (...given: readonly unknown[]) => Promise<unknown>;

const check = async (all: readonly Drawn[], isAccepting: boolean): Promise<void> => {
  const named = all.map((one, index) => [`e${index}`, one] as const);
  const declaredOf = (isAction: boolean) =>
    Object.fromEntries(
      named.filter(([, one]) => one.isAction === isAction).map(([name, one]) => [name, declare(one)]),
    );
  const notes = collection('notes', Note, { actions: declaredOf(true) });
  const api = defineApi({
    name: 'x',
    version: 1,
    auth: 'basic',
    collections: { notes },
    endpoints: declaredOf(false),
  });
  const mock = createMock(api, { generate: { notes: 2 }, accepted: isAccepting });
  const auth = basicAuth({ username: 'ada', password: 'lovelace' });
  const bound = createClient({ baseUrl: 'https://api.test', auth, fetch: mock.fetch, retry: false }).api(api);
  for (const [name, one] of named) {
    const at = (one.isAction ? bound.notes : bound) as unknown as Readonly<Record<string, Call>>;
    const given = {
      ...Object.fromEntries([...one.path.matchAll(/:(\w+)/g)].map(([, key]) => [key, 'a b/c'])),
      ...(one.hasQuery && { query: { from: '2026-11-01', tags: ['a,b', 'c'] } }),
    };
    const body = { title: 'x' };
    const ofAction = hasBody(one) ? [2, body, given] : [2, given];
    const result = await at[name]?.(
      ...(one.isAction ? ofAction : [hasBody(one) ? { ...given, body } : given]),
    );
    if (isAccepting && one.accepts) expect(isAccepted(result)).toBe(true);
    else if (one.response === 'resource' && one.isAction) expect(result).toHaveProperty('text');
    else if (one.response === null && one.as === null) expect(result).toEqual({ outcome: 'done' });
    expect(mock.requests.at(-1)?.method).toBe(one.method);
    expect(mock.requests.at(-1)?.status).toBeLessThan(300);
  }
};

test('mock and client agree on each call of 200 random declarations with endpoints', async () => {
  const place = ({ method, path, isAction }: Drawn) => `${method} ${isAction} ${path}`;
  const declarations = fc.uniqueArray(drawn, { minLength: 1, maxLength: 4, selector: place });
  const property = fc.asyncProperty(declarations, fc.boolean(), check);
  await fc.assert(property, { numRuns: 200, seed: 51 });
});
