import { errorItemCode, header, jsonType, operationMethods } from '../../conventions.ts';
import type { BodySchemas } from '../../schema/collection.ts';
import { isIdentityField } from '../../schema/resource.ts';
import type { Schema } from '../../schema/types/shape.ts';
import { fieldsOf } from '../../schema/zod.ts';
import { fits } from '../data.ts';
import { type Exchange, errorItemsOf, type Json, valueIn } from '../exchange.ts';
import { type Checks, cannotTell, demand, demandNoBody, demandStatus, some } from '../judgement.ts';
import {
  demandRefusal,
  getUnknown,
  linkTarget,
  needs,
  needsNo500,
  needsSuccess,
  resourceOf,
} from '../subject.ts';
import { hasMarker, type Made, markerIn, markerStart, type Writer } from '../writer.ts';

/**
 * Demands that a resource has the marker that was sent. Its other fields are not compared: a server may set some of them
 * itself.
 */
const demandKept = (exchange: Exchange, sent: Json, expected: string): void => {
  const marker = markerIn(JSON.stringify(sent));
  const isKept = marker === undefined || hasMarker(exchange.body, marker);
  demand(isKept, exchange, expected, 'a value other than the one that was sent');
};

/** The resource to change. The check ends if one of these bodies has a schema of its own. */
const changed = async (
  { subject, made }: Writer,
  operation: 'replace' | 'update',
  bodies: readonly (keyof BodySchemas)[],
): Promise<Made> => {
  needs(subject, operation);
  const resource = await made();
  const own = bodies.find((name) => subject.options.bodies?.[name] !== undefined);
  return own === undefined ? resource : cannotTell(`${operationMethods[own]} has a body of its own`);
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

/** What was sent to create the resource of this run. The check ends unless it was created. */
const needsCreation = async (writer: Writer): Promise<Json> => {
  const { exchange, sent } = await writer.made();
  if (exchange.status !== 201) cannotTell(`the POST got ${exchange.status}`);
  return sent;
};

const postInvalid = (writer: Writer, body: Json): Promise<Exchange> =>
  writer.post({ body: JSON.stringify(body), isInvalid: true });

/** A body, and those of its fields that an invalid body may change. The field with the marker is not among them. */
const changeable = async (writer: Writer, isChanged: (schema: Schema, value: unknown) => boolean) => {
  await needsCreation(writer);
  const body = await writer.body();
  const fields = Object.entries(fieldsOf(writer.schema) ?? {})
    .filter(([name, schema]) => isChanged(schema, body[name]))
    .map(([name]) => name)
    .filter((name) => !JSON.stringify(body[name]).includes(markerStart));
  return { body, fields };
};

/** Sends a body without its required fields, except the marker. A server may set some of them itself, but not all. */
const missing = async (writer: Writer) => {
  const isRequired = (schema: Schema, value: unknown): boolean =>
    value !== undefined && !fits(schema, undefined);
  const { body, fields } = await changeable(writer, isRequired);
  const removed = some(fields, 'no field of a body is required');
  const left = Object.entries(body).filter(([name]) => !removed.includes(name));
  return { fields: removed, exchange: await postInvalid(writer, Object.fromEntries(left)) };
};

/** The codes of the items for these fields, and for fields below them. */
const codesFor = (exchange: Exchange, fields: readonly string[]): readonly unknown[] =>
  errorItemsOf(exchange)
    .filter(({ field }) => fields.includes(String(field).split('.')[0] ?? ''))
    .map(({ code }) => code);

const demandLocation = async (writer: Writer, { exchange, url }: Made): Promise<void> => {
  const location = exchange.headers.get(header.location);
  demand(location !== null, exchange, 'a `Location` with the URI of the new resource', 'no `Location`');
  const target = linkTarget(writer.subject, exchange, 'a `Location`', location);
  // The new resource was found there. The response to a GET of it is judged by §4.2 GET and §2.1 id.
  if (target.href === url) return;
  const found = await writer.subject.send({ url: target.href });
  const isSame = found.status === 200 && valueIn(found, 'id') === valueIn(exchange, 'id');
  demand(isSame, found, '`Location` leads to the new resource', `${found.status}`);
};

const isString = (value: unknown): value is string => typeof value === 'string';

const isMarker = (value: unknown): boolean => isString(value) && value.startsWith(markerStart);

/** The rules of writing (§4.2, §7). What is sent is a copy of a resource, and is removed. */
export const writeChecks = {
  '§4.2 POST': async (writer) => {
    const made = await writer.made();
    const { exchange, sent } = made;
    if (exchange.status === 202) return;
    demandStatus(exchange, [201], 'or 202');
    const hasId = valueIn(exchange, 'id') !== undefined;
    demand(hasId, exchange, 'a body with the created resource', 'another body');
    demandKept(exchange, sent, 'the created resource as it was sent');
    await demandLocation(writer, made);
  },
  '§7.2.2': async (writer) => {
    await needsCreation(writer);
    const exchange = await writer.post({ body: '{', isInvalid: true });
    demandRefusal(exchange, 'JSON that cannot be parsed');
    if (typeof valueIn(exchange, 'message') !== 'string') cannotTell('see §2.3 message');
  },
  '§7.2.3': async (writer) => {
    const { fields, exchange } = await missing(writer);
    demandRefusal(exchange, `a body without ${fields.join(', ')}`);
    const named = [...new Set(errorItemsOf(exchange).map(({ field }) => field))];
    if (named.length > 0 && !named.some(isString)) cannotTell('see §2.3 errors[].field');
    const found = named.length === 0 ? 'no `errors`' : `\`errors\` names ${named.join(', ')}`;
    const isNamed = codesFor(exchange, fields).length > 0;
    demand(isNamed, exchange, `\`errors\` names ${fields.join(', ')}`, found);
  },
  '§7.2.4': async (writer) => {
    const { missingField, invalid } = errorItemCode;
    const lacking = await missing(writer);
    if (lacking.exchange.status !== 400) cannotTell('see §7.2.3');
    const codes = some(codesFor(lacking.exchange, lacking.fields), 'see §7.2.3');
    if (!codes.some(isString)) cannotTell('see §2.3 errors[].code');
    demand(codes.includes(missingField), lacking.exchange, `the code ${missingField}`, codes.join(', '));
    const takesNoNumber = (schema: Schema, value: unknown): boolean => isString(value) && !fits(schema, 5);
    const { body, fields } = await changeable(writer, takesNoNumber);
    if (fields.length === 0) return;
    const numbers = Object.fromEntries(fields.map((name) => [name, 5]));
    const wrong = await postInvalid(writer, { ...body, ...numbers });
    if (wrong.status < 300) cannotTell(`the server takes a number as ${fields.join(', ')}`);
    demandRefusal(wrong, `a number as ${fields.join(', ')}`);
    const found = codesFor(wrong, fields);
    demand(found.includes(invalid), wrong, `the code ${invalid}`, found.join(', ') || 'none');
  },
  '§7.1 415': async (writer) => {
    const body = JSON.stringify(await needsCreation(writer));
    const headers = { [header.contentType]: 'text/x-restkin-doctor' };
    const exchange = await writer.post({ body, headers, isInvalid: true });
    needsNo500(exchange, 'the content type');
    demandStatus(exchange, [415], 'for a content type that is not supported');
  },
  '§7.1 405': async (writer) => {
    await needsCreation(writer);
    const { url, sent } = await writer.made();
    const exchange = await writer.post({ url, body: JSON.stringify(sent), isInvalid: true });
    needsNo500(exchange, 'the method');
    demandStatus(exchange, [405], 'for POST to a resource');
  },
  '§4.2 PUT': async (writer) => {
    const { url, sent } = await changed(writer, 'replace', ['replace', 'create']);
    const body = writer.changed(sent);
    if (!(await isDone(writer, 'replace', url, body))) return;
    const found = needsSuccess(await writer.subject.send({ url }));
    demandKept(found, body, 'the resource as PUT sent it');
  },
  '§4.2 PATCH': async (writer) => {
    const { url } = await changed(writer, 'update', ['update']);
    const before = resourceOf(await writer.subject.send({ url }));
    const strings = Object.entries(before).filter(
      ([field, one]) => typeof one === 'string' && !isIdentityField(field),
    );
    const fields = some(strings, 'no field has a value of its own');
    const [name, value] = fields.find(([, one]) => isMarker(one)) ?? fields[0];
    const change = { [name]: isMarker(value) ? `${String(value)}-patch` : value };
    if (!(await isDone(writer, 'update', url, change))) return;
    const found = needsSuccess(await writer.subject.send({ url }));
    demandKept(found, change, 'the field as PATCH sent it');
    const gone = Object.keys(before).filter((field) => valueIn(found, field) === undefined);
    demand(gone.length === 0, found, 'the other fields as they were', `${gone.join(', ')} is gone`);
  },
  '§4.2 DELETE': async (writer) => {
    const { url } = await writer.made();
    if (!(await isDone(writer, 'delete', url))) return;
    const found = await writer.subject.send({ url });
    const unknown = await getUnknown(writer.subject);
    if (found.status === unknown.status && found.status !== 404) cannotTell('see §7.1 404');
    demandStatus(found, [404], 'for what was deleted');
  },
} as const satisfies Checks<Writer>;
