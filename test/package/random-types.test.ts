import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, compilers, createConsumer } from '../support/consumer.ts';
import { anyFields, expectedType, isExpandable, pathsOf, sourceOf } from '../support/random-model.ts';

// Made-up resources and queries as one program, compiled against the packed package: each result type is compared with
// the one that the conventions say (§4.4).

const anyQuery = anyFields.chain((fields) =>
  fc.record({
    fields: fc.constant(fields),
    only: fc.option(fc.subarray(pathsOf(fields), { minLength: 1 }), { nil: undefined }),
    expand: fc.subarray(pathsOf(fields, isExpandable)),
  }),
);
type Case = typeof anyQuery extends fc.Arbitrary<infer T> ? T : never;

const program = (cases: readonly Case[]): string => {
  const blocks = cases.map(({ fields, only, expand }, index) => {
    const expected = expectedType(fields, { fields: only, expand }, 'id: number; self: string;');
    const query = JSON.stringify({
      ...(only === undefined ? {} : { fields: only }),
      // What is not declared does not exist.
      ...(expand.length === 0 ? {} : { expand }),
    });
    const built = [
      ...(only === undefined ? [] : [`.fields(${only.map((name) => JSON.stringify(name)).join(', ')})`]),
      ...(expand.length === 0 ? [] : [`.expand(${expand.map((name) => JSON.stringify(name)).join(', ')})`]),
    ].join('');
    const expandable = JSON.stringify(pathsOf(fields, isExpandable));
    return `{
  const R = ${sourceOf(fields)};
  const c = collection('c${index}', R, { fields: true, expand: ${expandable}, paging: true });
  const { rows } = client.api(defineApi({ name: 'x', version: 1, auth: 'token', collections: { rows: c } }));
  type Expected = ${expected};
  same<Expected>()(await rows.get(1, ${query}));
  same<Expected>()((await rows.list(${query})).items[0]!);
  same<Expected>()(await client.follow(R, 'x', ${query}));
  ${built === '' ? '' : `same<Expected>()((await rows.query()${built}.list().toArray())[0]!);`}
}`;
  });
  return `import { type Client, collection, defineApi, expandable, resource } from 'restkin';
import * as z from 'zod';
import * as mini from 'zod/mini';
type Plain<T> = T extends Date ? T : T extends (infer I)[] ? Plain<I>[] : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A>() => <B>(value: B, ..._same: Equal<Plain<A>, Plain<B>> extends true ? [] : [never]) => value;
declare const client: Client;
${blocks.join('\n')}
`;
};

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer();
}, 60_000);
afterAll(() => consumer.remove());

describe('the type of a result is that of the conventions', () => {
  test.each(compilers)(
    'for 40 made-up resources and queries, with %s',
    async (compiler) => {
      const cases = fc.sample(anyQuery, { numRuns: 40, seed: 11 });
      await consumer.write('random.ts', program(cases));
      // A type that is wrong is seen.
      await consumer.write('wrong.ts', program(cases).replace('id: number;', 'id: bigint;'));
      const errors = (await consumer.compile(compiler, ['random.ts', 'wrong.ts'])).match(/^\S.*$/gm) ?? [];
      expect(errors.filter((error) => !/^wrong\.ts\(.*error TS/.test(error))).toEqual([]);
      expect(errors.length).toBeGreaterThan(0);
    },
    120_000,
  );
});
