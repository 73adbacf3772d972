import { isResourceJson } from '../../openapi/forms.ts';
import type { Claim } from '../../openapi/names.ts';
import { braces, brackets, docComment, indent, memberName, quote, toComment } from './code.ts';
import { toIdentifier } from './identifiers.ts';
import type { Model } from './model.ts';
import { hasInvalidPattern, lengthChecks, printLeaf } from './print-leaf.ts';
import {
  type Constant,
  type Direction,
  type Find,
  isNullable,
  partsOf,
  type Schema,
  withoutNull,
} from './schema.ts';

/** Reports a part of the document that is not declared. */
export type Report = (where: string, reason: string) => void;

interface Position {
  /** Its name in messages. */
  readonly where: string;
  readonly direction: Direction;
  readonly isLoose?: boolean;
  /** The name of the field that it is in. */
  readonly field?: string | undefined;
}

/** Why a schema without its fields is not declared as the document has it. */
const notesOf = (schema: Schema): readonly string[] => {
  const invalid = hasInvalidPattern(schema)
    ? [`the pattern ${JSON.stringify(schema.pattern)} is not a regular expression in JavaScript`]
    : [];
  return [...new Set([...(schema.notes ?? []), ...invalid, ...partsOf(schema).flatMap(notesOf)])];
};

/** The components that are options of a union, in schemas and in what they refer to. */
const optionsIn = (roots: readonly Schema[], find: Find): ReadonlySet<string> => {
  const options = new Set<string>();
  const visited = new Set<string>();
  const visit = (schema: Schema, isOption: boolean): void => {
    const { $ref, anyOf = [], properties = {} } = schema;
    if ($ref !== undefined && isOption) options.add($ref);
    if ($ref !== undefined && !visited.has($ref)) {
      visited.add($ref);
      visit(find($ref) ?? {}, false);
    }
    const isUnion = anyOf.length > (isNullable(schema) ? 2 : 1);
    for (const part of partsOf(schema))
      visit(part, anyOf.includes(part) ? isUnion : isOption && schema.allOf?.includes(part) === true);
    for (const field of Object.values(properties)) visit(field, false);
  };
  for (const root of roots) visit(root, false);
  return options;
};

/** True for `id` and `self` as `resource()` adds them (§2.1). */
const isGiven = (name: string, schema: Schema): boolean => {
  const { type, format } = schema;
  if (Object.keys(schema).some((key) => !['type', 'format', 'description'].includes(key))) return false;
  if (name === 'id') return type === 'number' || type === 'integer';
  return name === 'self' && type === 'string' && (format === undefined || format === 'uri');
};

const cannotBeNamed = (name: string): boolean => name === '' || /^-|[.,]/.test(name);

/** What a written program imports. */
export type ImportedName =
  | 'z'
  | 'Client'
  | 'Expandable'
  | 'collection'
  | 'defineApi'
  | 'expandable'
  | 'resource';

export type Printer = ReturnType<typeof createPrinter>;

/**
 * Prints schemas as expressions, and each constant that they name once, after those that it names itself.
 *
 * @param roots - all schemas that will be printed: an option of a union keeps what it does not declare, so that no option
 * loses fields of another
 */
