import { createClaim } from '../../openapi/names.ts';
import { UsageError } from '../errors.ts';
import {
  around,
  body,
  braces,
  brackets,
  type Code,
  call,
  format,
  memberName,
  type Part,
  toComment,
} from './code.ts';
import { reserved, toIdentifier } from './identifiers.ts';
import { limits } from './json.ts';
import {
  type Component,
  type Field,
  fieldsAlong,
  type Node,
  type ObjectNode,
  resourceOf,
  structureOf,
  unknown,
} from './node.ts';

/** What is known of the field or constant whose expression is being written. */
interface Position {
  /** Its name in messages. */
  readonly where: string;
  /** True once the expression names a constant that is still being declared, so that it must be evaluated later. */
  isLate: boolean;
  /** The parts of it that are not declared, and why. */
  readonly notes: string[];
}

const importedNames = ['Client', 'collection', 'defineApi', 'Expandable', 'expandable', 'resource'] as const;

/** What a written program imports: names of the library, and zod as `z`. */
type Import = (typeof importedNames)[number] | 'z';

const isType = (name: string): boolean => /^[A-Z]/.test(name);

/** The import statements for what a program uses. The compiler of a strict project refuses unused ones. */
const writeImports = (used: ReadonlySet<Import>): string => {
  const names = importedNames.filter((name) => used.has(name));
  const list = names.every(isType)
    ? `type { ${names.join(', ')} }`
    : `{ ${names.map((name) => (isType(name) ? `type ${name}` : name)).join(', ')} }`;
  return [
    ...(names.length === 0 ? [] : [`import ${list} from 'restkin';`]),
    ...(used.has('z') ? ["import * as z from 'zod';"] : []),
  ].join('\n');
};

/** The declarations of a file, in the order in which they need each other. */
export type Declarations = ReturnType<typeof createDeclarations>;

const cannotBeNamed = (name: string): boolean => name === '' || /^-|[.,]/.test(name);

const docLines = (description: string | undefined): readonly string[] => {
  const comment = toComment(description ?? '');
  return comment === '' ? [] : [`/** ${comment} */`];
};

