import { isResourceJson, isStub } from '../../openapi/forms.ts';
import {
  braces,
  brackets,
  constant,
  constantsIn,
  docComment,
  imported,
  indent,
  later,
  memberName,
  quote,
  toComment,
} from './code.ts';
import { hasInvalidPattern, lengthChecks, printLeaf } from './print-leaf.ts';
import type { Model, Resources } from './resources.ts';
import { type Direction, isNullable, type Schema, withoutNull } from './schema.ts';

/** A schema that is declared as a constant. */
export interface Constant {
  /** The name that it gets if it is free. */
  readonly name: string;
  readonly schema: Schema;
  readonly direction: Direction;
}

/** Reports a part of the document that is not declared. */
export type Report = (where: string, reason: string) => void;

export interface PrintContext {
  readonly resources: Resources;
  /** The constants that are options of a union: they keep what they do not declare, so that no option loses fields of another. */
  readonly loose: ReadonlySet<string>;
  /** True for a constant that is declared after the one that is printed. */
  readonly isLate: (key: string) => boolean;
  readonly report: Report;
  /** Gets the fields that are getters, with the types that the compiler sees. */
  readonly late?: Map<Schema, string>;
}

interface Position {
  /** Its name in messages. */
  readonly where: string;
  readonly direction: Direction;
  readonly isLoose?: boolean;
  /** The name of the field that it is in. */
  readonly field?: string | undefined;
}

const zod = imported('z');

/** Why a schema without its fields is not declared as the document has it. */
const notesOf = (schema: Schema): readonly string[] => {
  const { notes = [], anyOf = [], allOf = [], prefixItems = [], items, additionalProperties } = schema;
  const parts = [...anyOf, ...allOf, ...prefixItems, ...[items ?? [], additionalProperties ?? []].flat()];
  const invalid = hasInvalidPattern(schema)
    ? [`the pattern ${JSON.stringify(schema.pattern)} is not a regular expression in JavaScript`]
    : [];
  return [...new Set([...notes, ...invalid, ...parts.flatMap(notesOf)])];
};

/** True for `id` and `self` as `resource()` adds them (§2.1). */
const isGiven = (name: string, schema: Schema): boolean => {
  const { type, format } = schema;
  if (Object.keys(schema).some((key) => !['type', 'format', 'description'].includes(key))) return false;
  if (name === 'id') return type === 'number' || type === 'integer';
  return name === 'self' && type === 'string' && (format === undefined || format === 'uri');
};

const cannotBeNamed = (name: string): boolean => name === '' || /^-|[.,]/.test(name);

