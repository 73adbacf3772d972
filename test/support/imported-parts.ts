// One part of a document as it is imported: a field of a record, or an endpoint.
import { createMock } from 'restkin/mocks';
import { expect } from 'vitest';
import { apisOf, evaluate, type Imported, importOf } from './import-document.ts';
import { documentOf, list, resourceOf, type Schema } from './odd-document.ts';

/** Code on one line. */
const toLine = (code: string): string =>
  code.replace(/\s+/g, ' ').replaceAll(', }', ' }').replaceAll(', ]', ' ]');

/** The declarations of what was imported, on one line. */
export const onOneLine = ({ declarations }: Imported): string => toLine(declarations);

/** The code of a resource that has one field of a schema, that of the field, and what is reported. */
export const fieldOf = async (field: Schema, schemas: Schema = {}, rest: Schema = {}) => {
  const imported = await importOf(documentOf({ '/v1/things': list(resourceOf({ field })) }, schemas, rest));
  expect(apisOf(imported)).toHaveLength(1);
  const code = toLine(imported.declarations);
  const [, printed = ''] = /field: z\.optional\((.*?)\) \}\);/.exec(code) ?? [];
  return { printed, code, unfit: imported.unfit };
};

/** The declared endpoint of an operation, without its first two arguments, and what is reported of it. */
export const endpointOf = async (method: string, operation: Schema, path = '/v1/op') => {
  const whole = { operationId: 'op', responses: { 204: {} }, ...operation };
  const imported = await importOf(documentOf({ [path]: { [method]: whole } }));
  // What does not run, or no mock takes, is no declaration.
  for (const api of apisOf(imported)) createMock(api);
  evaluate(imported);
  const code = imported.declarations.replace(/\s+/g, ' ');
  const [, options] = /endpoint\('\w+', '[^']+'(?:, \{ (.*?),? \})?\)/.exec(code) ?? [];
  return { options, code, unfit: imported.unfit.map((one) => one.replace('shopAPI.op: ', '')) };
};
