import { pathSeparator } from '../../conventions.ts';
import type { Code } from './code.ts';
import { type Form, forms } from './forms.ts';
import { limits } from './json.ts';

/** What a schema is declared as. */
export type Node =
  // `code` says the same as `source`, and can be broken into lines.
  | { readonly kind: 'leaf'; readonly source: string; readonly code?: Code }
  | { readonly kind: 'named'; readonly component: Component }
  | ObjectNode
  | { readonly kind: 'expandable'; readonly target: Node; readonly id: Node }
  | { readonly kind: 'array'; readonly parts: readonly [Node]; readonly checks: string }
  | { readonly kind: 'nullable'; readonly parts: readonly [Node] }
  | {
      readonly kind: 'record';
      readonly parts: readonly [Node];
      readonly isPartial: boolean;
      readonly keys: string;
    }
  // The last part of a tuple with a rest is the schema of any further items.
  | { readonly kind: 'tuple'; readonly parts: readonly Node[]; readonly hasRest: boolean }
  | { readonly kind: 'union'; readonly parts: readonly Node[] }
  | { readonly kind: 'intersection'; readonly parts: readonly [Node, Node] };

/** An object, or a resource where it has `id` and `self` (§2.1). */
export interface ObjectNode {
  readonly kind: 'object';
  readonly isResource: boolean;
  readonly fields: ReadonlyMap<string, Field>;
  /** The schema of other fields, if the document has one. */
  readonly rest: Node | undefined;
}

export interface Field {
  readonly node: Node;
  readonly isOptional: boolean;
  readonly description: string | undefined;
  /** The parts of the document that are not declared, and why. */
  readonly notes: readonly string[];
}

/** A schema of the document that has a name. Its node is read on demand, because it may contain itself. */
export interface Component {
  /** The name that it gets if it is free. */
  readonly name: string;
  readonly description: string | undefined;
  /** The parts of the document that are not declared, and why; complete once `node` was read. */
  readonly notes: readonly string[];
  /** True while its node is being read. */
  readonly isReading: boolean;
  readonly node: Node;
}

/** What goes over the wire in one direction: `readOnly` fields are in responses alone, `writeOnly` ones in bodies. */
export type Direction = 'response' | 'body';

/** Where a schema is used. */
export interface Place {
  readonly base: string;
  readonly direction: Direction;
  /** Adds the reason why a part of the schema is not declared. */
  readonly note: (reason: string) => void;
}

export const unknown = { kind: 'leaf', source: 'z.unknown()' } as const satisfies Node;

/** A schema without a name. */
export type Structure = Exclude<Node, { readonly kind: 'named' }>;

/** The schema that a name stands for. */
export const structureOf = (node: Node): Structure => {
  let at = node;
  while (at.kind === 'named') at = at.component.node;
  return at;
};

/** The resource that a schema is; undefined for any other schema. */
export const resourceOf = (node: Node): ObjectNode | undefined => {
  const structure = structureOf(node);
  return structure.kind === 'object' && structure.isResource ? structure : undefined;
};

/** The fields of a resource besides those that every one has. */
export const ownFields = ({ fields }: ObjectNode): readonly (readonly [string, Field])[] =>
  [...fields].filter(([name]) => name !== 'id' && name !== 'self');

/** The schema inside of lists and `null`. */
export const below = (node: Node): Structure => {
  const structure = structureOf(node);
  return structure.kind === 'array' || structure.kind === 'nullable' ? below(structure.parts[0]) : structure;
};

const fieldsBelow = (node: Node): ReadonlyMap<string, Field> | undefined => {
  const structure = below(node);
  if (structure.kind === 'expandable') return resourceOf(structure.target)?.fields;
  return structure.kind === 'object' ? structure.fields : undefined;
};

/** The fields along a dotted path; undefined when one of them does not exist. */
export const fieldsAlong = (node: Node, path: string): readonly Field[] | undefined => {
  const fields: Field[] = [];
  for (const name of path.split(pathSeparator)) {
    const field = fieldsBelow(fields.at(-1)?.node ?? node)?.get(name);
    if (field === undefined) return undefined;
    fields.push(field);
  }
  return fields;
};

/** The pairs that were compared. They count as equal, because the first difference ends the whole comparison. */
interface Pairs {
  readonly seen: Map<Node, Map<Node, Set<Form>>>;
  level: number;
}

