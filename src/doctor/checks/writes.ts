import { errorItemCode, header, jsonType, operationMethods } from '../../conventions.ts';
import { isObject } from '../../schema/read-options.ts';
import type { Schema } from '../../schema/types/shape.ts';
import { fieldsOf } from '../../schema/zod.ts';
import { fits } from '../data.ts';
import type { Exchange } from '../exchange.ts';
import { type Checks, cannotTell, demand, demandNoBody, demandStatus } from '../judgement.ts';
import { demandRefusal, type Json, linkTarget, needs, needsSuccess } from '../subject.ts';
import type { Made, Writer } from '../writer.ts';

/** The resource as it is now. */
const current = async ({ subject }: Writer, url: string): Promise<Exchange> => subject.send({ url });

/**
 * Demands that a resource has the marker that was sent. Its other fields are not compared: a server may set some of them
 * itself.
 */
const demandKept = (exchange: Exchange, sent: Json, found: unknown, expected: string): void => {
  const marker = /restkin-doctor-[\w-]+/.exec(JSON.stringify(sent))?.[0];
  const isKept =
    marker === undefined ||
    JSON.stringify(found ?? null)
      .toLowerCase()
      .includes(marker);
  demand(isKept, exchange, expected, 'another value of what was sent');
};

/** The resource to change, by an operation whose body is of its fields. */
const changed = async ({ subject, made }: Writer, operation: 'replace' | 'update'): Promise<Made> => {
  needs(subject, operation);
  const resource = await made();
  if (subject.options.bodies?.[operation] === undefined) return resource;
  return cannotTell(`${operationMethods[operation]} has a body of its own`);
};

/** Sends a change and judges its response. False for a 202: the change may come later. */
const isDone = async (
  { subject }: Writer,
  operation: 'replace' | 'update' | 'delete',
  url: string,
  body?: Json,
): Promise<boolean> => {
  const sent = body && { headers: { [header.contentType]: jsonType }, body: JSON.stringify(body) };
  const exchange = await subject.send({ method: operationMethods[operation], url, ...sent });
  if (exchange.status === 403) cannotTell(`403, this user may not ${operation}`);
  demandStatus(exchange, [204, 202]);
  demandNoBody(exchange);
  return exchange.status === 204;
};

/** The error items of a refusal by their field. */
const codesOf = ({ json: body }: Exchange): ReadonlyMap<string, unknown> => {
  const errors = isObject(body) && Array.isArray(body.errors) ? body.errors.filter(isObject) : [];
  return new Map(errors.map(({ field, code }) => [String(field), code]));
};

const bodySchema = ({ subject }: Writer) => subject.options.bodies?.create ?? subject.resource;

/** Writes are allowed, and what is made can be removed. */
const needsCreation = async (writer: Writer): Promise<Json> => {
  const { exchange, sent } = await writer.made();
  if (exchange.status !== 201) cannotTell(`the POST got ${exchange.status}`);
  return sent;
};

const postInvalid = (writer: Writer, body: Json): Promise<Exchange> =>
  writer.post({ body: JSON.stringify(body), isInvalid: true });

/** A body, and the declared fields of it that an invalid body changes. The field with the marker stays as it is. */
const changeable = async (writer: Writer, isChanged: (schema: Schema, value: unknown) => boolean) => {
  await needsCreation(writer);
  const body = await writer.body();
  const fields = Object.entries(fieldsOf(bodySchema(writer)) ?? {})
    .filter(
      ([name, schema]) =>
        isChanged(schema, body[name]) && !JSON.stringify(body[name]).includes('restkin-doctor'),
    )
    .map(([name]) => name);
  return { body, fields };
};

/** A body with its marker alone: a field that a server sets itself may be missing, but not all of them. */
const missing = async (writer: Writer) => {
  const { body, fields } = await changeable(
    writer,
    (schema, value) => value !== undefined && !fits(schema, undefined),
  );
  if (fields.length === 0) cannotTell('no field of a body is required');
  const left = Object.entries(body).filter(([name]) => !fields.includes(name));
  const exchange = await postInvalid(writer, Object.fromEntries(left));
  return { fields, exchange };
};

/** The codes of the items of these fields, and of what is below them. */
const codesFor = (exchange: Exchange, fields: readonly string[]): readonly unknown[] =>
  [...codesOf(exchange)]
    .filter(([field]) => fields.includes(field.split('.')[0] ?? ''))
    .map(([, code]) => code);

const demandLocation = async (writer: Writer, { exchange }: Made): Promise<void> => {
  const location = exchange.headers.get(header.location);
  demand(location !== null, exchange, 'a `Location` with the URI of the new resource', 'no `Location`');
  const target = linkTarget(writer.subject, exchange, 'a `Location`', location);
  const found = await current(writer, target.href);
  const id = (value: unknown): unknown => (isObject(value) ? value.id : undefined);
  const isSame = found.status === 200 && id(found.json) === id(exchange.json);
  demand(isSame, found, '`Location` leads to the new resource', `${found.status}`);
};

