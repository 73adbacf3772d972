import { isDeepStrictEqual } from 'node:util';
import { collection, createClient, customAuth, expandable, resource } from 'restkin';
import { createMock, type Mock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { $ZodType } from 'zod/v4/core';
import fc from '../support/random.ts';
import { isFullRun } from '../support/runs.ts';
import { declare, origin } from './calls.ts';

const numRuns = isFullRun ? 2_000 : 500;

// Schemas made up at random. Some of them no value fits.

const formats: Readonly<Record<string, () => z.ZodStringFormat>> = {
  email: z.email,
  url: z.url,
  uuid: z.uuid,
  datetime: z.iso.datetime,
  date: z.iso.date,
  time: z.iso.time,
  duration: z.iso.duration,
  ipv4: z.ipv4,
  base64: z.base64,
  e164: z.e164,
  nanoid: z.nanoid,
  ulid: z.ulid,
  hostname: z.hostname,
};

const patterns = [
  /^[a-z]+$/,
  /^ord_\d{4,}$/,
  /^[A-Z]{2}-[0-9a-f]+$/i,
  /^\p{Lu}\p{Ll}*$/u,
  /^(?:EU|US|\d+)(?:-[a-z]{2})?$/,
  /^(?=.*\d)(?=.*[a-z]).{4,}$/,
  /^(?!0)\d+(?:\.\d{2})?$/,
  /^(['"])\w+\1$/,
  /^\S+ \S+$/,
  /[aeiou]{2}/,
];

const part = fc.constantFrom('a', 'ord_', '-', '2', 'Zz');
const length = fc.integer({ min: 0, max: 40 });

type Narrow = (schema: z.ZodString) => z.ZodString;

const narrow: fc.Arbitrary<Narrow> = fc.oneof(
  length.map(
    (least): Narrow =>
      (schema) =>
        schema.min(least),
  ),
  length.map(
    (most): Narrow =>
      (schema) =>
        schema.max(most),
  ),
  part.map(
    (prefix): Narrow =>
      (schema) =>
        schema.startsWith(prefix),
  ),
  part.map(
    (suffix): Narrow =>
      (schema) =>
        schema.endsWith(suffix),
  ),
  part.map(
    (included): Narrow =>
      (schema) =>
        schema.includes(included),
  ),
  fc.constantFrom(...patterns).map(
    (pattern): Narrow =>
      (schema) =>
        schema.regex(pattern),
  ),
  fc.constantFrom<Narrow>(
    (schema) => schema.trim(),
    (schema) => schema.lowercase(),
    (schema) => schema.toUpperCase(),
  ),
);

const string = fc
  .tuple(fc.constantFrom('', ...Object.keys(formats)), fc.array(narrow, { maxLength: 3 }))
  .map(([name, all]): $ZodType => {
    // A format has the methods of a string.
    const schema = (formats[name]?.() ?? z.string()) as unknown as z.ZodString;
    return all.reduce((made, change) => change(made), schema);
  });

const size = fc.oneof(
  fc.integer({ min: -2000, max: 2000 }),
  fc.constantFrom(0.5, -0.25, 1e-9, -1e-9, 2 ** 53, -(2 ** 60), 1e300),
);
const unit = fc.constantFrom(1, 3, 7, 2500, 0.1, 0.25, 0.01, 1e-7);

type NarrowNumber = (schema: z.ZodNumber) => z.ZodNumber;

const number = fc
  .tuple(
    fc.constantFrom(z.number, z.int, z.int32, z.uint32, z.float32),
    fc.array(
      fc.oneof(
        size.map(
          (bound): NarrowNumber =>
            (schema) =>
              schema.min(bound),
        ),
        size.map(
          (bound): NarrowNumber =>
            (schema) =>
              schema.gt(bound),
        ),
        size.map(
          (bound): NarrowNumber =>
            (schema) =>
              schema.max(bound),
        ),
        size.map(
          (bound): NarrowNumber =>
            (schema) =>
              schema.lt(bound),
        ),
        unit.map(
          (step): NarrowNumber =>
            (schema) =>
              schema.multipleOf(step),
        ),
      ),
      { maxLength: 3 },
    ),
  )
  .map(([create, all]): $ZodType => all.reduce<z.ZodNumber>((made, change) => change(made), create()));

const other = fc.constantFrom<() => $ZodType>(
  z.boolean,
  z.null,
  z.bigint,
  z.date,
  z.unknown,
  () => z.coerce.bigint(),
  () => z.coerce.date(),
  () => z.literal(['a', 1, true]),
  () => z.enum(['open', 'shipped']),
  () => z.templateLiteral(['id-', z.int()]),
  () => z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: String }),
  () => z.string().transform((text) => JSON.parse(text) as unknown),
);

const Company = resource({ name: z.string() });
/** Without a collection of its own. */
const Vendor = resource({ code: z.string(), lines: z.array(resource({ sku: z.string() })) });
const Tree = z.object({
  name: z.string(),
  get branches(): $ZodType {
    return z.array(Tree);
  },
  get next(): $ZodType {
    return z.nullable(Tree);
  },
});

/** A schema of zod/core, such as a resource, has no methods. */
const classic = (inner: $ZodType): z.ZodType =>
  'refine' in inner ? (inner as z.ZodType) : z.lazy(() => inner);

const { schema } = fc.letrec<{ schema: $ZodType }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    string,
    number,
    other.map((create) => create()),
    fc.constantFrom<$ZodType>(expandable(Company), expandable(Vendor), Vendor, Tree),
    tie('schema').map((inner) => z.lazy(() => inner)),
    tie('schema').map((inner) => z.array(inner)),
    tie('schema').map((inner) => z.optional(inner)),
    tie('schema').map((inner) => z.nullable(inner)),
    fc
      .tuple(tie('schema'), fc.nat(3), fc.nat(6))
      .map(([inner, least, most]) => z.array(inner).min(least).max(most)),
    fc
      .dictionary(fc.constantFrom('a', 'name', 'createdAt', 'id'), tie('schema'), { maxKeys: 3 })
      .map((shape) => z.object(shape)),
    tie('schema').map((inner) => z.record(z.string(), inner)),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((options) => z.union(options)),
    fc.array(tie('schema'), { maxLength: 3 }).map((items) => z.tuple(items as [])),
    fc.tuple(tie('schema'), tie('schema')).map(([left, right]) => z.intersection(left, right)),
    fc
      .tuple(tie('schema'), fc.nat(3))
      .map(([inner, seed]) =>
        classic(inner).refine((value) => JSON.stringify(value ?? null).length % 4 !== seed),
      ),
  ),
}));

