import { type Client, createClient, tokenAuth } from 'restkin';
import { createMock } from 'restkin/mocks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, compilersOfRun, createConsumer } from '../support/consumer.ts';
import fc from '../support/random.ts';
import {
  anyFields,
  declareApi,
  expectedType,
  type Fields,
  isExpandable,
  pathsOf,
  rowsOf,
  sourceOf,
} from '../support/random-model.ts';

// Made-up resources and queries as one program, compiled against the packed package. The type of a result is
// compared with the one that the conventions say (§4.4), and with what the mock returned: a type that
// promises a field which was not fetched does not take the value, and a value with a field that the type does
// not have is refused as well.

interface Selection {
  readonly fields?: readonly string[];
  readonly expand?: readonly string[];
}

const anySelection = (fields: Fields): fc.Arbitrary<Selection> =>
  fc
    .record({
      fields: fc.option(fc.subarray(pathsOf(fields), { minLength: 1 }), { nil: [] }),
      expand: fc.subarray(pathsOf(fields, isExpandable)),
    })
    // What is not declared does not exist: a resource may have nothing to expand.
    .map((given) => Object.fromEntries(Object.entries(given).filter(([, names]) => names.length > 0)));

const anyCase = anyFields.chain((fields) =>
  fc.record({
    fields: fc.constant(fields),
    query: anySelection(fields),
    other: anySelection(fields),
    seed: fc.integer({ min: 1, max: 1_000_000 }),
  }),
);
type Case = typeof anyCase extends fc.Arbitrary<infer T> ? T : never;

/** A value as the text of a program. */
const textOf = (value: unknown): string => {
  if (value instanceof Date) return `new Date(${JSON.stringify(value)})`;
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, inner]) => `${name}: ${textOf(inner)}`);
  return `{ ${fields.join(', ')} }`;
};

const baseUrl = 'https://api.test';

/** What the mock returns for each query, as text. */
const returned = async ({ fields, seed }: Case, queries: readonly Selection[]): Promise<string[]> => {
  const { api, targets } = declareApi(fields);
  const users = [{ username: 'ada', password: 'lovelace' }];
  const data = rowsOf(fields, { targets }, seed);
  const mock = createMock(api, { data, users, baseUrl, authUrl: baseUrl } as never);
  const auth = tokenAuth({ authUrl: baseUrl, username: 'ada', password: 'lovelace' });
  const client: Client = createClient({ baseUrl, auth, fetch: mock.fetch });
  const { roots } = client.api(api);
  return Promise.all(queries.map(async (query) => textOf(await roots.get(1, query as object))));
};

const builtOf = (query: Selection): string =>
  Object.entries(query)
    .map(([step, names]) => `.${step}(${names.map((name: string) => JSON.stringify(name)).join(', ')})`)
    .join('');

const blockOf = async (given: Case, index: number): Promise<string> => {
  const { fields } = given;
  const [query, other] = [JSON.stringify(given.query), JSON.stringify(given.other)];
  const [one, two, whole] = await returned(given, [given.query, given.other, {}]);
  const { fields: only, expand = [] } = given.query;
  const expected = expectedType(fields, { fields: only, expand }, 'id: number; self: string;');
  const expandable = JSON.stringify(pathsOf(fields, isExpandable));
  return `{
  const R = ${sourceOf(fields)};
  const c = collection('c${index}', R, { fields: true, expand: ${expandable}, paging: true });
  const { rows } = client.api(defineApi({ name: 'x', version: 1, auth: 'token', collections: { rows: c } }));
  type Expected = ${expected};
  // A literal.
  same<Expected>()(await rows.get(1, ${query}));
  same<Expected>()((await rows.list(${query})).items[0]!);
  same<Expected>()(await client.follow(R, 'x', ${query}));
  same<Expected>()((await rows.query()${builtOf(given.query)}.list().toArray())[0]!);
  takes(await rows.get(1, ${query}), ${one});
  // A variable of the exported type.
  const get: Query<typeof rows, 'get'> = ${query};
  takes(await rows.get(1, get), ${one});
  const list: Query<typeof rows> = { ...${query}, perPage: 5 };
  takes((await rows.list(list)).items[0]!, ${one});
  // A generic wrapper.
  const load = <const Q extends Query<typeof rows>>(query: Q) => rows.list(query);
  same<Expected>()((await load(${query})).items[0]!);
  const read = <const Q extends Query<typeof rows, 'get'>>(query: Q) => rows.get(1, query);
  takes(await read(${query}), ${one});
  takes(await read(get), ${one});
  // A condition.
  const either = await rows.get(1, flag ? ${query} : ${other});
  takes(either, ${one});
  takes(either, ${two});
  const perhaps = (await rows.list(flag ? ${query} : undefined)).items[0]!;
  takes(perhaps, ${one});
  takes(perhaps, ${whole});
  const spread = await rows.get(1, { ...(flag ? ${query} : {}) });
  takes(spread, ${one});
  takes(spread, ${whole});
}`;
};

const program = async (cases: readonly Case[]): Promise<string> =>
  `import { type Client, collection, defineApi, expandable, type Query, resource } from 'restkin';
import * as z from 'zod';
import * as mini from 'zod/mini';
type Plain<T> = T extends Date ? T : T extends (infer I)[] ? Plain<I>[] : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A>() => <B>(value: B, ..._same: Equal<Plain<A>, Plain<B>> extends true ? [] : [never]) => value;
const takes = <T>(promised: T, returned: NoInfer<T>) => [promised, returned];
declare const client: Client;
declare const flag: boolean;
${(await Promise.all(cases.map(blockOf))).join('\n')}
`;

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer();
  const cases = fc.sample(anyCase, { numRuns: 40 });
  await consumer.write('random.ts', await program(cases));
  const few = await program(cases.slice(0, 5));
  await consumer.write('wrong.ts', few.replace('id: number;', 'id: bigint;'));
  // Types of whole resources, which were not fetched.
  const whole = few.replaceAll(/takes\(await rows\.get\(1, [^;]+?\), /g, 'takes(await rows.get(1), ');
  await consumer.write('unfetched.ts', whole);
}, 60_000);
afterAll(() => consumer.remove());

describe('the type of a result is that of the conventions, and takes what the mock returns', () => {
  test.each(compilersOfRun)(
    'for 40 made-up resources, with queries as literals, variables, of wrappers and on conditions: %s',
    async (compiler) => {
      const files = ['random.ts', 'wrong.ts', 'unfetched.ts'];
      const errors = (await consumer.compile(compiler, files)).match(/^\S.*$/gm) ?? [];
      expect(errors.filter((error) => !/^(?:wrong|unfetched)\.ts\(.*error TS/.test(error))).toEqual([]);
      // A type that is wrong is seen, and one that was not fetched.
      expect(errors.filter((error) => error.startsWith('wrong.ts'))).not.toEqual([]);
      expect(errors.filter((error) => error.startsWith('unfetched.ts'))).not.toEqual([]);
    },
    120_000,
  );
});
