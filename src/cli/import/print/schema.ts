import { isResourceJson } from '../../../openapi/forms.ts';
import { isConventional } from '../families/choose.ts';
import type { Model } from '../model.ts';
import { type Direction, isNullable, type Schema, withoutNull } from '../schemas/schema.ts';
import type { Arranged } from './arrange.ts';
import { braces, brackets, indent, literal, literals, memberName, members, quote } from './code.ts';
import { printBounds, printLeaf } from './leaf.ts';

/** True for the id and `self` as `resource()` adds them (§2.1). */
const isGiven = (name: string, schema: Schema, idField: string): boolean => {
  const { type, format, ...others } = schema;
  if (Object.keys(others).length > 0) return false;
  if (name === idField) return type === 'number' || type === 'integer';
  return name === 'self' && type === 'string' && (format === undefined || format === 'uri');
};

/** Makes a function that prints a schema as an expression. `names` are those of the components. */
export const createPrinter = (
  { targets, late, resources }: Pick<Arranged, 'targets' | 'late' | 'resources'>,
  { family, fieldOf, keyOf, structureOf }: Model,
  names: ReadonlyMap<string, string>,
  use: (name: string) => string,
) => {
  const { idField } = family;
  const zod = (code: string): string => `${use('z')}.${code}`;

  /** The type of a getter, which the compiler cannot infer for a resource that contains itself. */
  const lateType = (schema: Schema): string => {
    if (isNullable(schema)) return zod(`core.$ZodNullable<${lateType(withoutNull(schema))}>`);
    const target = targets.get(schema);
    const isUsual =
      target !== undefined && isConventional(family) && isGiven('id', fieldOf(target, 'id') ?? {}, 'id');
    return isUsual ? use('Expandable') : zod('core.$ZodType');
  };

  const printField = (name: string, field: Schema, isOptional: boolean, direction: Direction): string => {
    const inner = print(field, direction);
    // What is left out unless it is expanded is so by its type.
    const isAbsent = family.unexpanded === 'absent' && inner.startsWith('expandable(');
    const code = isOptional && !isAbsent ? zod(`optional(${inner})`) : inner;
    if (!late.has(field)) return `${memberName(name)}: ${code}`;
    const type = isOptional ? zod(`core.$ZodOptional<${lateType(field)}>`) : lateType(field);
    return [`get ${memberName(name)}(): ${type} {`, indent(`return ${code};`), '}'].join('\n');
  };

  const printObject = (schema: Schema, direction: Direction, isLoose: boolean): string => {
    const { properties = {}, required = [], additionalProperties: rest } = schema;
    // Any other object may have an `id`.
    const isKnown = family.identity.length > 1 || resources.has(schema);
    const isResource = direction === 'response' && isKnown && isResourceJson(schema, family);
    const fields = Object.entries(properties)
      .filter(([name, field]) => !isResource || !isGiven(name, field, idField))
      .map(([name, field]) => {
        // Always returned, whatever the document says (§2.1).
        if (isResource && name === idField) return printField('id', withoutNull(field), false, direction);
        return printField(name, field, !required.includes(name), direction);
      });
    if (isResource) return `${use('resource')}(${braces(fields)})`;
    const isAny = (isLoose || fields.length === 0) && rest === undefined;
    const code = zod(`${isAny ? 'looseObject' : 'object'}(${braces(fields)})`);
    return rest === undefined ? code : `${code}.catchall(${print(rest, direction)})`;
  };

  const printRecord = (schema: Schema, direction: Direction): string => {
    const { propertyNames = { type: 'string' }, required = [], additionalProperties = {} } = schema;
    const isPartial =
      structureOf(propertyNames).enum?.some((name) => !required.includes(String(name))) === true;
    const parts = [propertyNames, additionalProperties].map((one) => print(one, direction)).join(', ');
    return zod(`${isPartial ? 'partialRecord' : 'record'}(${parts})`);
  };

  const printArray = (schema: Schema, direction: Direction): string => {
    const { prefixItems, items } = schema;
    if (prefixItems === undefined)
      return zod(`array(${print(items ?? {}, direction)})${printBounds(schema)}`);
    const rest = items === undefined ? '' : `, ${print(items, direction)}`;
    return zod(`tuple(${brackets(prefixItems.map((item) => print(item, direction)))}${rest})`);
  };

  const printUnion = (schema: Schema, direction: Direction): string => {
    const { anyOf = [], discriminator } = schema;
    const list = brackets(anyOf.map((option) => print(option, direction, true)));
    // In a getter, the types of the options are unknown.
    const isPlain = discriminator === undefined || late.has(schema);
    return zod(isPlain ? `union(${list})` : `discriminatedUnion(${quote(discriminator)}, ${list})`);
  };

  /** @param isLoose - whether an object keeps what it does not declare */
  const print = (schema: Schema, direction: Direction, isLoose = false): string => {
    const target = targets.get(schema);
    if (target !== undefined) return `${use('expandable')}(${printWhole(target, direction)})`;
    const code = printWhole(schema, direction, isLoose);
    return schema.default === undefined
      ? code
      : `${code}.meta(${members(literals({ default: schema.default }))})`;
  };

  /** Prints a schema that stands for itself, also where it is what an expandable one expands to. */
  const printWhole = (schema: Schema, direction: Direction, isLoose = false): string => {
    if (schema.$ref !== undefined) return names.get(keyOf(schema.$ref)) ?? zod('unknown()');
    if (schema.isOpen) return `${use('openEnum')}(${literal(schema.enum)})`;
    if (isNullable(schema)) return zod(`nullable(${print(withoutNull(schema), direction, isLoose)})`);
    if (schema.anyOf !== undefined) return printUnion(schema, direction);
    if (schema.properties !== undefined) return printObject(schema, direction, isLoose);
    if (schema.type === 'object') return printRecord(schema, direction);
    return schema.type === 'array' ? printArray(schema, direction) : zod(printLeaf(schema));
  };

  /** Whether the compiler sees a nested resource at the end of some fields. */
  const canExpand = (fields: readonly Schema[]): boolean =>
    fields.every((field, index) => {
      const isLast = index === fields.length - 1;
      return !late.has(field) || (isLast && lateType(field).includes('Expandable'));
    });

  return { print, canExpand };
};
