import { toPascalCase, toSingular } from '../../openapi/names.ts';
import { UsageError } from '../errors.ts';
import { canBeNull, combine, nullNode, union, withoutNull } from './combine.ts';
import { isObject, type Json, limits, listAt, objectAt, stringAt } from './json.ts';
import { leafNode, lengthChecks, valuesNode } from './leaves.ts';
import {
  type Component,
  type Direction,
  type Field,
  matches,
  type Node,
  ownFields,
  type Place,
  resourceOf,
  unknown,
} from './node.ts';
import type { References } from './references.ts';

/** Reads the schemas of a document. */
export interface Schemas {
  /** A schema where it is used. */
  read(schema: unknown, place: Place): Node;
}

const unchecked = [
  'not',
  'if',
  'contains',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'patternProperties',
  'minProperties',
  'maxProperties',
  'uniqueItems',
  '$dynamicRef',
] as const;

/** Keywords that say something of a value; all others describe it. */
const constraining: ReadonlySet<string> = new Set([
  ...unchecked,
  ...['type', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items', 'prefixItems'],
  ...['allOf', 'anyOf', 'oneOf', 'nullable', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'],
]);

const isConstraint = ([name, value]: readonly [string, unknown]): boolean =>
  constraining.has(name) && value !== false;

/** The name of a schema that a reference leads to: the last part of the URL that is one. */
const componentName = (url: string): string => {
  const [document = '', pointer = ''] = url.split(/#(.*)/s);
  const file =
    document
      .split('/')
      .at(-1)
      ?.replace(/\.\w+$/, '') ?? '';
  const parts = [file, ...pointer.split('/').map((token) => token.replaceAll('~1', '/'))];
  const names = parts.map(toPascalCase).filter((name) => /^[A-Z]/.test(name));
  const isName = (name: string): boolean => !['Schema', 'Items', 'Properties', 'Schemas'].includes(name);
  return names.findLast(isName) ?? 'Schema';
};

/** False for a schema that is part of itself without being a field: it is no resource. */
const isRead = (node: Node): boolean =>
  node.kind !== 'named' || (!node.component.isReading && isRead(node.component.node));

/** A resource with `id` and `self` alone, which stands for another one (§2.1). */
const isReference = (node: Node): boolean => {
  if (!isRead(node)) return false;
  const resource = resourceOf(node);
  return resource !== undefined && resource.rest === undefined && ownFields(resource).length === 0;
};

/** Makes a reader of schemas. */
export const createSchemas = (references: References): Schemas => {
  const components = new Map<string, Component>();
  const differing = new Map<string, boolean>();
  let level = 0;

  const deeper = (readBelow: () => Node): Node => {
    if (level >= limits.levels)
      throw new UsageError(`A schema of the document is made of more than ${limits.levels} others`);
    level += 1;
    const node = readBelow();
    level -= 1;
    return node;
  };

  /** Whether a schema is another one in a body than in a response, itself or below it. */
  const differs = (url: string, start: unknown, base: string): boolean => {
    const known = differing.get(url);
    if (known !== undefined) return known;
    const reached = new Set<string>([url]);
    const waiting: [value: unknown, base: string][] = [[start, base]];
    let isDifferent = false;
    for (let next = waiting.pop(); next !== undefined && !isDifferent; next = waiting.pop()) {
      const [value, at] = next;
      if (Array.isArray(value)) waiting.push(...value.map((one): [unknown, string] => [one, at]));
      if (!isObject(value)) continue;
      const { properties } = value;
      isDifferent =
        value.readOnly === true ||
        value.writeOnly === true ||
        (isObject(properties) && Object.hasOwn(properties, 'id') && Object.hasOwn(properties, 'self'));
      waiting.push(...Object.values(value).map((one): [unknown, string] => [one, at]));
      const located = typeof value.$ref === 'string' ? references.follow(value, at) : undefined;
      if (located?.url === undefined || reached.has(located.url)) continue;
      reached.add(located.url);
      waiting.push([located.value, located.base]);
    }
    if (isDifferent) differing.set(url, true);
    else for (const one of reached) differing.set(one, false);
    return isDifferent;
  };

  /** The resource that `{ id, self }` stands for, by the name of the schema or of the field. */
  const findTarget = (reference: Node, name: string, { base }: Place): Node => {
    const own = reference.kind === 'named' ? reference.component.name : '';
    const names = [own.replace(/(?:Reference|Ref|Link|Stub)$/, ''), toPascalCase(toSingular(name))];
    const id = resourceOf(reference)?.fields.get('id')?.node ?? unknown;
    for (const candidate of names) {
      const located = references.follow({ $ref: `#/components/schemas/${candidate}` }, base);
      if (located?.url === undefined) continue;
      const node = component(located.url, located.value, located.base, 'response');
      const resource = resourceOf(node);
      if (
        resource &&
        !isReference(node) &&
        matches(resource.fields.get('id')?.node ?? unknown, 'response', id)
      )
        return node;
    }
    return reference;
  };

  /** A schema as part of another one, where `{ id, self }` is a resource that may be expanded (§2.1, §4.4). */
  const readPart = (schema: unknown, name: string, place: Place): Node => {
    const node = read(schema, place, name);
    if (place.direction === 'body') return node;
    const toExpandable = (reference: Node, target: Node): Node => ({
      kind: 'expandable',
      target,
      id: resourceOf(reference)?.fields.get('id')?.node ?? unknown,
    });
    if (isReference(node)) return toExpandable(node, findTarget(node, name, place));
    if (node.kind === 'nullable') {
      const { of } = node;
      if (isReference(of)) return { ...node, of: toExpandable(of, findTarget(of, name, place)) };
      return { ...node, of: asExpansion(of, toExpandable) };
    }
    return asExpansion(node, toExpandable);
  };

  /** One of two forms of a resource, all of it or `{ id, self }`. */
  const asExpansion = (node: Node, toExpandable: (reference: Node, target: Node) => Node): Node => {
    if (node.kind !== 'union' || node.options.length !== 2) return node;
    const [first = unknown, second = unknown] = node.options;
    const [reference, target] = isReference(second) ? [second, first] : [first, second];
    return isReference(reference) && isRead(target) && resourceOf(target)
      ? toExpandable(reference, target)
      : node;
  };

  const readFields = (schema: Json, place: Place): Map<string, Field> => {
    const required = new Set(listAt(schema, 'required'));
    const fields = new Map<string, Field>();
    for (const [name, value] of Object.entries(objectAt(schema, 'properties'))) {
      const property = isObject(value) ? value : {};
      const located = references.follow(property, place.base)?.value ?? property;
      const hidden = place.direction === 'body' ? 'readOnly' : 'writeOnly';
      if (property[hidden] === true || located[hidden] === true) continue;
      const notes: string[] = [];
      let node: Node | undefined;
      fields.set(name, {
        // Read when it is asked for: then the schema around it, which it may refer to, is known.
        get node() {
          node ??= readPart(value, name, { ...place, note: (reason) => notes.push(reason) });
          return node;
        },
        isOptional: !required.has(name),
        description: stringAt(property, 'description'),
        notes,
      });
    }
    return fields;
  };

  const readObject = (schema: Json, place: Place): Node => {
    const { additionalProperties: more } = schema;
    const fields = readFields(schema, place);
    const isOpen = more === undefined || typeof more === 'boolean' || Object.keys(more as Json).length === 0;
    const rest = isOpen ? undefined : read(more, place);
    if (fields.size > 0) {
      const isResource = place.direction === 'response' && fields.has('id') && fields.has('self');
      return { kind: 'object', isResource, fields, rest };
    }
    const names = listAt(objectAt(schema, 'propertyNames'), 'enum');
    const keys = valuesNode(names, false);
    const isKnown = keys?.kind === 'leaf' && keys.source !== 'z.null()';
    const required = listAt(schema, 'required');
    return {
      kind: 'record',
      isPartial: isKnown && !names.every((name) => required.includes(name)),
      keys: isKnown ? keys.source : 'z.string()',
      of: rest ?? unknown,
    };
  };

  const readArray = (schema: Json, place: Place, name: string): Node => {
    const items = listAt(schema, 'prefixItems');
    if (items.length > 0 && (schema.minItems === undefined || Number(schema.minItems) >= items.length)) {
      const rest = isObject(schema.items) ? read(schema.items, place) : undefined;
      return { kind: 'tuple', items: items.map((item) => read(item, place)), rest };
    }
    const of = items.length > 0 ? unknown : readPart(schema.items, name, place);
    return { kind: 'array', of, checks: lengthChecks(schema.minItems, schema.maxItems) };
  };

  const readType = (type: unknown, schema: Json, place: Place, name: string): Node => {
    if (type === 'object') return readObject(schema, place);
    if (type === 'array') return readArray(schema, place, name);
    return leafNode(String(type), schema, place.note) ?? unknown;
  };

  /** What the keywords beside `allOf`, `anyOf` and `oneOf` say; undefined when there are none. */
  const readOwn = (schema: Json, place: Place, name: string): Node | undefined => {
    const values = Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum;
    if (Array.isArray(values)) {
      const node = valuesNode(values, Object.hasOwn(schema, 'const'));
      if (node !== undefined) return node;
      place.note('values that are lists or objects are not checked');
    }
    const { type } = schema;
    if (Array.isArray(type)) return union(type.map((one) => readType(one, schema, place, name)));
    if (type !== undefined) return readType(type, schema, place, name);
    if (isObject(schema.properties) || isObject(schema.additionalProperties))
      return readObject(schema, place);
    if (schema.items !== undefined || schema.prefixItems !== undefined) return readArray(schema, place, name);
    if (schema.pattern !== undefined || schema.minLength !== undefined)
      return readType('string', schema, place, name);
    if (schema.minimum !== undefined || schema.maximum !== undefined)
      return readType('number', schema, place, name);
    return undefined;
  };

  const readAlternatives = (schema: Json, place: Place, name: string): readonly Node[] =>
    (['anyOf', 'oneOf'] as const).flatMap((keyword) => {
      const all = listAt(schema, keyword);
      // `anyOf: [{ required: ['a'] }, { required: ['b'] }]` has no types to tell apart.
      const typed = all.filter(
        (one) =>
          !isObject(one) ||
          Object.entries(one).some((entry) => entry[0] !== 'required' && isConstraint(entry)) ||
          one.$ref,
      );
      if (typed.length < all.length) place.note(`a part of \`${keyword}\` is not checked`);
      return typed.length === 0 ? [] : [union(typed.map((one) => read(one, place, name)))];
    });

  const readInline = (schema: Json, place: Place, name: string): Node => {
    for (const keyword of unchecked) {
      if (schema[keyword] !== undefined && schema[keyword] !== false)
        place.note(`\`${keyword}\` is not checked`);
    }
    const parts = listAt(schema, 'allOf').filter(isObject);
    const required = new Set([schema, ...parts].flatMap((part) => listAt(part, 'required')).map(String));
    const own = readOwn(schema, place, name);
    const others = [
      ...parts.map((part) => read(part, place, name)),
      ...readAlternatives(schema, place, name),
    ];
    const hasNull = own === undefined ? others.some(canBeNull) : canBeNull(own);
    const nodes = (own === undefined ? others : [...others, own]).map(withoutNull);
    const node = combine(nodes, required, place);
    return schema.nullable === true || hasNull ? union([node, nullNode]) : node;
  };

  const component = (url: string, schema: Json, base: string, direction: Direction): Node => {
    const isBody = direction === 'body' && differs(url, schema, base);
    const key = isBody ? `${url} body` : url;
    const wanted = componentName(url);
    const name =
      isBody && !/(?:Body|Create|Input|Patch|Request|Update)$/.test(wanted) ? `${wanted}Body` : wanted;
    const notes: string[] = [];
    let node: Node | undefined;
    let isReading = false;
    const made: Component = components.get(key) ?? {
      name,
      description: stringAt(schema, 'description'),
      notes,
      get isReading() {
        return isReading;
      },
      get node() {
        if (isReading) {
          notes.push('it is made of itself');
          return unknown;
        }
        if (node !== undefined) return node;
        isReading = true;
        const note = (reason: string): void => void notes.push(reason);
        node = deeper(() => {
          const found = read(schema, { base, direction, note }, name);
          if (isRead(found)) return found;
          note('it is made of itself');
          return unknown;
        });
        isReading = false;
        return node;
      },
    };
    components.set(key, made);
    return { kind: 'named', component: made };
  };

  const read = (schema: unknown, place: Place, name = ''): Node => {
    if (schema === false) return { kind: 'leaf', source: 'z.never()' };
    if (!isObject(schema)) return unknown;
    return deeper(() => {
      if (typeof schema.$ref !== 'string') return readInline(schema, place, name);
      const { $ref: reference, ...beside } = schema;
      const located = references.follow(schema, place.base);
      if (located?.url === undefined) {
        place.note(`the reference ${JSON.stringify(reference)} leads nowhere`);
        return unknown;
      }
      const node = component(located.url, located.value, located.base, place.direction);
      if (!Object.entries(beside).some(isConstraint)) return node;
      const all = [...listAt(beside, 'allOf'), { $ref: reference }];
      return readInline({ ...beside, allOf: all }, place, name);
    });
  };

  return { read };
};
