import { header, operationMethods } from '../../conventions.ts';
import { conventions, type ListForm, type WholeFamily } from '../../families/family.ts';
import { isObject } from '../../options.ts';
import type { BodySchemas } from '../../schema/collection.ts';
import { type Exchange, isSameResource, type Json, recordsPathIn, sentStatus, valueIn } from '../exchange.ts';
import { blockedBy, cannotTell, demand, demandNoBody, demandStatus, requireSuccess } from '../judgement.ts';
import { changeOf, markerIn } from '../marker.ts';
import { by, reasons, rule } from '../rule.ts';
import { nameOf, showNames } from '../shown.ts';
import type { Made, Writer } from '../writer.ts';

/** Compares the marker alone: a server may set other fields itself. */
const demandKept = (exchange: Exchange, sent: Json, expected: string): void => {
  const marker = markerIn(JSON.stringify(sent));
  const isKept = marker === undefined || exchange.body.includes(marker);
  demand(isKept, exchange, expected, 'a value other than the one that was sent', 'fatal');
};

const changeable = async ({ subject, made }: Writer, ...bodies: (keyof BodySchemas)[]): Promise<Made> => {
  const resource = await made();
  const own = bodies.find((name) => subject.options.bodies?.[name] !== undefined);
  return own === undefined ? resource : cannotTell(`${operationMethods[own]} has a body of its own`);
};

type Change = 'replace' | 'update' | 'delete';

/** Sends a change and judges its response. False for a 202: the change may come later. */
const isDone = async ({ subject }: Writer, operation: Change, url: string, body?: Json): Promise<boolean> => {
  const method = operationMethods[operation];
  const exchange = await subject.send({ method, url, ...(body && { body: JSON.stringify(body) }) });
  if (exchange.status === 403) cannotTell(`the request got 403: this user may not ${operation} it`);
  // The client takes any success for one, but for a resource that is missing.
  const isTaken = exchange.status < 300 && exchange.missing === undefined;
  demandStatus(exchange, [204, 202], '', isTaken ? 'minor' : 'fatal');
  demandNoBody(exchange);
  return exchange.status === 204;
};

const demandLocation = async ({ subject }: Writer, { exchange, url }: Made): Promise<void> => {
  const location = exchange.headers.get(header.location);
  demand(location !== null, exchange, 'a `Location` with the URI of the new resource', 'no `Location`');
  const target = subject.linkTarget(exchange, 'a `Location`', location);
  // The new resource was found there. The response to a GET of it is judged by §4.2 GET and §2.1 id.
  if (target.href === url) return;
  const found = await subject.send({ url: target.href });
  const isSame = found.status === 200 && valueIn(found, 'id') === valueIn(exchange, 'id');
  demand(isSame, found, 'a `Location` that leads to the new resource', `${sentStatus(found)}`);
};

/** What a response has in place of a list, and what to declare where the list is in another place. */
const describeOther = (exchange: Exchange, family: WholeFamily = conventions): string => {
  const { json } = exchange;
  if (Array.isArray(json)) return 'an array of something else';
  const { items = '' }: ListForm = family.list;
  const path = recordsPathIn(exchange);
  if (path === undefined) return `a value of the type ${typeof json}`;
  if (items === '')
    return `an object with the list at \`${path}\`: declare family({ list: { items: '${path}' } })`;
  const none = `no list at \`${items}\`, where the family of the API has it`;
  return path === ''
    ? `${none}: the response is the list itself; correct list.items of family(), or declare pageRequired`
    : `${none}, and one at \`${path}\`: correct list.items of family()`;
};

