import { follow, isObject, type Json } from './json.ts';

/** Whether a schema differs between bodies and responses, at its top or in a schema that it refers to. */
export const createDiffers = (document: Json) => {
  const known = new Map<string, boolean>();
  return (pointer: string): boolean => {
    const before = known.get(pointer);
    if (before !== undefined) return before;
    const reached = new Set([pointer]);
    let differs = false;
    const visit = (value: unknown): void => {
      if (differs || typeof value !== 'object' || value === null) return;
      const { readOnly, writeOnly, properties, $ref } = value as Json;
      const names = isObject(properties) ? properties : {};
      const isResource = Object.hasOwn(names, 'id') && Object.hasOwn(names, 'self');
      if (readOnly === true || writeOnly === true || isResource) differs = true;
      else if (typeof $ref === 'string') reached.add($ref);
      for (const member of Object.values(value)) visit(member);
    };
    // The set grows while it is read.
    for (const one of reached) visit(follow(document, { $ref: one })?.value);
    known.set(pointer, differs);
    return differs;
  };
};
