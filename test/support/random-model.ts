import { collection, defineApi, expandable, type Resource, resource } from 'restkin';
import * as z from 'zod';
import * as mini from 'zod/mini';
import fc from './random.ts';

// Resources made up at random, each as a zod schema, as the text of a program that declares it, as a value,
// and as what a query leaves of it. Nothing here shares code with the library: the conventions (§4.4) are
// written out once more.

type Wrap = 'plain' | 'optional' | 'nullable' | 'array';

/** A field of a made-up resource. */
export interface Field {
  readonly kind: 'text' | 'number' | 'flag' | 'choice' | 'date' | 'object' | 'nested' | 'expandable';
  readonly wrap: Wrap;
  /** Built with `zod/mini` instead of `zod`. */
  readonly mini: boolean;
  readonly fields: Fields;
}
export type Fields = Readonly<Record<string, Field>>;
type Json = Readonly<Record<string, unknown>>;

const wrap = fc.constantFrom<Wrap>('plain', 'plain', 'optional', 'nullable', 'array');
const leaf = fc.record<Field>({
  kind: fc.constantFrom('text', 'number', 'flag', 'choice', 'date'),
  wrap,
  mini: fc.boolean(),
  fields: fc.constant({}),
});
const names = ['alpha', 'beta', 'gamma', 'delta'];

const fieldsOf = (depth: number): fc.Arbitrary<Fields> =>
  fc.dictionary(fc.constantFrom(...names), depth === 0 ? leaf : fc.oneof(leaf, branch(depth - 1)), {
    minKeys: 1,
    maxKeys: 3,
    noNullPrototype: true,
  });
const branch = (depth: number): fc.Arbitrary<Field> =>
  fc.record({
    kind: fc.constantFrom('object', 'nested', 'expandable'),
    wrap,
    mini: fc.boolean(),
    fields: fieldsOf(depth),
  });

/** The fields of a resource, up to three levels deep. */
export const anyFields: fc.Arbitrary<Fields> = fieldsOf(2);

const isBranch = ({ kind }: Field): boolean =>
  kind === 'object' || kind === 'nested' || kind === 'expandable';

/** Every dotted path, of fields or of what can be expanded. */
export const pathsOf = (fields: Fields, wanted: (field: Field) => boolean = () => true): string[] =>
  Object.entries(fields).flatMap(([name, field]) => [
    ...(wanted(field) ? [name] : []),
    ...pathsOf(field.fields, wanted).map((path) => `${name}.${path}`),
  ]);
export const isExpandable = ({ kind }: Field): boolean => kind === 'expandable';

const decode = (text: string): Date => new Date(text);
const encode = (date: Date): string => date.toISOString();
const leaves: Readonly<
  Record<string, { schema: (small: boolean) => z.core.$ZodType; source: string; type: string }>
> = {
  text: { schema: (s) => (s ? mini.string() : z.string()), source: 'Z.string()', type: 'string' },
  number: { schema: (s) => (s ? mini.int() : z.int()), source: 'Z.int()', type: 'number' },
  flag: { schema: (s) => (s ? mini.boolean() : z.boolean()), source: 'Z.boolean()', type: 'boolean' },
  choice: {
    schema: (s) => (s ? mini.enum(['a', 'b']) : z.enum(['a', 'b'])),
    source: "Z.enum(['a', 'b'])",
    type: "'a' | 'b'",
  },
  date: {
    schema: (s) =>
      s
        ? mini.codec(mini.iso.datetime(), mini.date(), { decode, encode })
        : z.codec(z.iso.datetime(), z.date(), { decode, encode }),
    source:
      'Z.codec(Z.iso.datetime(), Z.date(), { decode: (t) => new Date(t), encode: (d) => d.toISOString() })',
    type: 'Date',
  },
};

const wrappers: Readonly<Record<Wrap, (schema: z.core.$ZodType) => z.core.$ZodType>> = {
  plain: (schema) => schema,
  optional: (schema) => mini.optional(schema),
  nullable: (schema) => mini.nullable(schema),
  array: (schema) => mini.array(schema),
};

