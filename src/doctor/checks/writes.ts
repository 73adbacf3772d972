import { errorItemCode, header, jsonType } from '../../conventions.ts';
import { isObject } from '../../schema/read-options.ts';
import { fieldsOf } from '../../schema/zod.ts';
import { fits } from '../data.ts';
import type { Exchange } from '../exchange.ts';
import { type Checks, cannotTell, demand, notDeclared } from '../judgement.ts';
import { demandRefusal, type Json, linkTarget, needs, needsSuccess } from '../subject.ts';
import type { Made, Writer } from '../writer.ts';

const json = { [header.contentType]: jsonType };

/** The resource as it is now. */
const current = async ({ subject }: Writer, url: string): Promise<Exchange> => subject.send({ url });

/** The fields that were sent and can be compared: those with a value of their own. */
const scalarsOf = (body: Json): readonly (readonly [string, unknown])[] =>
  Object.entries(body).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));

const differing = (sent: Json, found: unknown): readonly string[] =>
  scalarsOf(sent)
    .filter(([name, value]) => !isObject(found) || found[name] !== value)
    .map(([name]) => name);

const demandKept = (exchange: Exchange, sent: Json, found: unknown, expected: string): void => {
  const names = differing(sent, found);
  demand(names.length === 0, exchange, expected, () => `other values of ${names.join(', ')}`);
};

const demandNoBody = (exchange: Exchange): void => {
  const { status, body } = exchange;
  demand(status === 204 || status === 202, exchange, '204 or 202', `${status}`);
  demand(body === '', exchange, 'no body', `a body of ${body.length} characters`);
};

/** The error items of a refusal by their field. */
const codesOf = ({ json: body }: Exchange): ReadonlyMap<string, unknown> => {
  const errors = isObject(body) && Array.isArray(body.errors) ? body.errors.filter(isObject) : [];
  return new Map(errors.map(({ field, code }) => [String(field), code]));
};

const bodySchema = ({ subject }: Writer) => subject.options.bodies?.create ?? subject.resource;

/** A field that a body must have. */
const requiredField = (writer: Writer, body: Json): string => {
  const fields = Object.entries(fieldsOf(bodySchema(writer)) ?? {});
  const found = fields.find(([name, schema]) => Object.hasOwn(body, name) && !fits(schema, undefined));
  return found?.[0] ?? cannotTell('no field of a body is required');
};

/** A string field, to be set to a value of another type. */
const stringField = (writer: Writer, body: Json): string => {
  const fields = Object.entries(fieldsOf(bodySchema(writer)) ?? {});
  const found = fields.find(([name, schema]) => typeof body[name] === 'string' && !fits(schema, 5));
  return found?.[0] ?? cannotTell('no field of a body is a string');
};

/** Writes are allowed, and what is made can be removed. */
const needsCreation = async (writer: Writer): Promise<Json> => {
  const { exchange, sent } = await writer.made();
  if (exchange.status !== 201) cannotTell(`the POST got ${exchange.status}`);
  return sent;
};

const postInvalid = (writer: Writer, body: Json): Promise<Exchange> =>
  writer.post({ body: JSON.stringify(body), isInvalid: true });

const without = (body: Json, name: string): Json => {
  const { [name]: _left, ...rest } = body;
  return rest;
};

const missingOne = async (writer: Writer) => {
  const body = await needsCreation(writer);
  const field = requiredField(writer, body);
  const exchange = await postInvalid(writer, without(body, field));
  demandRefusal(exchange, `a body without \`${field}\``);
  return { field, exchange };
};

const demandLocation = async (writer: Writer, { exchange }: Made): Promise<void> => {
  const location = exchange.headers.get(header.location);
  demand(location !== null, exchange, 'a `Location` with the URI of the new resource', 'no `Location`');
  const target = linkTarget(writer.subject, exchange, 'a `Location`', location);
  const found = await current(writer, target.href);
  const id = (value: unknown): unknown => (isObject(value) ? value.id : undefined);
  const isSame = found.status === 200 && id(found.json) === id(exchange.json);
  demand(isSame, found, '`Location` leads to the new resource', `${found.status}`);
};