const isMarker = (value: unknown): boolean => typeof value === 'string' && value.startsWith('restkin-doctor');

const isPatchable = (name: string, value: unknown): boolean =>
  typeof value === 'string' && name !== 'id' && name !== 'self';

/** The rules of writing (§4.2, §7). What is sent is a copy of a resource, and is removed. */
export const writeChecks = {
  '§4.2 POST': async (writer) => {
    const made = await writer.made();
    const { exchange, sent } = made;
    const { status, json: created } = exchange;
    if (status === 202) return;
    demandStatus(exchange, [201], 'or 202');
    const hasId = isObject(created) && created.id !== undefined;
    demand(hasId, exchange, 'a body with the created resource', 'another body');
    demandKept(exchange, sent, created, 'the created resource as it was sent');
    await demandLocation(writer, made);
  },
  '§7.2.2': async (writer) => {
    await needsCreation(writer);
    const exchange = await writer.post({ body: '{', isInvalid: true });
    demandRefusal(exchange, 'JSON that cannot be parsed');
    const hasMessage = isObject(exchange.json) && typeof exchange.json.message === 'string';
    if (!hasMessage) cannotTell('see §2.3 message');
  },
  '§7.2.3': async (writer) => {
    const { fields, exchange } = await missing(writer);
    demandRefusal(exchange, `a body without ${fields.join(', ')}`);
    demand(codesFor(exchange, fields).length > 0, exchange, `\`errors\` names ${fields.join(', ')}`, () => {
      const named = [...codesOf(exchange).keys()];
      return named.length === 0 ? 'no `errors`' : `\`errors\` names ${named.join(', ')}`;
    });
  },
  '§7.2.4': async (writer) => {
    const { missingField, invalid } = errorItemCode;
    const lacking = await missing(writer);
    if (lacking.exchange.status !== 400) cannotTell('see §7.2.3');
    const codes = codesFor(lacking.exchange, lacking.fields);
    if (codes.length === 0) cannotTell('see §7.2.3');
    demand(codes.includes(missingField), lacking.exchange, `the code ${missingField}`, () =>
      codes.join(', '),
    );
    const { body, fields } = await changeable(
      writer,
      (schema, value) => typeof value === 'string' && !fits(schema, 5),
    );
    if (fields.length === 0) return;
    const wrong = await postInvalid(writer, {
      ...body,
      ...Object.fromEntries(fields.map((name) => [name, 5])),
    });
    if (wrong.status < 300) cannotTell(`the server takes a number as ${fields.join(', ')}`);
    demandRefusal(wrong, `a number as ${fields.join(', ')}`);
    const found = codesFor(wrong, fields);
    demand(found.includes(invalid), wrong, `the code ${invalid}`, () => found.join(', ') || 'none');
  },
  '§7.1 415': async (writer) => {
    const body = JSON.stringify(await needsCreation(writer));
    const headers = { [header.contentType]: 'text/x-restkin-doctor' };
    const exchange = await writer.post({ body, headers, isInvalid: true });
    if (exchange.status >= 500) cannotTell(`the content type got ${exchange.status}; see §7.1 500`);
    demandStatus(exchange, [415], 'for a content type that is not supported');
  },
  '§7.1 405': async (writer) => {
    await needsCreation(writer);
    const { url, sent } = await writer.made();
    const exchange = await writer.post({ url, body: JSON.stringify(sent), isInvalid: true });
    if (exchange.status >= 500) cannotTell(`the method got ${exchange.status}; see §7.1 500`);
    demandStatus(exchange, [405], 'for POST to a resource');
  },
  '§4.2 PUT': async (writer) => {
    const { url, sent } = await changed(writer, 'replace');
    const body = writer.changed(sent);
    if (!(await isDone(writer, 'replace', url, body))) return;
    const found = needsSuccess(await current(writer, url));
    demandKept(found, body, found.json, 'the resource as PUT sent it');
  },
  '§4.2 PATCH': async (writer) => {
    const { url } = await changed(writer, 'update');
    const before = needsSuccess(await current(writer, url)).json as Json;
    const fields = Object.entries(before).filter(([field, one]) => isPatchable(field, one));
    const [name, value] = fields.find(([, one]) => isMarker(one)) ?? fields[0] ?? [];
    if (name === undefined) return cannotTell('no field has a value of its own');
    const change = { [name]: isMarker(value) ? `${String(value)}-patch` : value };
    if (!(await isDone(writer, 'update', url, change))) return;
    const found = needsSuccess(await current(writer, url));
    demandKept(found, change, found.json, 'the field as PATCH sent it');
    const kept = Object.keys(before).filter(
      (field) => !isObject(found.json) || found.json[field] === undefined,
    );
    demand(kept.length === 0, found, 'the other fields as they were', () => `${kept.join(', ')} is gone`);
  },
  '§4.2 DELETE': async (writer) => {
    const { url } = await writer.made();
    if (!(await isDone(writer, 'delete', url))) return;
    const found = await current(writer, url);
    demandStatus(found, [404], 'for what was deleted');
  },
} as const satisfies Checks<Writer>;