/** Prints schemas as expressions. */
export const createPrinter = ({ resources, loose, isLate, report, late = new Map() }: PrintContext) => {
  const { find, structureOf, targetOf } = resources;
  const components = { find, inForm: (key: string) => key };

  const isLateCode = (code: string): boolean => constantsIn(code).some(isLate);

  /** Comments on parts that are not declared. */
  const comments = (where: string, reasons: readonly string[]): readonly string[] =>
    reasons.map((reason) => {
      report(where, reason);
      return `// Not declared: ${toComment(reason)}.`;
    });

  /**
   * The type of a getter, which the compiler cannot infer for a resource that contains itself. It is `Expandable` for a nested
   * resource with the usual `id`, and any schema otherwise.
   */
  const lateType = (schema: Schema, name: string): string => {
    const type = `${zod}.core.$Zod`;
    if (isNullable(schema)) return `${type}Nullable<${lateType(withoutNull(schema), name)}>`;
    if (schema.items !== undefined && schema.prefixItems === undefined)
      return `${type}Array<${lateType(schema.items, name)}>`;
    const target = targetOf(schema, name);
    const id = target && structureOf(target).properties?.id;
    return id && isGiven('id', id) ? imported('Expandable') : `${type}Type`;
  };

  const fieldPart = (name: string, field: Schema, of: Schema, at: Position): string => {
    const where = `${at.where}.${name}`;
    const isOptional = of.required?.includes(name) !== true;
    const inner = expression(field, { where, direction: at.direction, field: name });
    const code = isOptional ? `${zod}.optional(${inner})` : inner;
    const above = [
      ...(field.$ref === undefined || field.description !== undefined ? docComment(field.description) : []),
      ...comments(where, notesOf(field)),
    ];
    if (!isLateCode(inner)) return [...above, `${memberName(name)}: ${code}`].join('\n');
    const type = lateType(field, name);
    late.set(field, type);
    const whole = isOptional ? `${zod}.core.$ZodOptional<${type}>` : type;
    return [...above, `get ${memberName(name)}(): ${whole} {`, indent(`return ${later(code)};`), '}'].join(
      '\n',
    );
  };

  const printObject = (schema: Schema, at: Position): string => {
    const isResource = at.direction === 'response' && isResourceJson(schema);
    const parts = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      if (isResource && isGiven(name, field)) return [];
      if (!isResource || !cannotBeNamed(name)) return [fieldPart(name, field, schema, at)];
      const reason = `\`sort\` and \`fields\` could not write the name ${JSON.stringify(name)}`;
      return comments(at.where, [reason]);
    });
    if (isResource) return `${imported('resource')}(${braces(parts)})`;
    const rest = schema.additionalProperties;
    const code = `${zod}.${at.isLoose && rest === undefined ? 'looseObject' : 'object'}(${braces(parts)})`;
    return rest === undefined ? code : `${code}.catchall(${expression(rest, at)})`;
  };

  const printRecord = (
    { propertyNames, required = [], additionalProperties = {} }: Schema,
    at: Position,
  ): string => {
    const keys = propertyNames?.enum ?? [];
    const isPartial = keys.some((name) => !required.includes(String(name)));
    const of = propertyNames === undefined ? `${zod}.string()` : printLeaf(propertyNames);
    return `${zod}.${isPartial ? 'partialRecord' : 'record'}(${of}, ${expression(additionalProperties, at)})`;
  };

  const printArray = ({ prefixItems, items, minItems, maxItems }: Schema, at: Position): string => {
    if (prefixItems === undefined)
      return `${zod}.array(${expression(items ?? {}, at)})${lengthChecks(minItems, maxItems)}`;
    const inside = { where: at.where, direction: at.direction };
    const rest = items === undefined ? '' : `, ${expression(items, inside)}`;
    return `${zod}.tuple(${brackets(prefixItems.map((item) => expression(item, inside)))}${rest})`;
  };

  const printUnion = ({ anyOf = [], discriminator }: Schema, at: Position): string => {
    const options = anyOf.map((option) =>
      expression(option, { where: at.where, direction: at.direction, isLoose: true }),
    );
    const list = brackets(options);
    return discriminator === undefined || options.some(isLateCode)
      ? `${zod}.union(${list})`
      : `${zod}.discriminatedUnion(${quote(discriminator)}, ${list})`;
  };

  const expression = (schema: Schema, at: Position): string => {
    const isNested = at.field !== undefined || schema.anyOf !== undefined;
    if (isNullable(schema)) return `${zod}.nullable(${expression(withoutNull(schema), at)})`;
    const isWhole = schema.anyOf !== undefined || isStub(schema, components);
    const target =
      at.direction === 'response' && isNested && isWhole ? targetOf(schema, at.field ?? '') : undefined;
    if (target !== undefined)
      return `${imported('expandable')}(${expression(target, { where: at.where, direction: at.direction })})`;
    if (schema.$ref !== undefined) return constant(schema.$ref);
    if (schema.anyOf !== undefined) return printUnion(schema, at);
    if (schema.allOf !== undefined) {
      const [first = '', ...others] = schema.allOf.map((part) =>
        expression(part, { ...at, field: undefined }),
      );
      return others.reduce((left, right) => `${zod}.intersection(${left}, ${right})`, first);
    }
    if (schema.properties !== undefined) return printObject(schema, at);
    if (schema.type === 'object') return printRecord(schema, at);
    return schema.type === 'array' ? printArray(schema, at) : printLeaf(schema);
  };

  /** The statement that declares a constant. */
  const printConstant = (key: string, { name, schema, direction }: Constant): string => {
    const code = expression(schema, { where: name, direction, isLoose: loose.has(key) });
    const value = isLateCode(code) ? `${zod}.lazy((): ${zod}.core.$ZodType => ${later(code)})` : code;
    const above = [...docComment(schema.description), ...comments(name, notesOf(schema))];
    return [...above, `export const ${constant(key)} = ${value};`].join('\n');
  };

  return { expression, printConstant, comments, late };
};

/** What the statements of a program share: they name constants, which are declared before them. */
export interface Program {
  readonly model: Model;
  readonly printer: ReturnType<typeof createPrinter>;
  readonly report: Report;
  /** Declares a constant that holds a schema; `key` tells it apart from all others. Returns the constant. */
  readonly declare: (key: string, wanted: Constant) => string;
}
