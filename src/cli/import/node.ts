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
  | { readonly kind: 'array'; readonly of: Node; readonly checks: string }
  | { readonly kind: 'nullable'; readonly of: Node }
  | { readonly kind: 'record'; readonly isPartial: boolean; readonly keys: string; readonly of: Node }
  | { readonly kind: 'tuple'; readonly items: readonly Node[]; readonly rest: Node | undefined }
  | { readonly kind: 'union'; readonly options: readonly Node[] }
  | { readonly kind: 'intersection'; readonly left: Node; readonly right: Node };

/** An object, or a resource where it has `id` and `self` (§2.1). */
export interface ObjectNode {
  readonly kind: 'object';
  readonly isResource: boolean;
  readonly fields: ReadonlyMap<string, Field>;
  /** What other fields hold, where the document says so. */
  readonly rest: Node | undefined;
}

/** A field of an object. */
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

/** A schema that allows everything. */
export const unknown = { kind: 'leaf', source: 'z.unknown()' } as const satisfies Node;

/** The schema that a name stands for. */
export const structureOf = (node: Node): Exclude<Node, { readonly kind: 'named' }> => {
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
export const below = (node: Node): ReturnType<typeof structureOf> => {
  const structure = structureOf(node);
  return structure.kind === 'array' || structure.kind === 'nullable' ? below(structure.of) : structure;
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

const matchesField = (
  name: string,
  declared: Field,
  of: ObjectNode,
  form: Form,
  found: Field | undefined,
  pairs: Pairs,
): boolean => {
  const rule = forms[form];
  if (of.isResource && (name === 'id' || name === 'self')) {
    if (rule.id !== 'always') return found === undefined || found.isOptional;
    return found !== undefined && matchesIn(declared.node, 'response', found.node, pairs);
  }
  if (found === undefined || !matchesIn(declared.node, rule.below, found.node, pairs)) return false;
  // What `fields` leaves out depends on the request, so a limited form may require what the whole one does.
  if (form === 'limited') return found.isOptional || !declared.isOptional;
  return found.isOptional === (rule.isPartial || declared.isOptional);
};

const matchesObject = (declared: ObjectNode, form: Form, found: ObjectNode, pairs: Pairs): boolean => {
  const names = new Set([...declared.fields.keys(), ...found.fields.keys()]);
  const rest = (declared.rest === undefined) === (found.rest === undefined);
  return (
    rest &&
    [...names].every((name) => {
      const field = declared.fields.get(name);
      if (field !== undefined)
        return matchesField(name, field, declared, form, found.fields.get(name), pairs);
      // A body need not send what it may leave out.
      return (name === 'id' || name === 'self') && found.fields.get(name)?.isOptional === true;
    })
  );
};

/** A body refers to another resource by its `id`. */
const matchesReference = (id: Node, found: Node, pairs: Pairs): boolean => {
  const structure = structureOf(found);
  if (structure.kind !== 'object') return false;
  const names = [...structure.fields].filter(([name, { isOptional }]) => name !== 'self' || !isOptional);
  const [[name, field] = ['', undefined], ...others] = names;
  return (
    name === 'id' &&
    others.length === 0 &&
    field?.isOptional === false &&
    matchesIn(id, 'response', field.node, pairs)
  );
};

const matchesEach = (declared: readonly Node[], found: readonly Node[], pairs: Pairs): boolean =>
  declared.length === found.length &&
  declared.every((one, index) => matchesIn(one, 'response', found[index] ?? unknown, pairs));

/** Two schemas that may be missing. */
const matchesRest = (declared: Node | undefined, found: Node | undefined, pairs: Pairs): boolean =>
  matchesEach(declared === undefined ? [] : [declared], found === undefined ? [] : [found], pairs);

const matchesStructure = (declaredNode: Node, form: Form, foundNode: Node, pairs: Pairs): boolean => {
  const declared = structureOf(declaredNode);
  const found = structureOf(foundNode);
  if (declared.kind === 'expandable') {
    if (forms[form].id !== 'always') return matchesReference(declared.id, foundNode, pairs);
    return found.kind === 'expandable' && matchesIn(declared.target, form, found.target, pairs);
  }
  if (declared.kind === 'leaf') return found.kind === 'leaf' && declared.source === found.source;
  if (declared.kind === 'object')
    return found.kind === 'object' && matchesObject(declared, form, found, pairs);
  if (declared.kind === 'array')
    return (
      found.kind === 'array' &&
      declared.checks === found.checks &&
      matchesIn(declared.of, forms[form].inList, found.of, pairs)
    );
  if (declared.kind === 'nullable')
    return found.kind === 'nullable' && matchesIn(declared.of, form, found.of, pairs);
  if (declared.kind === 'record')
    return (
      found.kind === 'record' &&
      declared.isPartial === found.isPartial &&
      declared.keys === found.keys &&
      matchesIn(declared.of, 'response', found.of, pairs)
    );
  if (declared.kind === 'tuple')
    return (
      found.kind === 'tuple' &&
      matchesEach(declared.items, found.items, pairs) &&
      matchesRest(declared.rest, found.rest, pairs)
    );
  if (declared.kind === 'union')
    return found.kind === 'union' && matchesEach(declared.options, found.options, pairs);
  return (
    found.kind === 'intersection' &&
    matchesEach([declared.left, declared.right], [found.left, found.right], pairs)
  );
};

const isSeen = ({ seen }: Pairs, declared: Node, form: Form, found: Node): boolean => {
  const others = seen.get(declared) ?? new Map<Node, Set<Form>>();
  const inForms = others.get(found) ?? new Set<Form>();
  const isKnown = inForms.has(form);
  seen.set(declared, others.set(found, inForms.add(form)));
  return isKnown;
};

const matchesIn = (declared: Node, form: Form, found: Node, pairs: Pairs): boolean => {
  if (isSeen(pairs, structureOf(declared), form, structureOf(found))) return true;
  if (pairs.level >= limits.levels) return false;
  pairs.level += 1;
  const matches = matchesStructure(declared, form, found, pairs);
  pairs.level -= 1;
  return matches;
};

/** Whether what the document has in a form is what follows from the declaration. */
export const matches = (declared: Node, form: Form, found: Node): boolean =>
  matchesIn(declared, form, found, { seen: new Map(), level: 0 });
