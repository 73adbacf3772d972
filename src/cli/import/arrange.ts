import type { Model } from './model.ts';
import type { Component } from './read-schema.ts';
import { type Direction, isNullable, partsOf, type Schema } from './schema.ts';

/** A schema that is printed, where the document uses it. */
export interface Root {
  readonly schema: Schema;
  readonly direction: Direction;
}

/** What has to be known of all schemas before one is printed. */
export type Arranged = ReturnType<typeof arrange>;

/** A schema and everything in it, but for components. */
const schemasIn = (schema: Schema): readonly Schema[] => [
  schema,
  ...[...Object.values(schema.properties ?? {}), ...partsOf(schema)].flatMap(schemasIn),
];

/** Puts the components of a program in order, each after those that it names. */
export const arrange = (roots: readonly Root[], { components, inside, targetOf }: Model) => {
  const order: (Component & { readonly key: string })[] = [];
  const visited = new Set<string>();
  /** Options of unions: they keep what they do not declare, so that no option loses fields of another. */
  const loose = new Set<string>();
  /** What the nested resources that may be expanded expand to. */
  const targets = new Map<Schema, Schema>();

  const visitComponent = (key: string): void => {
    const component = components.get(key);
    if (component === undefined || visited.has(key)) return;
    visited.add(key);
    visit(component.schema, component.direction);
    order.push({ key, ...component });
  };

  const visit = (schema: Schema, direction: Direction, isOption = false): void => {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const target = direction === 'response' ? targetOf(inside(field), name) : undefined;
      if (target !== undefined) targets.set(inside(field), target);
      visit(field, direction);
    }
    const target = targets.get(schema);
    const { $ref, anyOf = [] } = schema;
    const areOptions = isOption || !isNullable(schema);
    if ($ref !== undefined && isOption) loose.add($ref);
    if (target !== undefined) visit(target, direction);
    else if ($ref !== undefined) visitComponent($ref);
    else for (const part of partsOf(schema)) visit(part, direction, areOptions && anyOf.includes(part));
  };

  for (const { schema, direction } of roots) visit(schema, direction);
  const indexes = new Map(order.map(({ key }, index) => [key, index]));

  /** The components that the expression of a schema names, but for those in getters. */
  const namesIn = (schema: Schema): readonly string[] => {
    const target = targets.get(schema);
    if (target !== undefined) return namesIn(target);
    return schema.$ref === undefined ? partsOf(schema).flatMap(namesIn) : [schema.$ref];
  };

  /** What names a component that does not exist yet: a field becomes a getter, anything else lazy. */
  const late = new Set<Schema>();
  for (const [index, { schema }] of order.entries()) {
    const isLate = (one: Schema): boolean => namesIn(one).some((name) => (indexes.get(name) ?? 0) >= index);
    for (const one of schemasIn(schema)) if (isLate(one)) late.add(one);
  }
  return { order, loose, targets, late };
};