const message =
  /^InvalidRequestError: createMock: generate\.things: the field "field[^"]*" of the collection "things": .+; .*data\.things, or the field in generate\.things\.row$/;

/** What is wrong with two generated rows, as a client reads them, or with the error in their place. */
const problemOf = async (field: $ZodType, count: (made: number) => void): Promise<unknown> => {
  const Thing = resource({ field });
  const api = declare({ things: collection('things', Thing), companies: collection('companies', Company) });
  let mock: Mock;
  try {
    mock = createMock(api, { generate: 2 });
  } catch (error) {
    return message.test(String(error)) ? [] : error;
  }
  count(1);
  const rows = mock.state.rows('things');
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(rows)), rows)) return 'not JSON';
  const auth = { open: customAuth(() => ({})) };
  const client = createClient({ baseUrl: origin, auth, fetch: mock.fetch, retry: false });
  const read = client.api(api).things.list().toArray();
  return read.then(
    ({ length }) => (length === 2 ? [] : length),
    (error: unknown) => error,
  );
};

test('a client reads a generated value, or an error names the field and what to do: random schemas', {
  timeout: 120_000,
}, async () => {
  let made = 0;
  const property = fc.asyncProperty(schema, async (field) => {
    const problem = await problemOf(field, (more) => {
      made += more;
    });
    expect(problem).toEqual([]);
  });
  await fc.assert(property, { numRuns });
  // No value fits many of them.
  expect(made).toBeGreaterThan(numRuns / 2);
});
