import { UsageError } from '../errors.ts';
import { canBeNull, combine, nullNode, union, withoutNull } from './combine.ts';
import { createComponents } from './components.ts';
import { createExpansion } from './expansion.ts';
import { isCount, isObject, type Json, limits, listAt, objectAt, stringAt, stringsAt } from './json.ts';
import { leafNode, lengthChecks, valuesNode } from './leaves.ts';
import { type Field, type Node, type Place, unknown } from './node.ts';
import type { References } from './references.ts';

/** Reads the schemas of a document. */
export type Reader = ReturnType<typeof createReader>;

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

/** Keywords that restrict a value. All others only describe it. */
const constraining: ReadonlySet<string> = new Set([
  ...unchecked,
  ...['type', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items', 'prefixItems'],
  ...['allOf', 'anyOf', 'oneOf', 'nullable', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'],
]);

const isConstraint = ([name, value]: readonly [string, unknown]): boolean =>
  constraining.has(name) && value !== false;

export const createReader = (references: References) => {
  let level = 0;

  const deeper = (readBelow: () => Node): Node => {
    if (level >= limits.levels)
      throw new UsageError(`A schema of the document is made of more than ${limits.levels} others`);
    level += 1;
    const node = readBelow();
    level -= 1;
    return node;
  };

  const component = createComponents(references, (schema, place, name) =>
    deeper(() => read(schema, place, name)),
  );
  const toPart = createExpansion(references, (referenced) => component(referenced, 'response'));

  /** A schema as part of another one. */
  const readPart = (schema: unknown, name: string, place: Place): Node => {
    const node = read(schema, place, name);
    return place.direction === 'body' ? node : toPart(node, name, place.base);
  };

  const readFields = (schema: Json, place: Place): Map<string, Field> => {
    const required = new Set(stringsAt(schema, 'required'));
    const fields = new Map<string, Field>();
    for (const [name, value] of Object.entries(objectAt(schema, 'properties'))) {
      const property = isObject(value) ? value : {};
      const located = references.follow(property, place.base)?.value ?? property;
      const hidden = place.direction === 'body' ? 'readOnly' : 'writeOnly';
      if (property[hidden] === true || located[hidden] === true) continue;
      const notes: string[] = [];
      let node: Node | undefined;
      fields.set(name, {
        // Read on demand, when the schema around it is known: it may refer to that.
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
    const rest = isObject(more) && Object.keys(more).length > 0 ? read(more, place) : undefined;
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
      parts: [rest ?? unknown],
    };
  };

  const readArray = (schema: Json, place: Place, name: string): Node => {
    const items = listAt(schema, 'prefixItems');
    if (
      items.length > 0 &&
      (schema.minItems === undefined || (isCount(schema.minItems) && schema.minItems >= items.length))
    ) {
      const rest = isObject(schema.items) ? [read(schema.items, place)] : [];
      const parts = [...items.map((item) => read(item, place)), ...rest];
      return { kind: 'tuple', parts, hasRest: rest.length > 0 };
    }
    if (items.length > 0) place.note('a list whose first items are optional is not checked');
    const of = items.length > 0 ? unknown : readPart(schema.items, name, place);
    return { kind: 'array', parts: [of], checks: lengthChecks(schema.minItems, schema.maxItems) };
  };

  const readType = (type: unknown, schema: Json, place: Place, name: string): Node => {
    if (type === 'object') return readObject(schema, place);
    if (type === 'array') return readArray(schema, place, name);
    const leaf = leafNode(type, schema, place.note);
    if (leaf === undefined) place.note(`the type ${JSON.stringify(type)} is unknown`);
    return leaf ?? unknown;
  };

  /** The schema of the keywords besides `allOf`, `anyOf` and `oneOf`; undefined when there are none. */
  const readOwn = (schema: Json, place: Place, name: string): Node | undefined => {
    const values = Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum;
    if (Array.isArray(values) && values.length > 0) {
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
      // `anyOf: [{ required: ['a'] }, { required: ['b'] }]` has no types to choose from.
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
    const all = listAt(schema, 'allOf').filter(isObject);
    const required = new Set([schema, ...all].flatMap((part) => stringsAt(part, 'required')));
    const own = readOwn(schema, place, name);
    const parts = all.map((part) => read(part, place, name));
    const others = [...parts, ...readAlternatives(schema, place, name)];
    const hasNull = own === undefined ? others.some(canBeNull) : canBeNull(own);
    const nodes = (own === undefined ? others : [...others, own]).map(withoutNull);
    const node = combine(nodes, required, place);
    return schema.nullable === true || hasNull ? union([node, nullNode]) : node;
  };

  /** Reads a schema where it is used. */
  const read = (schema: unknown, place: Place, name = ''): Node => {
    if (schema === false) return { kind: 'leaf', source: 'z.never()' };
    if (!isObject(schema)) return unknown;
    return deeper(() => {
      if (typeof schema.$ref !== 'string') return readInline(schema, place, name);
      const { $ref: reference, ...beside } = schema;
      const located = references.follow(schema, place.base);
      if (located?.url === undefined) {
        place.note(`the reference ${JSON.stringify(reference)} does not exist`);
        return unknown;
      }
      const node = component({ ...located, url: located.url }, place.direction);
      if (!Object.entries(beside).some(isConstraint)) return node;
      const all = [...listAt(beside, 'allOf'), { $ref: reference }];
      return readInline({ ...beside, allOf: all }, place, name);
    });
  };

  return { references, read: (schema: unknown, place: Place): Node => read(schema, place) };
};
