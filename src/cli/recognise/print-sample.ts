// Prints the schema of what was seen, without a document.
import { conventions } from '../../families/family.ts';
import { createModel } from '../import/model.ts';
import { createPrinter } from '../import/print/schema.ts';
import type { Schema } from '../import/schemas/schema.ts';

/**
 * Makes a function that prints a schema as an expression.
 *
 * @param targets - what the nested resources expand to
 * @param use - is given each name of `restkin` that the code needs
 */
export const createSamplePrinter = (targets: ReadonlyMap<Schema, Schema>, use: (name: string) => string) => {
  const none = new Set<Schema>();
  const arranged = { targets: new Map(targets), late: none, closed: none, resources: none };
  const { print } = createPrinter(arranged, createModel({}, conventions, undefined), new Map(), use);
  return (schema: Schema): string => print(schema, 'response');
};
