import fc from 'fast-check';
import { type ApiDeclaration, type Collection, collection, defineApi, expandable, resource } from 'restkin';
import { createMock, type MockOptions } from 'restkin/mocks';
import { toOpenApi } from 'restkin/openapi';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ordering as example } from '../../../../examples/ordering.ts';
import { basicOrdering } from '../../../support/basic-ordering.ts';
import { apisOf, importOf } from '../../../support/import-document.ts';
import { ordering } from '../../../support/ordering.ts';
import {
  anyFields,
  anyLimits,
  declareApi,
  isExpandable,
  pathsOf,
  rowsOf,
  withLimits,
} from '../../../support/random-model.ts';

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

const exported = (apis: ApiDeclaration | readonly ApiDeclaration[]) => toOpenApi(apis);

/** What a declaration says besides its fields. */
const limitsOf = (api: ApiDeclaration | undefined) => {
  const { bulk, references }: Collection['options'] = api?.collections.roots?.options ?? {};
  return {
    bulk: { ...bulk },
    isBulk: bulk !== undefined,
    references: { ...references },
  };
};

/** What a mock sends, without what differs from run to run. */
const exchange = async (
  api: ApiDeclaration,
  options: MockOptions,
  requests: readonly (readonly [string, RequestInit])[],
) => {
  const mock = createMock(api, { ...options, users: [{ username: 'ada', password: 'pw' }] });
  const form = new URLSearchParams({ grant_type: 'password', username: 'ada', password: 'pw' });
  const login = await mock.respond(new Request('http://api.test/auth/token', { method: 'POST', body: form }));
  const { access_token: token } = (await login.json()) as { readonly access_token: string };
  const responses: unknown[] = [];
  for (const [path, init] of requests) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await mock.respond(new Request(`http://api.test${path}`, { headers, ...init }));
    const fields = [...response.headers].filter(
      ([name]) => !['date', 'last-modified', 'etag'].includes(name),
    );
    responses.push({ path, status: response.status, fields, body: await response.text() });
  }
  return responses;
};

describe('an exported document, imported again', () => {
  test.each<[string, ApiDeclaration | readonly ApiDeclaration[]]>([
    ['the example', example],
    ['the API of most tests', ordering],
    ['an API with Basic', basicOrdering],
    ['two majors of an API', [ordering, defineApi({ ...example, version: 2 })]],
    ['two APIs', [basicOrdering, staff]],
    ['an API with every kind of field', staff],
  ])('of %s gives the same document', async (_, apis) => {
    const document = exported(apis);
    const imported = await importOf(document);
    expect(imported.unfit.filter((line) => !line.endsWith(' deprecated'))).toEqual([]);
    expect(exported(apisOf(imported))).toEqual(document);
  });

  test('of 200 random declarations gives the same document', async () => {
    for (const [fields, limits] of fc.sample(fc.tuple(anyFields, anyLimits), { numRuns: 200, seed: 22 })) {
      const declared = withLimits(declareApi(fields).api, fields, limits);
      const document = exported(declared);
      const imported = await importOf(document);
      expect(imported.unfit).toEqual([]);
      const [api] = apisOf(imported);
      expect(exported(api ? [api] : [])).toEqual(document);
      expect(limitsOf(api)).toEqual(limitsOf(declared));
    }
  });

  test('of random declarations gives a mock that responds alike', async () => {
    const query = (names: readonly string[], name: string) =>
      names.length === 0 ? '' : `&${name}=${names.join()}`;
    for (const [index, fields] of fc.sample(anyFields, { numRuns: 40, seed: 23 }).entries()) {
      const declared = declareApi(fields);
      const data = rowsOf(fields, declared, index + 1);
      const limited = pathsOf(fields).slice(0, 1 + (index % 3));
      const expand = pathsOf(fields, isExpandable).slice(0, index % 3);
      const [row = {}] = data.roots ?? [];
      const requests = [
        ['/v1/roots?page=1&perPage=1', {}],
        [`/v1/roots?perPage=9${query(limited, 'fields')}${query(expand, 'expand')}`, {}],
        [`/v1/roots/2?${query(expand, 'expand').slice(1)}`, {}],
        ['/v1/roots?fields=nothing', {}],
        ['/v1/roots', { method: 'POST', body: '{}' }],
        ['/v1/roots', { method: 'POST', body: JSON.stringify({ ...row, alpha: 3 }) }],
        ['/v1/roots/1', { method: 'PATCH', body: '{"alpha":{}}' }],
        ['/v1/roots/1', { method: 'OPTIONS' }],
        ['/v1/roots/1', { method: 'DELETE' }],
      ] as const;
      const [again = declared.api, ...others] = apisOf(await importOf(exported(declared.api)));
      expect({ isNew: again !== declared.api, others }).toEqual({ isNew: true, others: [] });
      expect(await exchange(again, { data }, requests)).toEqual(
        await exchange(declared.api, { data }, requests),
      );
    }
  });
});
