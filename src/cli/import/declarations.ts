import { createNames, toPascalCase } from '../../openapi/names.ts';
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
import { limits } from './json.ts';
import { type Component, type Field, type Node, type ObjectNode, structureOf, unknown } from './node.ts';
import { toCamelCase } from './place.ts';

/** Where an expression stands. */
interface Position {
  /** What messages call it. */
  readonly where: string;
  /** Called when the expression names a constant that is being declared: it may be evaluated later only. */
  readonly onLate: () => void;
  /** Takes what is not declared, and why. */
  readonly note: (reason: string) => void;
}

/** The declarations of a file, in the order in which they need each other. */
export interface Declarations {
  /** Takes a name for an export, as it is or with a number. */
  claim(name: string): string;
  /** A schema as an expression; the constants that it needs are declared before. */
  expression(node: Node, where: string): Code;
  /** The name of a constant that holds a schema. */
  constant(node: Node, name: string): string;
  /** Adds a statement. */
  add(statement: string): void;
  /** Adds to the report what of the document is not declared. */
  report(where: string, reason: string): void;
  readonly statements: readonly string[];
  readonly reported: readonly string[];
}

const reserved: readonly string[] = [
  ...['Client', 'collection', 'defineApi', 'expandable', 'resource', 'z', 'client', 'body', 'query'],
  ...['arguments', 'await', 'break', 'case', 'catch', 'class', 'const', 'continue', 'debugger', 'default'],
  ...['delete', 'do', 'else', 'enum', 'eval', 'export', 'extends', 'false', 'finally', 'for', 'function'],
  ...['if', 'implements', 'import', 'in', 'instanceof', 'interface', 'let', 'new', 'null', 'package'],
  ...['private', 'protected', 'public', 'return', 'static', 'super', 'switch', 'this', 'throw', 'true'],
  ...['try', 'typeof', 'undefined', 'var', 'void', 'while', 'with', 'yield', 'encodeURIComponent'],
];

/** A name as the identifier of a schema. */
export const toIdentifier = (name: string, otherwise: string): string => {
  const pascal = toPascalCase(name) || otherwise;
  return /^\d/.test(pascal) ? `_${pascal}` : pascal;
};

/** A name as the identifier of anything else. */
export const toCamelIdentifier = (name: string, otherwise: string): string => {
  const camel = toCamelCase(name) || otherwise;
  return /^\d/.test(camel) ? `_${camel}` : camel;
};

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

/** Makes the declarations of a file. */
export const createDeclarations = (): Declarations => {
  const names = createNames(reserved);
  const claim = (name: string): string => names.claim(name);
  const declared = new Map<Component, string>();
  const finished = new Set<Component>();
  const statements: string[] = [];
  const reported: string[] = [];
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

  const fieldPart = (
    name: string,
    { node, isOptional, description, notes }: Field,
    position: Position,
  ): Part => {
    const where = `${position.where}.${name}`;
    const found: string[] = [];
    let isLate = false;
    const inner = expression(node, {
      where,
      onLate: () => {
        isLate = true;
      },
      note: (reason) => found.push(reason),
    });
    const code = isOptional ? call('z.optional', inner) : inner;
    const comments = [...docLines(description), ...noteLines(where, [...notes, ...found])];
    if (!isLate) return { comments, code: around(`${memberName(name)}: `, code) };
    const type = isOptional ? 'z.core.$ZodOptional' : 'z.core.$ZodType';
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
      parts.push(fieldPart(name, field, position));
    }
    const code = call(isResource ? 'resource' : 'z.object', braces(parts));
    if (rest === undefined) return code;
    return isResource ? code : around('', code, `.catchall(${format(expression(rest, position))})`);
  };

  const componentName = (component: Component, { onLate }: Position): string => {
    const known = declared.get(component);
    if (known !== undefined) {
      if (!finished.has(component)) onLate();
      return known;
    }
    const name = claim(toIdentifier(component.name, 'Schema'));
    declared.set(component, name);
    addConstant(name, component.node, component);
    finished.add(component);
    return name;
  };

  const addConstant = (name: string, node: Node, of?: Component): void => {
    const found: string[] = [];
    let isLate = false;
    const code = expression(node, {
      where: name,
      onLate: () => {
        isLate = true;
      },
      note: (reason) => found.push(reason),
    });
    const value = isLate ? around('z.lazy((): z.core.$ZodType => ', code, ')') : code;
    const comments = [...docLines(of?.description), ...noteLines(name, [...(of?.notes ?? []), ...found])];
    const start = `export const ${name} = `;
    statements.push([...comments, `${format(around(start, value))};`].join('\n'));
  };

  const structureCode = (node: Node, position: Position): Code => {
    const all = (nodes: readonly Node[]): Code[] => nodes.map((one) => expression(one, position));
    switch (node.kind) {
      case 'leaf':
        return node.source;
      case 'named':
        return componentName(node.component, position);
      case 'object':
        return objectCode(node, position);
      case 'expandable':
        return call('expandable', expression(node.target, position));
      case 'array':
        return around('', call('z.array', expression(node.of, position)), node.checks);
      case 'nullable':
        return call('z.nullable', expression(node.of, position));
      case 'record':
        return call(
          node.isPartial ? 'z.partialRecord' : 'z.record',
          node.keys,
          expression(node.of, position),
        );
      case 'tuple':
        return call('z.tuple', brackets(all(node.items)), ...(node.rest ? all([node.rest]) : []));
      case 'union':
        return call('z.union', brackets(all(node.options)));
      case 'intersection':
        return call('z.intersection', ...all([node.left, node.right]));
    }
  };

  const expression = (node: Node, position: Position): Code => {
    if (level > limits.levels) {
      throw new UsageError(
        `${toComment(position.where, 80)} is nested more than ${limits.levels} levels deep`,
      );
    }
    if (node.kind !== 'named' && writing.has(node)) {
      position.note('it contains itself without a name');
      return unknown.source;
    }
    level += 1;
    writing.add(node);
    const code = structureCode(node, position);
    writing.delete(node);
    level -= 1;
    return code;
  };

  const alone = (where: string): Position => ({
    where,
    onLate: () => undefined,
    note: (reason) => report(where, reason),
  });
  return {
    claim,
    expression: (node, where) => expression(node, alone(where)),
    constant: (node, name) => {
      if (node.kind === 'named') return componentName(node.component, alone(name));
      const claimed = claim(name);
      addConstant(claimed, node);
      return claimed;
    },
    add: (statement) => void statements.push(statement),
    report,
    statements,
    reported,
  };
};