/** True for `id` and `self` as `resource()` adds them (§2.1). */
const isGiven = (name: string, { node }: Field): boolean => {
  const structure = structureOf(node);
  if (structure.kind !== 'leaf') return false;
  return name === 'id'
    ? structure.source === 'z.number()' || structure.source === 'z.int()'
    : name === 'self' && /^z\.(?:string|url)\(/.test(structure.source);
};

const importOf = (node: Node): Import | undefined => {
  if (node.kind === 'named') return undefined;
  if (node.kind === 'expandable') return 'expandable';
  return node.kind === 'object' && node.isResource ? 'resource' : 'z';
};

const hasGivenId = (target: Node): boolean => {
  const id = resourceOf(target)?.fields.get('id');
  return id !== undefined && isGiven('id', id);
};

/**
 * The type of a getter, which the compiler cannot infer for a resource that contains itself. It is `Expandable` for a nested
 * resource with the usual `id`, and any schema otherwise.
 */
const lateType = (node: Node): string => {
  if (node.kind === 'nullable') return `z.core.$ZodNullable<${lateType(node.parts[0])}>`;
  if (node.kind === 'array') return `z.core.$ZodArray<${lateType(node.parts[0])}>`;
  return node.kind === 'expandable' && hasGivenId(node.target) ? 'Expandable' : 'z.core.$ZodType';
};

export const createDeclarations = () => {
  const claim = createClaim(reserved);
  const declared = new Map<Component, string>();
  const statements: string[] = [];
  const used = new Set<Import>();
  const reported: string[] = [];
  /** The fields that are getters, with their types. */
  const late = new Map<Field, string>();
  /** The schemas around the expression that is being written. */
  const writing = new Set<Node>();
  let level = 0;

  /** Reports parts of the document that are not declared. Returns the comments that say the same. */
  const report = (where: string, reasons: Iterable<string>): readonly string[] =>
    [...reasons].map((reason) => {
      reported.push(`${where}: ${reason}`);
      return `// Not declared: ${toComment(reason)}.`;
    });

  const placed = (node: Node, where: string): Position & { readonly code: Code } => {
    const position: Position = { where, isLate: false, notes: [] };
    const code = expression(node, position);
    return { ...position, code };
  };

  const fieldPart = (name: string, field: Field, within: string): Part => {
    const { node, isOptional, description } = field;
    const { where, code: inner, isLate, notes } = placed(node, `${within}.${name}`);
    const code = isOptional ? call('z.optional', inner) : inner;
    if (isOptional || isLate) used.add('z');
    const comments = [...docLines(description), ...report(where, new Set([...field.notes, ...notes]))];
    if (!isLate) return { comments, code: around(`${memberName(name)}: `, code) };
    const of = lateType(node);
    if (of.includes('Expandable')) used.add('Expandable');
    late.set(field, of);
    const type = isOptional ? `z.core.$ZodOptional<${of}>` : of;
    return { comments, code: body(`get ${memberName(name)}(): ${type} {`, around('return ', code)) };
  };

  const objectCode = ({ isResource, fields, rest }: ObjectNode, position: Position): Code => {
    const parts: Part[] = [];
    for (const [name, field] of fields) {
      if (isResource && isGiven(name, field)) continue;
      if (isResource && cannotBeNamed(name)) {
        const reason = `\`sort\` and \`fields\` could not write the name ${JSON.stringify(name)}`;
        parts.push({ comments: report(position.where, [reason]), code: '' });
        continue;
      }
      parts.push(fieldPart(name, field, position.where));
    }
    const code = call(isResource ? 'resource' : 'z.object', braces(parts));
    if (rest === undefined) return code;
    return isResource ? code : around('', code, `.catchall(${format(expression(rest, position))})`);
  };

  const componentName = (component: Component, position?: Position): string => {
    const known = declared.get(component);
    if (known !== undefined) {
      if (position !== undefined && writing.has(component.node)) position.isLate = true;
      return known;
    }
    const name = claim(toIdentifier(component.name, 'Schema'));
    declared.set(component, name);
    addConstant(name, component.node, component);
    return name;
  };

  const addConstant = (name: string, node: Node, of?: Component): void => {
    const { code, isLate, notes } = placed(node, name);
    if (isLate) used.add('z');
    const value = isLate ? around('z.lazy((): z.core.$ZodType => ', code, ')') : code;
    const reasons = new Set([...(of?.notes ?? []), ...notes]);
    const comments = [...docLines(of?.description), ...report(name, reasons)];
    const start = `export const ${name} = `;
    statements.push([...comments, `${format(around(start, value))};`].join('\n'));
  };

  const structureCode = (node: Node, position: Position): Code => {
    const parts = 'parts' in node ? node.parts.map((part) => expression(part, position)) : [];
    switch (node.kind) {
      case 'leaf':
        return node.code ?? node.source;
      case 'named':
        return componentName(node.component, position);
      case 'object':
        return objectCode(node, position);
      case 'expandable':
        return call('expandable', expression(node.target, position));
      case 'array':
        return around('', call('z.array', ...parts), node.checks);
      case 'nullable':
      case 'intersection':
        return call(`z.${node.kind}`, ...parts);
      case 'record':
        return call(node.isPartial ? 'z.partialRecord' : 'z.record', node.keys, ...parts);
      case 'tuple': {
        const rest = node.hasRest ? parts.splice(-1) : [];
        return call('z.tuple', brackets(parts), ...rest);
      }
      case 'union':
        return call('z.union', brackets(parts));
    }
  };

  const expression = (node: Node, position: Position): Code => {
    if (level > limits.levels) {
      throw new UsageError(
        `${toComment(position.where, 80)} is nested more than ${limits.levels} levels deep`,
      );
    }
    if (node.kind !== 'named' && writing.has(node)) {
      position.notes.push('it contains itself without a name');
      return unknown.source;
    }
    const name = importOf(node);
    if (name !== undefined) used.add(name);
    level += 1;
    writing.add(node);
    const code = structureCode(node, position);
    writing.delete(node);
    level -= 1;
    return code;
  };

  return {
    /** Claims a name for an export, with a number added if it is taken. */
    claim,
    report,
    /** A schema as an expression. The constants that it needs are declared before it. */
    expression: (node: Node, where: string): Code => {
      const { code, notes } = placed(node, where);
      report(where, notes);
      return code;
    },
    /** The name of a constant that holds a schema. */
    constant: (node: Node, name: string): string => {
      if (node.kind === 'named') return componentName(node.component);
      const claimed = claim(name);
      addConstant(claimed, node);
      return claimed;
    },
    /** Adds a statement, which uses these imports. */
    add: (statement: string, ...uses: readonly Import[]): void => {
      statements.push(statement);
      for (const name of uses) used.add(name);
    },
    /** True when the compiler sees the nested resource at a path, so that `expand` can name it. */
    canExpand: (resource: Node, path: string): boolean => {
      const types = fieldsAlong(resource, path)?.map((field) => late.get(field)) ?? [];
      return types.every(
        (type, index) => type === undefined || (index === types.length - 1 && type.includes('Expandable')),
      );
    },
    finish: () => ({
      imports: writeImports(used),
      declarations: statements.join('\n\n'),
      unfit: reported,
    }),
  };
};
