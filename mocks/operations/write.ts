import { header } from '../../src/conventions.ts';
import { isObject } from '../../src/options.ts';
import type { Collection } from '../../src/schema/collection.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { coreOf, fieldOf, kindOf, targetOf } from '../../src/schema/zod.ts';
import { addressOf, rowAt } from '../collections/address.ts';
import { type Call, readJson } from '../exchange.ts';
import { invalidItem, jsonResponse } from '../message.ts';
import { isAcceptedMethod } from '../options.ts';
import { refuseQuery } from '../query/read-query.ts';
import { represent, selfOf, wholeResource } from '../represent.ts';
import type { Json } from '../rows/schema.ts';
import { putRows, type Row, removeRow } from '../rows/store.ts';
import { findRow } from './read.ts';
import {
  checkBody,
  checkResource,
  refuseItems,
  toNewResource,
  toReplacement,
  toResource,
} from './validate.ts';

/** Whether the declaration says that the server may do the work of a request later (§4.2). */
const mayBeLater = (method: string, { options, wire }: Collection): boolean => {
  if (method === 'POST') return options.accepts?.includes('create') === true;
  // A server that responds to a PUT or PATCH with the resource has done it.
  return method === 'DELETE' || wire?.family.written !== 'resource';
};

/**
 * Does checked work. The response is that of the work, or 202 where the client is told that it is done later
 * (§4.2).
 *
 * @throws {@link Refusal} 500 when the mock was reset after the request arrived
 */
const commit = (call: Call, work: (at: number) => Response): Response => {
  const { request, route, run, context } = call;
  run.throwIfAborted();
  const { method } = request;
  const isLater =
    isAcceptedMethod(context.options, method) && mayBeLater(method, route.collection.declaration);
  const response = work(context.clock.now());
  return isLater ? new Response(null, { status: 202 }) : response;
};

const noContent = (): Response => new Response(null, { status: 204 });

const refuseId = (message: string, { route }: Call): never =>
  refuseItems([invalidItem('id', message)], route.collection);

const checkSameId = ({ id }: Json, row: Row, call: Call): void => {
  if (id !== undefined && String(id) !== String(row.id)) refuseId('The id of a resource cannot change', call);
};

/**
 * @param own - the row that is written; undefined for a new one
 * @throws {@link Refusal} 400 for the address of another row below the same path
 */
const checkAddress = (value: Json, { route: { collection, parameters } }: Call, own?: Row): void => {
  const { keyField } = collection;
  const address = addressOf({ value }, collection);
  const other = address === undefined ? undefined : rowAt(collection, address, parameters);
  if (other !== undefined && other.id !== own?.id)
    refuseItems([invalidItem(keyField, `There is a resource with this ${keyField}`)], collection);
};

/**
 * POST: 201 with Location and the created resource, or 202 without it (§4.2); a list where bulk is declared
 * (§8).
 */
export const create = async (call: Call): Promise<Response> => {
  const { url, route } = call;
  const { collection, parameters } = route;
  refuseQuery(url.searchParams);
  const { isBulk, values } = checkBody(await readJson(call), call.route, (item) => {
    const value = toNewResource(item, call);
    checkResource(value, value, call);
    if (value.id !== undefined && collection.table.rows.has(String(value.id)))
      refuseId('There is a resource with this id', call);
    checkAddress(value, call);
    return value;
  });
  return commit(call, (at) => {
    const rows = putRows(collection.table, values, at, parameters);
    const shown = rows.map((row) => represent(row, wholeResource, call));
    const here = `${url.origin}${url.pathname}`;
    const [row] = rows;
    // RFC 9110 §15.3.2: the URI of the created resource, or of the collection for a bulk request.
    const location =
      isBulk || row === undefined
        ? here
        : (selfOf(row, call) ?? `${here}/${encodeURIComponent(addressOf(row, collection) ?? '')}`);
    return jsonResponse(201, JSON.stringify(isBulk ? shown : shown[0]), { [header.location]: location });
  });
};

/** PUT: replaces the entire resource (§4.2). */
export const replace = async (call: Call): Promise<Response> => {
  refuseQuery(call.url.searchParams);
  findRow(call);
  const { json: body } = await readJson(call);
  // Another request may have changed or removed it meanwhile.
  const row = findRow(call);
  const value = toReplacement(body, row.value, call);
  checkResource(value, value, call);
  checkSameId(value, row, call);
  checkAddress(value, call, row);
  return commit(call, (at) => {
    putRows(call.route.collection.table, [{ ...value, id: row.id }], at, row.below);
    return noContent();
  });
};

/** Objects are merged field by field. Lists, relations and unions are replaced. */
const merge = (old: unknown, change: unknown, schema: Schema | undefined): unknown => {
  const isWhole = schema && (targetOf(schema) !== undefined || kindOf(coreOf(schema)) === 'union');
  if (!isObject(old) || !isObject(change) || isWhole) return change;
  const merged = Object.entries(change).map(([name, inner]) => [
    name,
    Object.hasOwn(old, name) ? merge(old[name], inner, schema && fieldOf(schema, name)) : inner,
  ]);
  return { ...old, ...Object.fromEntries(merged) };
};

/** A row with the part of it that a body names, after its checks. Its id stays. */
const mergePart = (body: unknown, { id, value }: Row, call: Call): Json => {
  const { collection } = call.route;
  const part = toResource(body, call, collection.declaration.options.bodies?.update);
  // The merge of two objects is an object.
  const merged = merge(value, part, collection.resource) as Json;
  checkResource(merged, part, call);
  return { ...merged, id };
};

/** PATCH: updates the part of the resource that the body names (§4.2). */
export const update = async (call: Call): Promise<Response> => {
  refuseQuery(call.url.searchParams);
  findRow(call);
  const { json: body } = await readJson(call);
  const row = findRow(call);
  const value = mergePart(body, row, call);
  if (isObject(body)) checkSameId(body, row, call);
  checkAddress(value, call, row);
  return commit(call, (at) => {
    putRows(call.route.collection.table, [value], at, row.below);
    return noContent();
  });
};

/** DELETE (§4.2). */
export const remove = async (call: Call): Promise<Response> => {
  refuseQuery(call.url.searchParams);
  const { id } = findRow(call);
  const { table } = call.route.collection;
  return commit(call, () => {
    removeRow(table, id);
    return noContent();
  });
};