export const methods = [
  rule('§4.2 GET', 'Retrieves a resource or resources: 200.', by.list(), async (subject) => {
    const exchange = await subject.firstPage();
    const { status, json } = exchange;
    if (status === 401 || status === 403) cannotTell(`${nameOf(exchange.request)} got ${status}`);
    if (status === 304) blockedBy('§7.1 304');
    demandStatus(exchange, [200], '', 'fatal');
    const first: unknown = Array.isArray(json) ? json[0] : undefined;
    if (!subject.has('get') || !isObject(first)) return;
    const item = await subject.get(subject.itemUrl(first));
    if (item.status === 403) cannotTell(`${nameOf(item.request)} got 403`);
    demandStatus(item, [200], 'for a resource of the list', 'fatal');
    demand(isSameResource(item, first), item, 'the resource with this id', 'another body', 'fatal');
  }),
  rule('§4.2 bare arrays', 'The body of a list is a JSON array.', by.list(), async (subject) => {
    const exchange = requireSuccess(await subject.firstPage());
    const { json } = exchange;
    const isList = Array.isArray(json) && json.every(isObject);
    demand(isList, exchange, 'a JSON array of resources', describeOther(exchange, subject.family), 'fatal');
  }),
  rule('§4.2 POST', 'Creates: 201 with Location and the resource, or 202.', by.writes(), async (writer) => {
    const made = await writer.made();
    const { exchange, sent } = made;
    if (exchange.status === 202) return;
    demandStatus(exchange, [201], 'or 202', 'fatal');
    const hasId = valueIn(exchange, 'id') !== undefined;
    demand(hasId, exchange, 'a body with the created resource', 'another body', 'fatal');
    demandKept(exchange, sent, 'the created resource as it was sent');
    await demandLocation(writer, made);
  }),
  rule('§4.2 bulk requests', 'A POST of a JSON array creates all of it or nothing.', {
    unseen: 'bulk requests are not sent, because it is not certain that all they create can be removed',
  }),
  rule('§4.2 PUT', 'Replaces a resource: 204 or 202, no body.', by.writes('replace'), async (writer) => {
    const { url, sent } = await changeable(writer, 'replace', 'create');
    const body = { ...sent, ...changeOf(sent, 'put') };
    if (!(await isDone(writer, 'replace', url, body))) return;
    const found = requireSuccess(await writer.subject.send({ url }));
    demandKept(found, body, 'the resource as PUT sent it');
  }),
  rule('§4.2 PATCH', 'Updates a resource: 204 or 202, no body.', by.writes('update'), async (writer) => {
    const { url } = await changeable(writer, 'update');
    const { request, json: before } = requireSuccess(await writer.subject.send({ url }));
    if (!isObject(before)) return cannotTell(`the response to ${nameOf(request)} is not a resource`);
    const change = changeOf(before, 'patch');
    if (Object.keys(change).length === 0) cannotTell('no field of the resource has the marker');
    if (!(await isDone(writer, 'update', url, change))) return;
    const found = requireSuccess(await writer.subject.send({ url }));
    demandKept(found, change, 'the field as PATCH sent it');
    const gone = Object.keys(before).filter((field) => valueIn(found, field) === undefined);
    demand(
      gone.length === 0,
      found,
      'the other fields as they were',
      `the resource without ${showNames(gone)}`,
    );
  }),
  rule('§4.2 DELETE', 'Deletes a resource: 204 or 202, no body.', by.writes(), async (writer) => {
    const { url } = await writer.create();
    if (!(await isDone(writer, 'delete', url))) return;
    const found = await writer.subject.send({ url });
    const unknown = await writer.subject.unknownItem();
    if (found.status === unknown.status && found.status !== 404) blockedBy('§7.1 404');
    demandStatus(found, [404], 'for a resource that was deleted');
  }),
  rule('§4.2 OPTIONS', '200, no body; Accept lists the methods.', by.list(), async (subject) => {
    const exchange = await subject.send({ method: 'OPTIONS' });
    demandStatus(exchange, [200]);
    demandNoBody(exchange);
    const accept = exchange.headers.get(header.accept) ?? '';
    const listed = accept.split(',').map((name) => name.trim().toUpperCase());
    const declared = (['list', 'create'] as const).filter((operation) => subject.has(operation));
    const methods = declared.map((operation) => operationMethods[operation]);
    const lacking = methods.filter((method) => !listed.includes(method));
    const expected = `an \`Accept\` that lists ${methods.join(', ')}`;
    const found = accept === '' ? 'no `Accept`' : `an \`Accept\` without ${lacking.join(', ')}`;
    demand(lacking.length === 0, exchange, expected, found);
  }),
  rule('§4.2 HEAD', 'Not supported: 405.', by.collection, async (subject) => {
    demandStatus(await subject.send({ method: 'HEAD' }), [405]);
  }),
  rule('§4.2 TRACE', 'Disallowed: 405.', reasons.unsendable),
  rule('§4.2 TRACK', 'Disallowed: 405.', reasons.unsendable),
  rule('§4.2 endpoints of individual APIs', 'Endpoints beyond the token endpoint.', reasons.notShown),
] as const;
