import { toPascalCase } from '../../openapi/names.ts';
import { isObject, type Json, stringAt } from './json.ts';
import { type Component, type Direction, type Node, type Place, unknown } from './node.ts';
import type { Located, References } from './references.ts';

export type Referenced = Located & { readonly url: string };

/** The name of a schema that a reference leads to: the last part of the URL that can be a name. */
const nameOf = (url: string): string => {
  const [document = '', pointer = ''] = url.split(/#(.*)/s);
  const [file = ''] = document.split('/').slice(-1);
  const parts = pointer === '' ? [file.replace(/\.\w+$/, '')] : pointer.split('/');
  const names = parts.map(toPascalCase).filter((name) => /^[A-Z]/.test(name));
  const isName = (name: string): boolean =>
    !['Schema', 'Items', 'Properties', 'Schemas', 'Components'].includes(name);
  return names.findLast(isName) ?? 'Schema';
};

const isResource = ({ properties }: Json): boolean =>
  isObject(properties) && Object.hasOwn(properties, 'id') && Object.hasOwn(properties, 'self');

/** False for a schema that is still being read: it contains itself without a field in between. */
export const isRead = (node: Node): boolean =>
  node.kind !== 'named' || (!node.component.isReading && isRead(node.component.node));

/** Tells whether a schema differs between bodies and responses, at its top or in a schema that it refers to. */
const createComparison = (references: References) => {
  const known = new Map<string, boolean>();
  return ({ url, value, base }: Referenced): boolean => {
    const before = known.get(url);
    if (before !== undefined) return before;
    const reached = new Set<string>([url]);
    const waiting: [value: unknown, base: string][] = [[value, base]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [at, from] = next;
      if (typeof at !== 'object' || at === null) continue;
      for (const member of Object.values(at)) waiting.push([member, from]);
      if (!isObject(at)) continue;
      if (at.readOnly === true || at.writeOnly === true || isResource(at)) {
        known.set(url, true);
        return true;
      }
      const located = typeof at.$ref === 'string' ? references.follow(at, from) : undefined;
      if (located?.url === undefined || reached.has(located.url)) continue;
      reached.add(located.url);
      waiting.push([located.value, located.base]);
    }
    // The schemas that were reached do not differ either.
    for (const one of reached) known.set(one, false);
    return false;
  };
};

/** Creates a named schema for each reference, once for each direction. */
export const createComponents = (
  references: References,
  readBelow: (schema: Json, place: Place, name: string) => Node,
): ((referenced: Referenced, direction: Direction) => Node) => {
  const differs = createComparison(references);
  const components = new Map<string, Component>();

  const create = ({ url, value, base }: Referenced, direction: Direction, name: string): Component => {
    const notes: string[] = [];
    const place: Place = { base, direction, note: (reason) => notes.push(reason) };
    let node: Node | undefined;
    let isReading = false;
    const refuse = (): Node => {
      place.note(`${nameOf(url)} consists of itself`);
      return unknown;
    };
    return {
      name,
      description: stringAt(value, 'description'),
      notes,
      get isReading() {
        return isReading;
      },
      get node() {
        if (isReading) return refuse();
        if (node !== undefined) return node;
        isReading = true;
        const found = readBelow(value, place, name);
        node = isRead(found) ? found : refuse();
        isReading = false;
        return node;
      },
    };
  };

  return (referenced, direction) => {
    const isBody = direction === 'body' && differs(referenced);
    const key = isBody ? `${referenced.url} body` : referenced.url;
    const wanted = nameOf(referenced.url);
    const isNamed = !isBody || /(?:Body|Create|Input|Patch|Request|Update)$/.test(wanted);
    const component =
      components.get(key) ?? create(referenced, direction, isNamed ? wanted : `${wanted}Body`);
    components.set(key, component);
    return { kind: 'named', component };
  };
};
