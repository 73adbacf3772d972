import { isObject } from '../options.ts';

/** Names that servers have for the `id` of a record. */
export const otherIdNames = ['Id', 'ID', '_id', 'uuid', 'guid', 'objectId', 'documentId'] as const;

/** The name of the id in a record; undefined for none. */
export const idNameIn = (record: Readonly<Record<string, unknown>>): string | undefined =>
  ['id', ...otherIdNames].find((name) => Object.hasOwn(record, name));

/** Whether a value is a record that has an id. */
export const hasId = (value: unknown): boolean => isObject(value) && idNameIn(value) !== undefined;
