import { pathSeparator } from '../../conventions.ts';
import { type Form, forms } from '../../openapi/forms.ts';
import type { Code } from './code.ts';
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
  // The last part of a tuple with a rest is what any further items are.
  | { readonly kind: 'tuple'; readonly parts: readonly Node[]; readonly hasRest: boolean }
  | { readonly kind: 'union'; readonly parts: readonly Node[] }
  | { readonly kind: 'intersection'; readonly parts: readonly [Node, Node] };

/** An object, or a resource where it has `id` and `self` (§2.1). */
export interface ObjectNode {
  readonly kind: 'object';
  readonly isResource: boolean;
  readonly fields: ReadonlyMap<string, Field>;
  /** What other fields hold, where the document says so. */
  readonly rest: Node | undefined;
}

export interface Field {
  readonly node: Node;
  readonly isOptional: boolean;
  readonly description: string | undefined;
  /** What of the document is not declared, and why. */
  readonly notes: readonly string[];
}

/** A schema of the document that has a name. It is read when it is asked for: it may contain itself. */
export interface Component {
  /** The name that it would like to have. */
  readonly name: string;
  readonly description: string | undefined;
  /** What of the document is not declared, and why; complete once `node` was read. */
  readonly notes: readonly string[];
  /** True while its node is made. */
  readonly isReading: boolean;
  readonly node: Node;
}

/** What goes over the wire in one direction: `readOnly` fields are in responses alone, `writeOnly` ones in bodies. */
export type Direction = 'response' | 'body';

/** Where a schema is used. */
export interface Place {
  readonly base: string;
  readonly direction: Direction;
  /** What of the schema is not declared, and why. */
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

/** What a schema holds inside of lists and `null`. */
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

/** What is compared already. A pair that was found different ended the comparison, so any other is taken as equal. */
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
  // What `fields` leaves out depends on the request, so a limited form may require what the whole one does.
  if (form === 'limited') return found.isOptional || !declared.isOptional;
  return found.isOptional === (rule.isPartial || declared.isOptional);
};

const matchesObject = (declared: ObjectNode, form: Form, found: ObjectNode, pairs: Pairs): boolean =>
  (declared.rest === undefined) === (found.rest === undefined) &&
  [...declared.fields].every(([name, field]) =>
    matchesField(name, field, declared, form, found.fields.get(name), pairs),
  ) &&
  // A body need not send what it may leave out.
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

/** What a schema says besides its parts. */
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

/** Whether what the document has in a form is what follows from the declaration. */
export const matches = (declared: Node, form: Form, found: Node): boolean =>
  matchesIn(declared, form, found, { seen: new Map(), level: 0 });
