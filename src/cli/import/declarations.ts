import { createNames } from '../../openapi/names.ts';
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
  /** What messages call it. */
  readonly where: string;
  /** True once the expression names a constant that is being declared: it may be evaluated later only. */
  isLate: boolean;
  /** What of it is not declared, and why. */
  readonly notes: string[];
}

/** What a written program imports: types, functions, and zod as `z`. */
type Import = 'Client' | 'Expandable' | 'collection' | 'defineApi' | 'expandable' | 'resource' | 'z';

/** The declarations of a file, in the order in which they need each other. */
export interface Declarations {
  /** Takes a name for an export, as it is or with a number. */
  claim(name: string): string;
  /** A schema as an expression; the constants that it needs are declared before. */
  expression(node: Node, where: string): Code;
  /** The name of a constant that holds a schema. */
  constant(node: Node, name: string): string;
  /** Adds a statement, which uses these imports. */
  add(statement: string, ...uses: readonly Import[]): void;
  /** True when the compiler sees the nested resource at a path, so that `expand` can name it. */
  canExpand(resource: Node, path: string): boolean;
  /** Adds to the report what of the document is not declared. */
  report(where: string, reason: string): void;
  readonly statements: readonly string[];
  readonly used: ReadonlySet<Import>;
  readonly reported: readonly string[];
}

const cannotBeNamed = (name: string): boolean => name === '' || /^-|[.,]/.test(name);

const docLines = (description: string | undefined): readonly string[] => {
  const comment = toComment(description ?? '');
  return comment === '' ? [] : [`/** ${comment} */`];
};

/** `id` and `self` as every resource has them (§2.1). */
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
 * The type of a getter. The compiler cannot derive that of a resource which contains itself: it is known as one that can be
 * expanded, if its `id` is that of most resources, and not at all otherwise.
 */
const lateType = (node: Node): string => {
  if (node.kind === 'nullable') return `z.core.$ZodNullable<${lateType(node.parts[0])}>`;
  if (node.kind === 'array') return `z.core.$ZodArray<${lateType(node.parts[0])}>`;
  return node.kind === 'expandable' && hasGivenId(node.target) ? 'Expandable' : 'z.core.$ZodType';
};

/** Makes the declarations of a file. */
export const createDeclarations = (): Declarations => {
  const names = createNames(reserved);
  const claim = (name: string): string => names.claim(name);
  const declared = new Map<Component, string>();
  const finished = new Set<Component>();
  const statements: string[] = [];
  const used = new Set<Import>();
  const reported: string[] = [];
  /** The fields that are getters, with their types. */
  const late = new Map<Field, string>();
  /** What the expression that is written is part of, unless it has a name. */
  const writing = new Set<Node>();
  let level = 0;

  const report = (where: string, reason: string): void => {
    reported.push(`${where}: ${reason}`);
  };

  const noteLines = (where: string, notes: readonly string[]): readonly string[] =>
    [...new Set(notes)].map((note) => {
      report(where, note);
      return `// Not declared: ${toComment(note)}.`;
    });

  /** An expression with a position of its own. */
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
    const comments = [...docLines(description), ...noteLines(where, [...field.notes, ...notes])];
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
        parts.push({ comments: noteLines(position.where, [reason]), code: '' });
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
      if (position !== undefined && !finished.has(component)) position.isLate = true;
      return known;
    }
    const name = claim(toIdentifier(component.name, 'Schema'));
    declared.set(component, name);
    addConstant(name, component.node, component);
    finished.add(component);
    return name;
  };

  const addConstant = (name: string, node: Node, of?: Component): void => {
    const { code, isLate, notes } = placed(node, name);
    if (isLate) used.add('z');
    const value = isLate ? around('z.lazy((): z.core.$ZodType => ', code, ')') : code;
    const comments = [...docLines(of?.description), ...noteLines(name, [...(of?.notes ?? []), ...notes])];
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
    claim,
    expression: (node, where) => {
      const { code, notes } = placed(node, where);
      for (const note of notes) report(where, note);
      return code;
    },
    constant: (node, name) => {
      if (node.kind === 'named') return componentName(node.component);
      const claimed = claim(name);
      addConstant(claimed, node);
      return claimed;
    },
    add: (statement, ...uses) => {
      statements.push(statement);
      for (const name of uses) used.add(name);
    },
    canExpand: (resource, path) => {
      const types = fieldsAlong(resource, path)?.map((field) => late.get(field)) ?? [];
      return types.every(
        (type, index) => type === undefined || (index === types.length - 1 && type.includes('Expandable')),
      );
    },
    report,
    statements,
    used,
    reported,
  };
};
