import { type ErrorItem, errorItemCode } from '../src/conventions/error-body.ts';
import { header } from '../src/conventions/headers.ts';
import type { BulkOptions } from '../src/schema/collection.ts';
import { readJson } from './body.ts';
import type { Binding, Endpoint } from './endpoints.ts';
import { jsonAnswer, Refusal } from './error-answer.ts';
import { type Described, isObject, type Json } from './fields.ts';
import { refuseQuery } from './query.ts';
import { type Call, findRow } from './read.ts';
import { representRow, selfOf, wholeResource } from './represent.ts';
import { putRow } from './store.ts';
import { bodySchemaOf, findErrors, fits, normalise } from './validate.ts';

const invalidMessage = 'The request body is not valid';

const emptyAnswer = ({ request, world }: Call): Response =>
  new Response(null, { status: world.acceptedMethods.has(request.method) ? 202 : 204 });

const toResource = (body: unknown, { route }: Call): Json => {
  if (!isObject(body)) throw new Refusal(400, 'The request body must be a JSON object');
  // An object stays one.
  return normalise(body, route.endpoint.resource) as Json;
};

const readBody = async (call: Call): Promise<Json> => toResource(await readJson(call.request), call);

/** The relations that lead nowhere. */
const findLoose = (value: unknown, at: Described, path: string, endpoint: Endpoint): readonly ErrorItem[] => {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => findLoose(item, at, `${path}.${index}`, endpoint));
  }
  if (!isObject(value)) return [];
  if (at.target !== undefined) {
    const holder = endpoint.related(at.target);
    const isLoose = holder !== undefined && !holder.table.rows.has(String(value.id));
    const message = `There is no such ${holder?.key ?? ''} resource`;
    return isLoose ? [{ field: `${path}.id`, code: errorItemCode.invalid, message }] : [];
  }
  return [...(at.fields ?? [])].flatMap(([name, field]) =>
    findLoose(value[name], field, path === '' ? name : `${path}.${name}`, endpoint),
  );
};

/** @throws {@link Refusal} 400 with one item per field in error (§7.2.3) */
const checkResource = async (value: Json, changed: Json, endpoint: Endpoint): Promise<void> => {
  const items = await findErrors(bodySchemaOf(endpoint.collection.resource), value);
  if (items.length > 0) throw new Refusal(400, invalidMessage, items);
  const loose = findLoose(changed, endpoint.resource, '', endpoint);
  if (loose.length > 0) throw new Refusal(400, invalidMessage, loose);
};

const refuseId = (message: string): never => {
  throw new Refusal(400, invalidMessage, [{ field: 'id', code: errorItemCode.invalid, message }]);
};

const toId = (text: string, schema: Described | undefined): unknown =>
  schema !== undefined && !fits(schema.core, text) ? Number(text) : text;

const boundValue = ({ parameter, field, target }: Binding, { route, values }: Call): unknown => {
  const text = values.parameters.get(parameter) ?? '';
  if (target === undefined) return toId(text, route.endpoint.resource.fields?.get(field));
  const holder = route.endpoint.related(target.core);
  const row = holder?.table.rows.get(text);
  if (holder !== undefined && row === undefined) {
    throw new Refusal(404, `There is no ${holder.key} resource with the id ${JSON.stringify(text)}`);
  }
  return { id: row?.id ?? toId(text, target.fields?.get('id')) };
};

/** What is made below a path belongs there: `companies/3/orders` sets the company. */
const bind = (value: Json, call: Call): Json => ({
  ...value,
  ...Object.fromEntries(
    call.route.endpoint.bindings.map((binding) => [binding.field, boundValue(binding, call)]),
  ),
});

const store = (value: Json, { route, world }: Call) => {
  world.revision.count += 1;
  return putRow(route.endpoint.table, value, world.clock.now());
};

const checkNew = async (body: unknown, call: Call): Promise<Json> => {
  const { endpoint } = call.route;
  const value = bind(toResource(body, call), call);
  await checkResource(value, value, endpoint);
  if (value.id !== undefined && endpoint.table.rows.has(String(value.id))) {
    refuseId('There is a resource with this id');
  }
  return value;
};

