import { expandable, InvalidRequestError, resource } from 'restkin';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import * as zod3 from 'zod/v3';
import { parse } from '../../../src/schema/codec.ts';
import { checkNames, schemaAt } from '../../../src/schema/field-paths.ts';
import { Order } from '../../support/ordering.ts';

const Company = resource({ name: z.string() });

describe('resource', () => {
  test('§2.1 id is required, self is optional', () => {
    expect(parse(Company, { id: 1, name: 'A' }).ok).toBe(true);
    const issues = [expect.objectContaining({ path: 'id' })];
    expect(parse(Company, { name: 'A' })).toEqual({ ok: false, issues });
    expect(parse(Company, { id: 1, self: 5, name: 'A' }).ok).toBe(false);
  });

  test('an id that JSON cannot distinguish from another one is refused', () => {
    const [one, other] = JSON.parse('[9007199254740992, 9007199254740993]') as unknown[];
    expect(one).toBe(other);
    expect(parse(Company, { id: one, name: 'A' })).toMatchObject({ ok: false, issues: [{ path: 'id' }] });
    expect(parse(Company, { id: Number.MAX_SAFE_INTEGER, name: 'A' }).ok).toBe(true);
  });

  test('an id of its own', () => {
    const Text = resource({ id: z.string() });
    expect(parse(Text, { id: 'a' }).ok).toBe(true);
    expect(parse(Text, { id: 1 }).ok).toBe(false);
    expect(parse(resource({ of: expandable(Text) }), { id: 1, of: { id: 'a', self: 's' } }).ok).toBe(true);
  });

  test.each([
    ['a z.object()', z.object({ name: z.string() }), 'for a z.object(), pass its `shape`'],
    ['nothing', undefined, 'resource() takes an object of fields'],
    ['a schema of zod 3', { name: zod3.z.string() }, 'the field "name" must be a schema of zod 4'],
    ['a constructor for a schema', { name: String }, 'the field "name" must be a schema of zod 4'],
  ])('%s in place of the fields is refused, with what to write', (_what, fields, message) => {
    const declare = () => resource(fields as never);
    expect(declare).toThrow(InvalidRequestError);
    expect(declare).toThrow(message);
  });

  test('resources may refer to each other', () => {
    const Person = resource({
      get employer() {
        return expandable(Employer);
      },
    });
    const Employer: ReturnType<typeof resource> = resource({ name: z.string() });
    expect(parse(Person, { id: 1, employer: { id: 2, self: 's' } }).ok).toBe(true);
    expect(parse(Person, { id: 1, employer: { id: 2 } }).ok).toBe(false);
  });
});

describe('expandable', () => {
  const Ordered = resource({ name: mini.string().check(mini.minLength(2)), of: expandable(Company) });

  test('§4.4 is id and self until it is expanded, also beside a schema of zod/mini', () => {
    const stub = { id: 1, name: 'AB', of: { id: 3, self: 's' } };
    expect(parse(Ordered, stub)).toEqual({ ok: true, value: stub });
    expect(parse(Ordered, { ...stub, of: { ...stub.of, name: 'A' } }).ok).toBe(true);
    expect(parse(Ordered, { id: 1, name: 'A', of: { id: 3 } })).toEqual({
      ok: false,
      issues: [expect.objectContaining({ path: 'name' }), expect.objectContaining({ path: 'of.self' })],
    });
  });

  test.each(['company', z.object({ name: z.string() }), undefined])('is a resource, not %o', (target) => {
    const message = 'expandable() takes what resource() returned';
    expect(() => expandable(target as never)).toThrow(new InvalidRequestError(message));
  });
});

describe('field paths', () => {
  const Wrapped = resource({
    maybe: z.optional(z.nullable(expandable(Company))),
    many: z.readonly(z.array(expandable(Company))),
    small: mini.optional(
      mini.object({ inner: mini._default(mini.object({ leaf: mini.string() }), { leaf: '' }) }),
    ),
  });

  test.each(['id', 'device.model', 'lines.sku', 'lines.id', 'company.name'])('an order has %s', (path) => {
    expect(schemaAt(Order, path)).toBeDefined();
  });

  test.each(['', '.', 'device.', '.device', 'device..model', 'model', 'status.length', 'lines.0'])(
    'an order has no %j',
    (path) => {
      expect(schemaAt(Order, path)).toBeUndefined();
    },
  );

  test('wrappers and arrays do not count, and expand names what is expandable', () => {
    expect(checkNames(Wrapped, 'sort', ['-maybe.name', 'many.name', 'small.inner.leaf'])).toBeUndefined();
    expect(checkNames(Wrapped, 'expand', ['maybe', 'many'])).toBeUndefined();
    for (const path of ['small', 'maybe.name', 'id'])
      expect(checkNames(Wrapped, 'expand', [path])).toContain('not expandable()');
    for (const path of ['nope', '']) expect(checkNames(Wrapped, 'expand', [path])).toContain('unknown field');
  });
});
