import { expandable, InvalidRequestError, resource } from 'restkin';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import * as zod3 from 'zod/v3';
import { parse } from '../../../src/schema/codec.ts';

const Company = resource({ name: z.string() });

describe('resource', () => {
  test('§2.1 id is required, self is optional', () => {
    expect(parse(Company, { id: 1, name: 'A' }).ok).toBe(true);
    expect(parse(Company, { name: 'A' })).toEqual({
      ok: false,
      issues: [expect.objectContaining({ path: 'id' })],
    });
    expect(parse(Company, { id: 1, self: 5, name: 'A' }).ok).toBe(false);
  });

  test('§9.2 fields that the declaration does not know pass through', () => {
    const given = { id: 1, name: 'A', addedLater: { deep: [1] } };
    expect(parse(Company, given)).toEqual({ ok: true, value: given });
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
    ['a string for a schema', { name: 'string' }, 'the field "name" must be a schema of zod 4'],
    ['a schema of zod 3', { name: zod3.z.string() }, 'the field "name" must be a schema of zod 4'],
    ['a constructor for a schema', { name: String }, 'the field "name" must be a schema of zod 4'],
  ])('%s in place of the fields is refused, with what to write', (_what, fields, message) => {
    const declare = () => resource(fields as never);
    expect(declare).toThrow(InvalidRequestError);
    expect(declare).toThrow(message);
  });

  test.each([
    ['the name of a field', 'company'],
    ['a z.object()', z.object({ name: z.string() })],
    ['a resource that does not exist yet', undefined],
  ])('only a resource is expandable, not %s', (_what, target) => {
    expect(() => expandable(target as never)).toThrow(
      new InvalidRequestError('expandable() takes what resource() returned'),
    );
  });

  test('schemas of zod/mini work as those of zod do', () => {
    const Mini = resource({
      name: mini.string().check(mini.minLength(2)),
      of: mini.optional(expandable(Company)),
    });
    expect(parse(Mini, { id: 1, name: 'AB' }).ok).toBe(true);
    expect(parse(Mini, { id: 1, name: 'A', of: { id: 1 } })).toEqual({
      ok: false,
      issues: [expect.objectContaining({ path: 'name' }), expect.objectContaining({ path: 'of.self' })],
    });
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
  const Order = resource({ company: expandable(Company) });

  test('§4.4 is id and self until it is expanded', () => {
    expect(parse(Order, { id: 1, company: { id: 3, self: 's' } }).ok).toBe(true);
    expect(parse(Order, { id: 1, company: { id: 3 } }).ok).toBe(false);
    expect(parse(Order, { id: 1, company: { self: 's' } }).ok).toBe(false);
  });

  test('a server that returns more than a stub is not wrong', () => {
    const full = { id: 1, company: { id: 3, self: 's', name: 'A' } };
    expect(parse(Order, full)).toEqual({ ok: true, value: full });
  });
});
