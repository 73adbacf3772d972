import { isUnknown, resolve, type Schema } from './schema.ts';

/** One schema of several that all apply: the fields of objects together, an intersection of anything else. */
export const combine = (
  all: readonly Schema[],
  required: ReadonlySet<string>,
  find: (key: string) => Schema | undefined,
  note: (reason: string) => void,
): Schema => {
  // `type: object` alone adds nothing to other parts.
  const saying = all.filter(
    (one) => !isUnknown(one) && (one.type !== 'object' || Object.keys(one).length > 1),
  );
  const nodes = saying.length > 0 ? saying : all.slice(0, 1);
  const [first = {}, ...others] = nodes;
  const objects = nodes.flatMap((one) => {
    const object = resolve(one, find);
    return object?.properties === undefined ? [] : [{ ...object, properties: object.properties }];
  });
  if (objects.length < nodes.length) return others.length === 0 ? first : { allOf: nodes };
  const needsMore = objects.some(({ properties, required: own = [] }) =>
    [...required].some((name) => Object.hasOwn(properties, name) && !own.includes(name)),
  );
  if (others.length === 0 && !needsMore) return first;
  const properties: Record<string, Schema> = {};
  for (const object of objects) {
    for (const [name, field] of Object.entries(object.properties)) {
      // The later part is declared, because it usually narrows the first.
      if (Object.hasOwn(properties, name))
        note(`the other definitions of \`${name}\` in \`allOf\`; the last one is declared`);
      Object.defineProperty(properties, name, {
        value: field,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  const names = new Set([...required, ...objects.flatMap((one) => one.required ?? [])]);
  const rest = objects.find(({ additionalProperties }) => additionalProperties !== undefined);
  const kept = [...names].filter((name) => Object.hasOwn(properties, name));
  return {
    type: 'object',
    properties,
    ...(kept.length > 0 && { required: kept }),
    ...(rest && { additionalProperties: rest.additionalProperties }),
  };
};
