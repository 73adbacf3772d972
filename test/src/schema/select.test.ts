import { expandable, type Resource, resource } from 'restkin';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { parse } from '../../../src/schema/codec.ts';
import { selectedSchemasOf } from '../../../src/schema/select.ts';
import { company, order } from '../../support/basic-ordering.ts';
import { Company, Order } from '../../support/ordering.ts';
import fc from '../../support/random.ts';

type Json = { readonly [name: string]: unknown };

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The reference: what a server that follows §4.4 returns. */
const limit = (value: unknown, paths: readonly string[] | undefined): unknown => {
  if (Array.isArray(value)) return value.map((item) => limit(item, paths));
  if (!isObject(value) || paths === undefined) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    const isIdentity = 'id' in value && (name === 'id' || name === 'self');
    const below = paths
      .filter((path) => path.startsWith(`${name}.`))
      .map((path) => path.slice(name.length + 1));
    if (paths.includes(name) || isIdentity) kept[name] = field;
    else if (below.length > 0) kept[name] = limit(field, below);
  }
  return kept;
};

const without = (value: Json, name: string): Json =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));

/** Every copy of a value that lacks one field, at any depth. */
const withOneLess = (value: Json): Json[] =>
  Object.entries(value).flatMap(([name, field]) => {
    const inner = Array.isArray(field)
      ? withOneLess(field[0] as Json).map((item) => [item])
      : isObject(field)
        ? withOneLess(field)
        : [];
    return [without(value, name), ...inner.map((changed) => ({ ...value, [name]: changed }))];
  });

const paths = [
  ...['status', 'createdAt', 'device', 'device.model', 'device.serial', 'id'],
  ...['lines', 'lines.sku', 'lines.quantity', 'company', 'company.name', 'company.city'],
];

describe('a selected schema', () => {
  test('gives each record its own default', () => {
    let made = 0;
    const fields = { made: z.number().default(() => ++made), tags: z.array(z.string()).default([]) };
    const schema = selectedSchemasOf(resource(fields))({}, false);
    made = 0;
    const [first, second] = [parse(schema, { id: 1 }), parse(schema, { id: 2 })];
    expect(first).toEqual({ ok: true, value: { id: 1, made: 1, tags: [] } });
    expect(second).toEqual({ ok: true, value: { id: 2, made: 2, tags: [] } });
  });

  test('accepts exactly the limited object', () => {
    fc.assert(
      fc.property(fc.subarray(paths, { minLength: 1 }), fc.boolean(), (fields, expanded) => {
        const full = { ...order(7), company: expanded ? company(3) : order(7).company };
        const limited = limit(full, fields) as Json;
        const schema = selectedSchemasOf(Order)({ fields, expand: expanded ? ['company'] : [] });
        expect(parse(schema, limited)).toEqual({ ok: true, value: limited });
        const less = withOneLess(limited);
        expect(less.map((value) => parse(schema, value).ok)).toEqual(less.map(() => false));
      }),
    );
  });

  test('undeclared fields pass through in objects and lists of them (§9.2), and not in a union', () => {
    const part = z.object({ n: z.int() });
    const more = { n: 1, more: true };
    const value = { id: 1, self: 's', plain: more, lines: [more], more };
    const either = z.optional(z.union([z.null(), part]));
    const schema = selectedSchemasOf(resource({ plain: part, lines: z.array(part), either }))({});
    expect(parse(schema, value)).toEqual({ ok: true, value });
    expect(parse(schema, { ...value, either: more })).toMatchObject({ value: { either: { n: 1 } } });
  });

  test('no name at all limits nothing, as the URL has no way to say it', () => {
    const schema = selectedSchemasOf(Order)({ fields: [] });
    expect(parse(schema, order(7)).ok).toBe(true);
    expect(parse(schema, { id: 7, self: 's' }).ok).toBe(false);
  });

  test('an optional field stays optional when a query names it', () => {
    const schema = selectedSchemasOf(Order)({ fields: ['note'] });
    // The server may send more than was asked for.
    expect(parse(schema, order(7))).toEqual({ ok: true, value: order(7) });
    expect(parse(schema, { ...order(7), note: 5 }).ok).toBe(false);
  });

  test('expansion reaches through wrappers, lists and other expansions', () => {
    const Team = resource({ owner: z.nullable(expandable(Company)), members: z.array(expandable(Company)) });
    const Root = resource({ team: z.optional(expandable(Team)) });
    const schema = selectedSchemasOf(Root)({ expand: ['team', 'team.members'] });
    const body = (member: unknown) => ({
      id: 1,
      self: 's',
      team: { id: 2, self: 's', owner: null, members: [member] },
    });
    expect(parse(schema, body(company(3))).ok).toBe(true);
    expect(parse(schema, body({ id: 3, self: 's' }))).toMatchObject({
      issues: [{ path: 'team.members.0.name' }, { path: 'team.members.0.city' }],
    });
  });

  test('a resource that holds itself can be selected', () => {
    const Node: Resource = resource({
      name: z.string(),
      get children(): z.ZodArray<Resource> {
        return z.array(Node);
      },
    });
    const schema = selectedSchemasOf(Node)({ fields: ['children.children.name'] });
    const leaf = { id: 3, name: 'leaf' };
    const tree = (deepest: object) => ({ id: 1, self: 's', children: [{ id: 2, children: [deepest] }] });
    expect(parse(schema, tree(leaf)).ok).toBe(true);
    expect(parse(schema, tree({ id: 3 }))).toMatchObject({
      issues: [{ path: 'children.0.children.0.name' }],
    });
  });

  test('a check of the whole resource runs on the whole resource alone', () => {
    const Range = resource({
      nested: z.object({ from: z.int(), to: z.int() }).check(z.refine((v) => v.from < v.to)),
    });
    const wrong = { id: 1, self: 's', nested: { from: 2, to: 1 } };
    expect(parse(selectedSchemasOf(Range)({}), wrong).ok).toBe(false);
    expect(parse(selectedSchemasOf(Range)({ fields: ['nested.from'] }), wrong).ok).toBe(true);
  });
});

test('the schemas of a selection are derived once; those of thousands do not stay in memory', () => {
  const select = selectedSchemasOf(Order);
  const first = select({ fields: ['status'] });
  expect(select({ fields: ['status'] })).toBe(first);
  for (let index = 0; index < 1_000; index++) select({ fields: ['status'], expand: [`company${index}`] });
  expect(select({ fields: ['status'] })).not.toBe(first);
});