/** The rules of writing (§4.2, §7). What is sent is a copy of a resource, and is removed. */
export const writeChecks = {
  '§4.2 POST': async (writer) => {
    const made = await writer.made();
    const { exchange, sent } = made;
    const { status, json: created } = exchange;
    if (status === 202) return;
    demand(status === 201, exchange, '201 or 202', `${status}`);
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
    const { field, exchange } = await missingOne(writer);
    const fields = [...codesOf(exchange).keys()];
    demand(fields.includes(field), exchange, `\`errors\` names ${field}`, () =>
      fields.length === 0 ? 'no `errors`' : `\`errors\` names ${fields.join(', ')}`,
    );
  },
  '§7.2.4': async (writer) => {
    const { field, exchange } = await missingOne(writer);
    const codes = codesOf(exchange);
    if (!codes.has(field)) cannotTell('see §7.2.3');
    const { missingField, invalid } = errorItemCode;
    demand(codes.get(field) === missingField, exchange, `the code ${missingField} for ${field}`, () =>
      String(codes.get(field)),
    );
    const body = await writer.body();
    const string = stringField(writer, body);
    const wrong = await postInvalid(writer, { ...body, [string]: 5 });
    demandRefusal(wrong, `a number as \`${string}\``);
    const found = codesOf(wrong).get(string);
    demand(found === invalid, wrong, `the code ${invalid} for ${string}`, () => String(found ?? 'none'));
  },
  '§7.1 415': async (writer) => {
    const body = JSON.stringify(await needsCreation(writer));
    const headers = { [header.contentType]: 'text/x-restkin-doctor' };
    const exchange = await writer.post({ body, headers, isInvalid: true });
    if (exchange.status >= 500) cannotTell(`the content type got ${exchange.status}; see §7.1 500`);
    demand(
      exchange.status === 415,
      exchange,
      '415 for a content type that is not supported',
      `${exchange.status}`,
    );
  },
  '§7.1 405': async (writer) => {
    await needsCreation(writer);
    const { url, sent } = await writer.made();
    const exchange = await writer.post({ url, body: JSON.stringify(sent), isInvalid: true });
    if (exchange.status >= 500) cannotTell(`the method got ${exchange.status}; see §7.1 500`);
    demand(exchange.status === 405, exchange, '405 for POST to a resource', `${exchange.status}`);
  },
  '§4.2 PUT': async (writer) => {
    needs(writer.subject, 'replace');
    const { url, sent } = await writer.made();
    if (writer.subject.options.bodies?.replace !== undefined) cannotTell('PUT has a body of its own');
    const body = writer.changed(sent);
    const exchange = await writer.subject.send({
      method: 'PUT',
      url,
      headers: json,
      body: JSON.stringify(body),
    });
    if (exchange.status === 403) cannotTell('403, this user may not replace');
    demandNoBody(exchange);
    if (exchange.status === 202) return;
    const found = needsSuccess(await current(writer, url));
    demandKept(found, body, found.json, 'the resource as PUT sent it');
  },
  '§4.2 PATCH': async (writer) => {
    needs(writer.subject, 'update');
    const { url } = await writer.made();
    if (writer.subject.options.bodies?.update !== undefined) cannotTell('PATCH has a body of its own');
    const before = needsSuccess(await current(writer, url)).json as Json;
    const scalars = scalarsOf(without(without(before, 'id'), 'self'));
    const [name, value] =
      scalars.find(([, one]) => String(one).startsWith('restkin-doctor')) ?? scalars[0] ?? [];
    if (name === undefined) return notDeclared('no field has a value of its own');
    const isMarker = String(value).startsWith('restkin-doctor');
    const change = { [name]: isMarker ? `${String(value)}-patch` : value };
    const exchange = await writer.subject.send({
      method: 'PATCH',
      url,
      headers: json,
      body: JSON.stringify(change),
    });
    if (exchange.status === 403) cannotTell('403, this user may not update');
    demandNoBody(exchange);
    if (exchange.status === 202) return;
    const found = needsSuccess(await current(writer, url));
    demandKept(found, change, found.json, 'the field as PATCH sent it');
    const kept = Object.keys(before).filter(
      (field) => !isObject(found.json) || found.json[field] === undefined,
    );
    demand(kept.length === 0, found, 'the other fields as they were', () => `${kept.join(', ')} is gone`);
  },
  '§4.2 DELETE': async (writer) => {
    const { url } = await writer.made();
    const exchange = await writer.subject.send({ method: 'DELETE', url });
    if (exchange.status === 403) cannotTell('403, this user may not delete');
    demandNoBody(exchange);
    if (exchange.status === 202) return;
    const found = await current(writer, url);
    demand(found.status === 404, found, '404 for what was deleted', `${found.status}`);
  },
} as const satisfies Checks<Writer>;
