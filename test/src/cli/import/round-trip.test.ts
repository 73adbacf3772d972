import { type ApiDeclaration, collection, defineApi, endpoint, expandable, resource } from 'restkin';
import { toOpenApi } from 'restkin/openapi';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ordering as example } from '../../../../examples/ordering.ts';
import { basicOrdering } from '../../../support/basic-ordering.ts';
import { office } from '../../../support/endpoints.ts';
import { apisOf, importOf } from '../../../support/import-document.ts';
import { ordering } from '../../../support/ordering.ts';
import fc from '../../../support/random.ts';
import { declareEndpoints, drawnEndpoints } from '../../../support/random-endpoints.ts';
import { anyFields, declareApi, keysOf } from '../../../support/random-model.ts';
import { isFullRun } from '../../../support/runs.ts';

const Person = resource({ id: z.string(), name: z.string() });

/** What the other declarations lack. */
const staff = defineApi({
  name: 'Staff & more',
  version: 3,
  auth: ['token', 'basic'],
  collections: {
    people: collection('people', Person, {
      bodies: { create: z.object({ name: z.string(), invitedBy: z.string() }) },
      bulk: { maxItems: 5, maxBytes: 10_000 },
      references: { name: "https://docs.example.com/people's-names" },
      operations: ['list', 'get', 'create'],
    }),
    everything: collection(
      'call-plans/:planId/things',
      resource({
        owner: expandable(Person),
        deputies: z.array(z.nullable(expandable(Person))),
        told: z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('cat'), name: z.literal('c'), lives: z.int() }),
          z.object({ kind: z.enum(['dog', 'wolf']), name: z.string() }),
        ]),
        either: z.union([z.string(), z.int()]),
        pair: z.tuple([z.string(), z.int()], z.boolean()),
        byName: z.record(z.string(), z.object({ at: z.iso.date() })),
        byKind: z.partialRecord(z.enum(['a', 'b']), z.number()),
        literal: z.literal(['x', 1, true]),
        id2: z.guid(),
        limits: z.array(z.string().min(1).max(9).regex(/^a\/b/)).min(1).max(3),
        numbers: z.object({
          a: z.number().gt(1).lt(9),
          b: z.int().min(-3).max(3),
          c: z.number().multipleOf(5),
        }),
        "it's": z.optional(z.nullable(z.url())),
        anything: z.unknown(),
        empty: z.object({ inside: z.object({}), free: z.looseObject({}) }),
      }),
      {
        sort: ['literal', 'numbers.a'],
        fields: ['owner', 'owner.name'],
        expand: ['owner'],
        paging: { defaultPerPage: 5 },
      },
    ),
  },
});

describe('an exported document, imported again', () => {
  test.each<[string, ApiDeclaration]>([
    ['the example', example],
    ['the API of most tests', ordering],
    ['an API with Basic', basicOrdering],
    ['an API with every kind of field', staff],
    ['an API with endpoints and actions', office],
  ])('of %s gives the same document', async (_, api) => {
    const document = toOpenApi(api);
    const imported = await importOf(document);
    expect(imported.unfit).toEqual([]);
    expect(apisOf(imported).map((again) => toOpenApi(again))).toEqual([document]);
  });

  test('of 60 random declarations gives the same document', async () => {
    const keys = new Set<string>();
    for (const [index, fields] of fc.sample(anyFields, { numRuns: 60 }).entries()) {
      const candidates = ['id', ...keysOf(fields)];
      const key = candidates[index % candidates.length];
      keys.add(key ?? 'id');
      const document = toOpenApi(declareApi(fields, key).api);
      const imported = await importOf(document);
      expect(imported.unfit).toEqual([]);
      expect(apisOf(imported).map((again) => toOpenApi(again))).toEqual([document]);
    }
    expect(keys.size).toBeGreaterThan(2);
  });

  test('of random declarations with endpoints and actions gives the same document', async () => {
    const numRuns = isFullRun ? 200 : 20;
    for (const endpoints of fc.sample(drawnEndpoints, { numRuns })) {
      const document = toOpenApi(declareEndpoints(endpoints).api);
      const imported = await importOf(document);
      expect(imported.unfit).toEqual([]);
      expect(apisOf(imported).map((again) => toOpenApi(again))).toEqual([document]);
    }
  });
});

const names = fc.stringMatching(/^[a-zA-Z_$ü-][a-zA-Z0-9_$ü -]{0,12}$/).filter((name) => {
  const taken = ['then', 'list', 'get', 'find', 'query', 'create', 'replace', 'update', 'delete', 'things'];
  return !taken.includes(name);
});

test('the names of endpoints and actions come back as they are, with the defaults of parameters', async () => {
  const keys = fc.uniqueArray(names, { minLength: 1, maxLength: 6 });
  for (const all of fc.sample(fc.tuple(keys, keys), { numRuns: isFullRun ? 500 : 40 })) {
    const [own, actions] = all.map((each) => {
      const query = z.object({ size: z.optional(z.int().meta({ default: 30 })) });
      return Object.fromEntries(
        each.map((name, index) => [name, endpoint('GET', `other/p${index}`, { query })]),
      );
    });
    const things = collection('things', resource({ a: z.string() }), { actions: { ...actions } });
    const api = defineApi({
      name: 'Named API',
      version: 1,
      auth: 'token',
      collections: { 'some-things': things },
      endpoints: { ...own },
    });
    const document = toOpenApi(api);
    const imported = await importOf(document);
    expect(imported.unfit).toEqual([]);
    const [again] = apisOf(imported);
    expect(Object.keys(again?.endpoints ?? {})).toEqual(Object.keys(api.endpoints));
    const options: { readonly actions?: object } = again?.collections['some-things']?.options ?? {};
    expect(Object.keys(options.actions ?? {})).toEqual(Object.keys(actions ?? {}));
    expect(again && toOpenApi(again)).toEqual(document);
  }
}, 120_000);