const createOne = async (body: unknown, call: Call): Promise<Response> => {
  const { route, url, world } = call;
  const row = store(await checkNew(body, call), call);
  if (world.acceptedMethods.has('POST')) return new Response(null, { status: 202 });
  const below = `${url.origin}${url.pathname}/${encodeURIComponent(String(row.id))}`;
  const location = selfOf(route.endpoint.home, row.id, route.base) ?? below;
  const representation = JSON.stringify(representRow(row, route.endpoint, wholeResource, route.base));
  return jsonAnswer(201, representation, { [header.location]: location });
};

/** The items of a bulk body, each checked; all of them, or none (§8). */
const checkMany = async (
  items: readonly unknown[],
  { maxItems, maxBytes }: BulkOptions,
  call: Call,
): Promise<Json[]> => {
  const bytes = new TextEncoder().encode(JSON.stringify(items)).length;
  if (items.length > (maxItems ?? items.length) || bytes > (maxBytes ?? bytes)) {
    throw new Refusal(413, 'The bulk request is too large');
  }
  const values: Json[] = [];
  const errors: ErrorItem[] = [];
  for (const [index, item] of items.entries()) {
    try {
      values.push(await checkNew(item, call));
    } catch (error) {
      if (!(error instanceof Refusal) || error.items === undefined) throw error;
      errors.push(...error.items.map((inner) => ({ ...inner, field: `${index}.${inner.field}` })));
    }
  }
  if (errors.length > 0) throw new Refusal(400, invalidMessage, errors);
  return values;
};

/** POST: 201 with Location and the created resource, or 202 without it (§4.2); a list where bulk is declared (§8). */
export const create = async (call: Call): Promise<Response> => {
  refuseQuery(call.url.searchParams);
  const body = await readJson(call.request);
  const { bulk } = call.route.endpoint.collection.options;
  if (bulk === undefined || !Array.isArray(body)) return createOne(body, call);
  const rows = (await checkMany(body, bulk, call)).map((value) => store(value, call));
  if (call.world.acceptedMethods.has('POST')) return new Response(null, { status: 202 });
  const { endpoint, base } = call.route;
  return jsonAnswer(201, JSON.stringify(rows.map((row) => representRow(row, endpoint, wholeResource, base))));
};

const checkSameId = (value: Json, call: Call): void => {
  if (value.id !== undefined && String(value.id) !== call.values.id)
    refuseId('The id of a resource cannot change');
};

/** PUT: replaces the entire resource (§4.2). */
export const replace = async (call: Call): Promise<Response> => {
  refuseQuery(call.url.searchParams);
  findRow(call);
  const value = bind(await readBody(call), call);
  await checkResource(value, value, call.route.endpoint);
  checkSameId(value, call);
  // Read again: another request may have come while the body did.
  const { id } = findRow(call);
  store({ ...value, id }, call);
  return emptyAnswer(call);
};

/** Objects are merged field by field; a list, and a relation, is replaced. */
const merge = (old: unknown, change: unknown, described: Described | undefined): unknown => {
  if (!isObject(old) || !isObject(change) || described?.target !== undefined) return change;
  const merged = Object.entries(change).map(([name, inner]) => [
    name,
    Object.hasOwn(old, name) ? merge(old[name], inner, described?.fields?.get(name)) : inner,
  ]);
  return { ...old, ...Object.fromEntries(merged) };
};

/** PATCH: updates the part of the resource that the body names (§4.2). */
export const update = async (call: Call): Promise<Response> => {
  refuseQuery(call.url.searchParams);
  findRow(call);
  const change = await readBody(call);
  const { endpoint } = call.route;
  checkSameId(change, call);
  const mergeNow = (): Json => {
    const { id, value } = findRow(call);
    // Two objects make an object.
    return { ...(merge(value, change, endpoint.resource) as Json), id };
  };
  await checkResource(mergeNow(), change, endpoint);
  // Merged again: another request may have come while this one was checked.
  store(mergeNow(), call);
  return emptyAnswer(call);
};

/** DELETE (§4.2). */
export const remove = async (call: Call): Promise<Response> => {
  refuseQuery(call.url.searchParams);
  const { id } = findRow(call);
  call.world.revision.count += 1;
  call.route.endpoint.table.rows.delete(String(id));
  return emptyAnswer(call);
};
