import { isResourceJson } from '../../../openapi/forms.ts';
import { isConventional } from '../families/choose.ts';
import type { Model } from '../model.ts';
import { type Direction, isNullable, mayGrow, type Schema, withoutNull } from '../schemas/schema.ts';
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

/** @param isLoose - whether an object keeps what it does not declare */
type Print = (schema: Schema, direction: Direction, isLoose?: boolean) => string;

/** What the printers of the kinds of schemas share. */
interface Printing {
  readonly arranged: Pick<Arranged, 'targets' | 'late' | 'closed' | 'resources'>;
  readonly model: Model;
  /** Names an import, which the program then has. */
  readonly use: (name: string) => string;
  /** Code of zod, such as `z.string()`. */
  readonly zod: (code: string) => string;
  readonly print: Print;
}

/** The type of a getter, which the compiler cannot infer for a resource that contains itself. */
const lateTypeOf = (printing: Printing, schema: Schema): string => {
  const { arranged, model, use, zod } = printing;
  if (isNullable(schema)) return zod(`core.$ZodNullable<${lateTypeOf(printing, withoutNull(schema))}>`);
  const target = arranged.targets.get(schema);
  const hasUsualId = target !== undefined && isGiven('id', model.fieldOf(target, 'id') ?? {}, 'id');
  return hasUsualId && isConventional(model.family) ? use('Expandable') : zod('core.$ZodType');
};

const printField = (
  printing: Printing,
  name: string,
  field: Schema,
  isOptional: boolean,
  direction: Direction,
): string => {
  const { arranged, model, zod, print } = printing;
  const inner = print(field, direction);
  // What is left out unless it is expanded is so by its type.
  const isAbsent = model.family.unexpanded === 'absent' && inner.startsWith('expandable(');
  const code = isOptional && !isAbsent ? zod(`optional(${inner})`) : inner;
  if (!arranged.late.has(field)) return `${memberName(name)}: ${code}`;
  const late = lateTypeOf(printing, field);
  const type = isOptional ? zod(`core.$ZodOptional<${late}>`) : late;
  return [`get ${memberName(name)}(): ${type} {`, indent(`return ${code};`), '}'].join('\n');
};

const printObject = (printing: Printing, schema: Schema, direction: Direction, isLoose: boolean): string => {
  const { arranged, model, use, zod, print } = printing;
  const { family } = model;
  const { properties = {}, required = [], additionalProperties: rest } = schema;
  // Any other object may have an `id`.
  const isKnown = family.identity.length > 1 || arranged.resources.has(schema);
  const isResource = direction === 'response' && isKnown && isResourceJson(schema, family);
  const fields = Object.entries(properties)
    .filter(([name, field]) => !isResource || !isGiven(name, field, family.idField))
    .map(([name, field]) => {
      // Always returned, whatever the document says (§2.1).
      if (isResource && name === family.idField)
        return printField(printing, 'id', withoutNull(field), false, direction);
      return printField(printing, name, field, !required.includes(name), direction);
    });
  if (isResource) return `${use('resource')}(${braces(fields)})`;
  const isAny = (isLoose || fields.length === 0) && rest === undefined;
  const code = zod(`${isAny ? 'looseObject' : 'object'}(${braces(fields)})`);
  return rest === undefined ? code : `${code}.catchall(${print(rest, direction)})`;
};

const printRecord = ({ model, zod, print }: Printing, schema: Schema, direction: Direction): string => {
  const { propertyNames = { type: 'string' }, required = [], additionalProperties = {} } = schema;
  const names = model.structureOf(propertyNames).enum ?? [];
  const isPartial = names.some((name) => !required.includes(String(name)));
  const parts = [propertyNames, additionalProperties].map((one) => print(one, direction)).join(', ');
  return zod(`${isPartial ? 'partialRecord' : 'record'}(${parts})`);
};

const printArray = ({ zod, print }: Printing, schema: Schema, direction: Direction): string => {
  const { prefixItems, items } = schema;
  if (prefixItems === undefined) return zod(`array(${print(items ?? {}, direction)})${printBounds(schema)}`);
  const rest = items === undefined ? '' : `, ${print(items, direction)}`;
  return zod(`tuple(${brackets(prefixItems.map((item) => print(item, direction)))}${rest})`);
};

const printUnion = ({ arranged, zod, print }: Printing, schema: Schema, direction: Direction): string => {
  const { anyOf = [], discriminator } = schema;
  const list = brackets(anyOf.map((option) => print(option, direction, true)));
  // In a getter, the types of the options are unknown.
  const isPlain = discriminator === undefined || arranged.late.has(schema);
  return zod(isPlain ? `union(${list})` : `discriminatedUnion(${quote(discriminator)}, ${list})`);
};

/** Whether a response may have other values than the document lists. */
const isOpened = ({ arranged, model }: Printing, schema: Schema, direction: Direction): boolean =>
  direction === 'response' && !model.isExport && mayGrow(schema) && !arranged.closed.has(schema);

/** Known values beside any others, as a release may add one (§9.2). */
const printOpened = ({ use, zod }: Printing, schema: Schema): string => {
  const { enum: values = [] } = schema;
  if (values.every((one) => typeof one === 'string')) return `${use('openEnum')}(${literal(values)})`;
  const type = values.every(Number.isInteger) ? 'int' : 'number';
  return zod(`union([${zod(printLeaf(schema))}, ${zod(`${type}()`)}])`);
};

/** Makes a function that prints a schema as an expression. `names` are those of the components. */
export const createPrinter = (
  arranged: Printing['arranged'],
  model: Model,
  names: ReadonlyMap<string, string>,
  use: Printing['use'],
) => {
  const zod: Printing['zod'] = (code) => `${use('z')}.${code}`;

  /** Prints a schema that stands for itself, also where it is what an expandable one expands to. */
  const printWhole: Print = (schema, direction, isLoose = false) => {
    if (schema.$ref !== undefined) return names.get(model.keyOf(schema.$ref)) ?? zod('unknown()');
    if (schema.isOpen) return `${use('openEnum')}(${literal(schema.enum)})`;
    if (isOpened(printing, schema, direction)) return printOpened(printing, schema);
    if (isNullable(schema)) return zod(`nullable(${print(withoutNull(schema), direction, isLoose)})`);
    if (schema.anyOf !== undefined) return printUnion(printing, schema, direction);
    if (schema.properties !== undefined) return printObject(printing, schema, direction, isLoose);
    if (schema.type === 'object') return printRecord(printing, schema, direction);
    return schema.type === 'array' ? printArray(printing, schema, direction) : zod(printLeaf(schema));
  };

  const print: Print = (schema, direction, isLoose) => {
    const target = arranged.targets.get(schema);
    if (target !== undefined) return `${use('expandable')}(${printWhole(target, direction)})`;
    const code = printWhole(schema, direction, isLoose);
    if (schema.default === undefined) return code;
    return `${code}.meta(${members(literals({ default: schema.default }))})`;
  };

  const printing: Printing = { arranged, model, use, zod, print };

  /** Whether the compiler sees a nested resource at the end of some fields. */
  const canExpand = (fields: readonly Schema[]): boolean =>
    fields.every((field, index) => {
      const isLast = index === fields.length - 1;
      return !arranged.late.has(field) || (isLast && lateTypeOf(printing, field).includes('Expandable'));
    });

  return { print, canExpand };
};