/** A model with its expandable resources under the names of collections: the mock finds their rows there. */
export interface Declared {
  readonly resource: Resource;
  readonly targets: ReadonlyMap<Field, { readonly name: string; readonly resource: Resource }>;
}

/** Declares a made-up resource. */
export const declare = (fields: Fields): Declared => {
  const targets = new Map<Field, { name: string; resource: Resource }>();
  const shapeOf = (of: Fields): Record<string, z.core.$ZodType> =>
    Object.fromEntries(Object.entries(of).map(([name, field]) => [name, wrappers[field.wrap](bare(field))]));
  const bare = (field: Field): z.core.$ZodType => {
    const simple = leaves[field.kind];
    if (simple !== undefined) return simple.schema(field.mini);
    const shape = shapeOf(field.fields);
    if (field.kind === 'object') return field.mini ? mini.object(shape) : z.object(shape as z.ZodRawShape);
    if (field.kind === 'nested') return resource(shape);
    const target = resource(shape);
    targets.set(field, { name: `targets${targets.size}`, resource: target });
    return expandable(target);
  };
  return { resource: resource(shapeOf(fields)), targets };
};

/** The fields of a made-up resource that can be in the path of one. */
export const keysOf = (fields: Fields): readonly string[] =>
  Object.entries(fields).flatMap(([name, { kind, wrap }]) =>
    ['text', 'number', 'choice'].includes(kind) && wrap !== 'array' ? [name] : [],
  );

/**
 * The API of a made-up resource, with a collection for each that can be expanded.
 *
 * @param key - one of {@link keysOf}
 */
export const declareApi = (fields: Fields, key = 'id') => {
  const { resource, targets } = declare(fields);
  const expand = pathsOf(fields, isExpandable);
  const others = [...targets.values()].map(
    ({ name, resource }) => [name, collection(name, resource)] as const,
  );
  const roots = collection('roots', resource, {
    key,
    fields: true,
    expand: expand as never,
    paging: true,
  });
  return {
    api: defineApi({
      name: 'random',
      version: 1,
      auth: 'token',
      collections: { ...Object.fromEntries(others), roots },
    }),
    targets,
  };
};

/** Rows of a made-up resource and of what it holds, as a mock is given them. */
export const rowsOf = (fields: Fields, { targets }: Pick<Declared, 'targets'>, seed: number) => {
  const data: Record<string, Json[]> = {};
  let state = seed;
  const next = (below: number): number => {
    state = (state * 48_271 + 11) % 2_147_483_647;
    return state % below;
  };
  const simple: Readonly<Record<string, () => unknown>> = {
    text: () => `t${next(1000)}`,
    number: () => next(1000),
    flag: () => next(2) === 0,
    choice: () => (next(2) === 0 ? 'a' : 'b'),
    date: () => new Date(Date.UTC(2026, 0, 1 + next(300))).toISOString(),
  };
  const objectOf = (of: Fields): Json =>
    Object.fromEntries(
      Object.entries(of).flatMap(([name, field]) =>
        field.wrap === 'optional' && next(3) === 0 ? [] : [[name, wrapped(field)]],
      ),
    );
  const wrapped = (field: Field): unknown => {
    if (field.wrap === 'nullable' && next(3) === 0) return null;
    if (field.wrap === 'array') return Array.from({ length: next(3) }, () => bare(field));
    return bare(field);
  };
  const bare = (field: Field): unknown => {
    if (!isBranch(field)) return simple[field.kind]?.();
    const value = objectOf(field.fields);
    if (field.kind === 'object') return value;
    if (field.kind === 'nested') return { id: 1 + next(1000), ...value };
    const name = targets.get(field)?.name ?? '';
    const row = { id: (data[name]?.length ?? 0) + 1, ...value };
    data[name] = [...(data[name] ?? []), row];
    return { id: row.id };
  };
  data.roots = [1, 2].map((id) => ({ id, ...objectOf(fields) }));
  return data;
};

