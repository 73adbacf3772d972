import { type Field, type Node, type ObjectNode, type Place, structureOf, unknown } from './node.ts';

export const nullNode: Node = { kind: 'leaf', source: 'z.null()' };

const isNull = (node: Node): boolean => node.kind === 'leaf' && node.source === 'z.null()';

export const canBeNull = (node: Node): boolean => node.kind === 'nullable';

export const withoutNull = (node: Node): Node => (node.kind === 'nullable' ? node.parts[0] : node);

/** Schemas of which one applies; `null` among them makes the others nullable. */
export const union = (nodes: readonly Node[]): Node => {
  const options = nodes.filter((node) => !isNull(node)).map(withoutNull);
  const isNullable = nodes.some((node) => isNull(node) || canBeNull(node));
  const [first] = options;
  if (options.includes(unknown)) return unknown;
  if (first === undefined) return isNullable ? nullNode : unknown;
  const of: Node = options.length === 1 ? first : { kind: 'union', parts: options };
  return isNullable ? { kind: 'nullable', parts: [of] } : of;
};

/** Merges a field that several parts define. The later part is declared, because it usually narrows the first. */
const mergeField = (name: string, one: Field | undefined, other: Field, { note }: Place): Field => {
  if (one === undefined) return other;
  note(`the other definitions of \`${name}\` in \`allOf\`; the last one is declared`);
  return withOptional(other, one.isOptional && other.isOptional);
};

/** A field with another `isOptional`. Its node is still read on demand. */
const withOptional = (field: Field, isOptional: boolean): Field => ({
  get node() {
    return field.node;
  },
  isOptional,
  description: field.description,
  notes: field.notes,
});

/** True for `type: object` alone, which adds nothing to other parts. */
const saysNothing = (node: Node): boolean =>
  node === unknown || (node.kind === 'record' && node.keys === 'z.string()' && node.parts[0] === unknown);

/** Makes one schema of several that all apply: the fields of objects together, an intersection of anything else. */
export const combine = (all: readonly Node[], required: ReadonlySet<string>, place: Place): Node => {
  const saying = all.filter((node) => !saysNothing(node));
  const nodes = saying.length > 0 ? saying : all.slice(0, 1);
  const [first, ...others] = nodes;
  if (first === undefined) return unknown;
  const structures = nodes.map(structureOf);
  const objects = structures.filter((one): one is ObjectNode => one.kind === 'object');
  if (objects.length < nodes.length) {
    return others.reduce<Node>((left, right) => ({ kind: 'intersection', parts: [left, right] }), first);
  }
  const needsMore = objects.some(({ fields }) =>
    [...required].some((name) => fields.get(name)?.isOptional === true),
  );
  if (others.length === 0 && !needsMore) return first;
  const fields = new Map<string, Field>();
  for (const object of objects) {
    for (const [name, field] of object.fields)
      fields.set(name, mergeField(name, fields.get(name), field, place));
  }
  for (const [name, field] of fields) {
    if (required.has(name)) fields.set(name, withOptional(field, false));
  }
  const isResource = place.direction === 'response' && fields.has('id') && fields.has('self');
  return { kind: 'object', isResource, fields, rest: objects.find(({ rest }) => rest !== undefined)?.rest };
};