const isGivenName = (name: string): boolean => name === 'id' || name === 'self';

const matchesField = (
  name: string,
  declared: Field,
  of: ObjectNode,
  form: Form,
  found: Field | undefined,
  pairs: Pairs,
): boolean => {
  const rule = forms[form];
  if (of.isResource && isGivenName(name)) {
    if (rule.id !== 'always') return found === undefined || found.isOptional;
    return found !== undefined && matchesIn(declared.node, 'response', found.node, pairs);
  }
  if (found === undefined || !matchesIn(declared.node, rule.below, found.node, pairs)) return false;
  // `fields` decides what a limited form leaves out, so it may require what the whole form requires, or not.
  if (form === 'limited') return found.isOptional || !declared.isOptional;
  return found.isOptional === (rule.isPartial || declared.isOptional);
};

const matchesObject = (declared: ObjectNode, form: Form, found: ObjectNode, pairs: Pairs): boolean =>
  (declared.rest === undefined) === (found.rest === undefined) &&
  [...declared.fields].every(([name, field]) =>
    matchesField(name, field, declared, form, found.fields.get(name), pairs),
  ) &&
  // More than the declared fields: only an `id` or `self` that a body may leave out.
  [...found.fields].every(
    ([name, { isOptional }]) => declared.fields.has(name) || (isGivenName(name) && isOptional),
  );

/** A body refers to another resource by its `id`. */
const matchesReference = (id: Node, found: Structure, pairs: Pairs): boolean => {
  if (found.kind !== 'object') return false;
  const names = [...found.fields].filter(([name, { isOptional }]) => name !== 'self' || !isOptional);
  const field = found.fields.get('id');
  return names.length === 1 && field?.isOptional === false && matchesIn(id, 'response', field.node, pairs);
};

/** The details of a schema besides its parts. */
const detailOf = (structure: Structure): string => {
  if (structure.kind === 'leaf') return structure.source;
  if (structure.kind === 'array') return structure.checks;
  if (structure.kind === 'tuple') return String(structure.hasRest);
  return structure.kind === 'record' ? `${structure.isPartial} ${structure.keys}` : '';
};

const matchesParts = (declared: Structure, form: Form, found: Structure, pairs: Pairs): boolean => {
  const parts = 'parts' in declared ? declared.parts : [];
  const others = 'parts' in found ? found.parts : [];
  const below =
    declared.kind === 'array' ? forms[form].inList : declared.kind === 'nullable' ? form : 'response';
  return (
    declared.kind === found.kind &&
    detailOf(declared) === detailOf(found) &&
    parts.length === others.length &&
    parts.every((part, index) => matchesIn(part, below, others[index] ?? unknown, pairs))
  );
};

const matchesStructure = (declared: Structure, form: Form, found: Structure, pairs: Pairs): boolean => {
  if (declared.kind === 'object')
    return found.kind === 'object' && matchesObject(declared, form, found, pairs);
  if (declared.kind !== 'expandable') return matchesParts(declared, form, found, pairs);
  if (forms[form].id !== 'always') return matchesReference(declared.id, found, pairs);
  return found.kind === 'expandable' && matchesIn(declared.target, form, found.target, pairs);
};

const isSeen = ({ seen }: Pairs, declared: Node, form: Form, found: Node): boolean => {
  const others = seen.get(declared) ?? new Map<Node, Set<Form>>();
  const inForms = others.get(found) ?? new Set<Form>();
  const isKnown = inForms.has(form);
  seen.set(declared, others.set(found, inForms.add(form)));
  return isKnown;
};

const matchesIn = (declaredNode: Node, form: Form, foundNode: Node, pairs: Pairs): boolean => {
  const [declared, found] = [structureOf(declaredNode), structureOf(foundNode)];
  if (isSeen(pairs, declared, form, found)) return true;
  if (pairs.level >= limits.levels) return false;
  pairs.level += 1;
  const matches = matchesStructure(declared, form, found, pairs);
  pairs.level -= 1;
  return matches;
};

/** Whether a schema of the document equals a form of the declared schema. */
export const matches = (declared: Node, form: Form, found: Node): boolean =>
  matchesIn(declared, form, found, { seen: new Map(), level: 0 });