/** The part of a list of paths below a name; undefined for all of it. */
const below = (paths: readonly string[] | undefined, name: string): readonly string[] | undefined =>
  paths === undefined || paths.includes(name)
    ? undefined
    : paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));

const isWanted = (paths: readonly string[] | undefined, name: string): boolean =>
  paths === undefined || paths.some((path) => path === name || path.startsWith(`${name}.`));

/** What a query names: no `fields` are all of them. */
interface Chosen {
  readonly fields: readonly string[] | undefined;
  readonly expand: readonly string[];
}

/** What it names below a name. */
const within = ({ fields, expand }: Chosen, name: string): Chosen => ({
  fields: below(fields, name),
  expand: expand.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1)),
});

/** What a query leaves of a row (§4.4), decoded. `self` is compared apart: the server makes it. */
export const expectedValue = (
  fields: Fields,
  row: Json,
  query: Chosen,
  find: (field: Field, id: unknown) => Json,
): Json => {
  const kept = Object.entries(fields).filter(
    ([name]) => isWanted(query.fields, name) && Object.hasOwn(row, name),
  );
  const bare = (field: Field, name: string, value: unknown): unknown => {
    if (value === null) return null;
    if (field.kind === 'date') return new Date(String(value));
    if (!isBranch(field)) return value;
    const inner = within(query, name);
    const { id } = value as Json;
    if (field.kind === 'object') return expectedValue(field.fields, value as Json, inner, find);
    if (field.kind === 'nested') return { id, ...expectedValue(field.fields, value as Json, inner, find) };
    if (!isWanted(query.expand, name)) return { id };
    return { id, ...expectedValue(field.fields, find(field, id), inner, find) };
  };
  return Object.fromEntries(
    kept.map(([name, field]) => {
      const value = row[name];
      const decoded = Array.isArray(value)
        ? value.map((item) => bare(field, name, item))
        : bare(field, name, value);
      return [name, decoded];
    }),
  );
};

/** The declaration of a made-up resource as the text of a program. */
export const sourceOf = (fields: Fields, make = 'resource'): string => {
  const bare = (field: Field): string => {
    const library = field.mini ? 'mini' : 'z';
    const simple = leaves[field.kind];
    if (simple !== undefined) return simple.source.replaceAll('Z.', `${library}.`);
    if (field.kind === 'object') return sourceOf(field.fields, `${library}.object`);
    return field.kind === 'nested' ? sourceOf(field.fields) : `expandable(${sourceOf(field.fields)})`;
  };
  const entries = Object.entries(fields).map(([name, field]) => {
    const library = field.mini ? 'mini' : 'z';
    return `${name}: ${field.wrap === 'plain' ? bare(field) : `${library}.${field.wrap}(${bare(field)})`}`;
  });
  return `${make}({ ${entries.join(', ')} })`;
};

/** The type that a query leaves of a made-up resource, as text. */
export const expectedType = (fields: Fields, query: Chosen, identity: string): string => {
  const bare = (field: Field, name: string): string => {
    const simple = leaves[field.kind];
    if (simple !== undefined) return simple.type;
    const inner = within(query, name);
    if (field.kind === 'object') return expectedType(field.fields, inner, '');
    if (field.kind === 'nested')
      return expectedType(field.fields, inner, 'id: number; self?: string | undefined;');
    if (!isWanted(query.expand, name)) return '{ id: number; self: string }';
    return expectedType(field.fields, inner, 'id: number; self: string;');
  };
  const entries = Object.entries(fields)
    .filter(([name]) => isWanted(query.fields, name))
    .map(([name, field]) => {
      const type = bare(field, name);
      if (field.wrap === 'optional') return `${name}?: (${type}) | undefined;`;
      if (field.wrap === 'nullable') return `${name}: (${type}) | null;`;
      return `${name}: ${field.wrap === 'array' ? `(${type})[]` : type};`;
    });
  return `{ ${identity} ${entries.join(' ')} }`;
};