export const createPrinter = (
  { find, constants, structureOf, targetOf, isReference }: Model,
  roots: readonly Schema[],
  claim: Claim,
  report: Report,
) => {
  const loose = optionsIn(roots, find);
  const statements: string[] = [];
  const imports = new Set<ImportedName>();
  const names = new Map<string, string>();
  /** The constants that are being printed, so that what they name at once must be evaluated later. */
  const open = new Set<string>();
  const lateTypes = new Map<Schema, string>();
  /** How often the code that is being printed names an open constant at once. */
  let lateNames = 0;

  const use = (name: ImportedName): string => {
    imports.add(name);
    return name;
  };

  const zod = (code: string): string => `${use('z')}.${code}`;

  /** Comments on parts that are not declared. */
  const comments = (where: string, reasons: readonly string[]): readonly string[] =>
    reasons.map((reason) => {
      report(where, reason);
      return `// Not declared: ${toComment(reason)}.`;
    });

  /** Prints what may be evaluated later, and tells whether it must be. */
  const deferred = (print: () => string) => {
    const before = lateNames;
    lateNames = 0;
    const code = print();
    const isLate = lateNames > 0;
    lateNames = before;
    return { code, isLate };
  };

  /**
   * The type of a getter, which the compiler cannot infer for a resource that contains itself. It is `Expandable` for a nested
   * resource with the usual `id`, and any schema otherwise.
   */
  const lateType = (schema: Schema, name: string): string => {
    if (isNullable(schema)) return zod(`core.$ZodNullable<${lateType(withoutNull(schema), name)}>`);
    if (schema.items !== undefined && schema.prefixItems === undefined)
      return zod(`core.$ZodArray<${lateType(schema.items, name)}>`);
    const target = targetOf(schema, name);
    const id = target && structureOf(target).properties?.id;
    return id && isGiven('id', id) ? use('Expandable') : zod('core.$ZodType');
  };

  const printField = (name: string, field: Schema, of: Schema, at: Position): string => {
    const where = `${at.where}.${name}`;
    const isOptional = of.required?.includes(name) !== true;
    const { code: inner, isLate } = deferred(() =>
      expression(field, { where, direction: at.direction, field: name }),
    );
    const code = isOptional ? zod(`optional(${inner})`) : inner;
    const isDescribed = field.$ref === undefined || field.description !== undefined;
    const above = [...docComment(isDescribed ? field.description : ''), ...comments(where, notesOf(field))];
    if (!isLate) return [...above, `${memberName(name)}: ${code}`].join('\n');
    const type = lateType(field, name);
    lateTypes.set(field, type);
    const whole = isOptional ? zod(`core.$ZodOptional<${type}>`) : type;
    return [...above, `get ${memberName(name)}(): ${whole} {`, indent(`return ${code};`), '}'].join('\n');
  };

  const printObject = (schema: Schema, at: Position): string => {
    const isResource = at.direction === 'response' && isResourceJson(schema);
    const parts = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      if (isResource && isGiven(name, field)) return [];
      if (!isResource || !cannotBeNamed(name)) return [printField(name, field, schema, at)];
      const reason = `\`sort\` and \`fields\` could not write the name ${JSON.stringify(name)}`;
      return comments(at.where, [reason]);
    });
    if (isResource) return `${use('resource')}(${braces(parts)})`;
    const rest = schema.additionalProperties;
    const code = zod(`${at.isLoose && rest === undefined ? 'looseObject' : 'object'}(${braces(parts)})`);
    return rest === undefined ? code : `${code}.catchall(${expression(rest, at)})`;
  };

  const printRecord = (schema: Schema, at: Position): string => {
    const { propertyNames, required = [], additionalProperties = {} } = schema;
    const isPartial = propertyNames?.enum?.some((name) => !required.includes(String(name))) === true;
    const key = zod(propertyNames === undefined ? 'string()' : printLeaf(propertyNames));
    return zod(`${isPartial ? 'partialRecord' : 'record'}(${key}, ${expression(additionalProperties, at)})`);
  };

  const printArray = ({ prefixItems, items, minItems, maxItems }: Schema, at: Position): string => {
    if (prefixItems === undefined)
      return zod(`array(${expression(items ?? {}, at)})${lengthChecks(minItems, maxItems)}`);
    const inside = { where: at.where, direction: at.direction };
    const rest = items === undefined ? '' : `, ${expression(items, inside)}`;
    return zod(`tuple(${brackets(prefixItems.map((item) => expression(item, inside)))}${rest})`);
  };

  const printUnion = ({ anyOf = [], discriminator }: Schema, at: Position): string => {
    const before = lateNames;
    const inside = { where: at.where, direction: at.direction, isLoose: true };
    const list = brackets(anyOf.map((option) => expression(option, inside)));
    const isPlain = discriminator === undefined || lateNames > before;
    return zod(isPlain ? `union(${list})` : `discriminatedUnion(${quote(discriminator)}, ${list})`);
  };

  const expression = (schema: Schema, at: Position): string => {
    const { where, direction, field } = at;
    if (isNullable(schema)) return zod(`nullable(${expression(withoutNull(schema), at)})`);
    const isWhole = schema.anyOf !== undefined || (field !== undefined && isReference(schema));
    const target = direction === 'response' && isWhole ? targetOf(schema, field ?? '') : undefined;
    if (target !== undefined) return `${use('expandable')}(${expression(target, { where, direction })})`;
    if (schema.$ref !== undefined) return constant(schema.$ref);
    if (schema.anyOf !== undefined) return printUnion(schema, at);
    if (schema.allOf !== undefined)
      return schema.allOf
        .map((part) => expression(part, { ...at, field: undefined }))
        .reduce((left, right) => zod(`intersection(${left}, ${right})`));
    if (schema.properties !== undefined) return printObject(schema, at);
    if (schema.type === 'object') return printRecord(schema, at);
    return schema.type === 'array' ? printArray(schema, at) : zod(printLeaf(schema));
  };

  /** Prints the statement that declares a constant, and gives its name. */
  const define = (key: string, { name, schema, direction }: Constant): string => {
    const identifier = toIdentifier(name, 'Schema');
    const claimed = claim(identifier, `${identifier}Schema`);
    names.set(key, claimed);
    open.add(key);
    const { code, isLate } = deferred(() =>
      expression(schema, { where: name, direction, isLoose: loose.has(key) }),
    );
    open.delete(key);
    const value = isLate ? zod(`lazy((): z.core.$ZodType => ${code})`) : code;
    const above = [...docComment(schema.description), ...comments(name, notesOf(schema))];
    statements.push([...above, `export const ${claimed} = ${value};`].join('\n'));
    return claimed;
  };

  /** The name of a component. */
  const constant = (key: string): string => {
    if (open.has(key)) lateNames += 1;
    return (
      names.get(key) ?? define(key, constants.get(key) ?? { name: '', schema: {}, direction: 'response' })
    );
  };

  /** The name of the constant for a schema of an operation. */
  const declare = (schema: Schema, name: string, direction: Direction): string =>
    schema.$ref === undefined
      ? define(`${name} ${names.size}`, { name, schema, direction })
      : constant(schema.$ref);

  /** Whether the compiler sees a nested resource at a path: each getter on the way has a type of its own. */
  const canExpand = (fields: readonly (readonly [string, Schema])[]): boolean =>
    fields.every(([, field], index) => {
      const type = lateTypes.get(field);
      return type === undefined || (index === fields.length - 1 && type.includes('Expandable'));
    });

  return { statements, imports, use, comments, expression, declare, canExpand };
};
