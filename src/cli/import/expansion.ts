import { toPascalCase, toSingular } from '../../openapi/names.ts';
import { nullNode, union } from './combine.ts';
import { isRead, type Referenced } from './components.ts';
import { matches, type Node, ownFields, resourceOf, structureOf, unknown } from './node.ts';
import type { References } from './references.ts';

const idOf = (node: Node): Node => resourceOf(node)?.fields.get('id')?.node ?? unknown;

/** A resource with `id` and `self` alone, which stands for another one (§2.1). */
const isReference = (node: Node): boolean => {
  if (!isRead(node)) return false;
  const resource = resourceOf(node);
  return resource !== undefined && resource.rest === undefined && ownFields(resource).length === 0;
};

/** The schema without `null`, which its name may allow. */
const present = (node: Node): Node => {
  const structure = isRead(node) ? structureOf(node) : node;
  return structure.kind === 'nullable' ? structure.parts[0] : node;
};

/** Finds nested resources that may be expanded, in either of their two forms (§2.1, §4.4). */
export const createExpansion = (references: References, component: (referenced: Referenced) => Node) => {
  /** The resource that `{ id, self }` stands for, by the name of its schema or of its field. */
  const findTarget = (reference: Node, field: string, base: string): Node => {
    const own = reference.kind === 'named' ? reference.component.name : '';
    const names = [own.replace(/(?:Reference|Ref|Link|Stub)$/, ''), toPascalCase(toSingular(field))];
    for (const name of names) {
      const located = references.follow({ $ref: `#/components/schemas/${name}` }, base);
      if (located?.url === undefined) continue;
      const node = component({ ...located, url: located.url });
      if (resourceOf(node) && !isReference(node) && matches(idOf(node), 'response', idOf(reference)))
        return node;
    }
    return reference;
  };

  /** Turns a part of a response into an expandable resource if it is one. Returns any other part as it is. */
  const toPart = (node: Node, field: string, base: string): Node => {
    if (isReference(node))
      return { kind: 'expandable', target: findTarget(node, field, base), id: idOf(node) };
    const structure = isRead(node) ? structureOf(node) : unknown;
    if (structure.kind === 'nullable') {
      const of = toPart(structure.parts[0], field, base);
      return of === structure.parts[0] ? node : union([of, nullNode]);
    }
    if (structure.kind !== 'union' || structure.parts.length !== 2) return node;
    const options = structure.parts.map(present);
    const reference = options.find(isReference);
    const target = options.find((one) => one !== reference && isRead(one) && resourceOf(one));
    if (reference === undefined || target === undefined) return node;
    const part: Node = { kind: 'expandable', target, id: idOf(reference) };
    return structure.parts.every((one) => options.includes(one)) ? part : union([part, nullNode]);
  };

  return toPart;
};
