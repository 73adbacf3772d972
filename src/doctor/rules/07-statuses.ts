import { errorItemCode, header, pathSeparator } from '../../conventions.ts';
import { fieldOf } from '../../schema/zod.ts';
import { fits } from '../data.ts';
import { type Exchange, errorItemsOf, linksOf, sentStatus, valueIn } from '../exchange.ts';
import {
  blockedBy,
  cannotTell,
  demand,
  demandNoBody,
  demandRefusal,
  demandStatus,
  requireSuccess,
  some,
  type Weight,
} from '../judgement.ts';
import { markerStart } from '../marker.ts';
import { by, judgedAs, reasons, rule } from '../rule.ts';
import { showNames, showUrl } from '../shown.ts';
import type { Subject } from '../subject.ts';
import type { Writer } from '../writer.ts';

const sendInvalid = async (writer: Writer, request: Parameters<Writer['post']>[0]): Promise<Exchange> => {
  const made = (await writer.made()).exchange;
  if (made.status !== 201) cannotTell(`the POST got ${sentStatus(made)}`);
  const exchange = await writer.post({ ...request, isInvalid: true });
  return exchange.status >= 500 ? blockedBy('§7.1 500') : exchange;
};

/** The fields that a server may take from the path: of `companies/:companyId/orders`, `company`. */
const fieldsInPath = ({ parameters = {} }: Subject): readonly string[] =>
  Object.keys(parameters).flatMap((name) => [name, name.replace(/Id$/, '')]);

/**
 * Sends a body without its required fields, except the marker and those in the path. A server may set some of
 * them itself, but not all.
 */
const sendIncomplete = async (writer: Writer) => {
  const body = await writer.body();
  const inPath = fieldsInPath(writer.subject);
  const required = Object.keys(body).filter((name) => {
    const schema = fieldOf(writer.schema, name);
    const isMarked = JSON.stringify(body[name] ?? '').includes(markerStart);
    const isRequired = schema !== undefined && !fits(schema, undefined);
    return isRequired && !isMarked && !inPath.includes(name);
  });
  const fields = some(required, 'no field of a body is required');
  const left = Object.fromEntries(Object.entries(body).filter(([name]) => !fields.includes(name)));
  const exchange = await sendInvalid(writer, { body: JSON.stringify(left) });
  // An item may be for a field below one that is missing.
  const items = errorItemsOf(exchange).filter(({ field }) =>
    fields.includes(String(field).split(pathSeparator, 1)[0] ?? ''),
  );
  return { fields, exchange, codes: items.map(({ code }) => code) };
};

const isString = (value: unknown): boolean => typeof value === 'string';

const checkCodes = async (writer: Writer): Promise<void> => {
  const { missingField } = errorItemCode;
  const { exchange, codes } = await sendIncomplete(writer);
  if (exchange.status !== 400 || codes.length === 0) blockedBy('§7.2.3');
  if (!codes.some(isString)) blockedBy('§2.3 errors[].code');
  demand(codes.includes(missingField), exchange, `the code ${missingField}`, showNames(codes));
};

/** §7 Errors, §8 Limits but those of tokens, and §9 Versioning. */
export const statuses = [
  rule('§7.1 200', 'GET: success.', judgedAs('§4.2 GET')),
  rule('§7.1 201', 'POST only: resource created.', judgedAs('§4.2 POST')),
  rule('§7.1 202', 'Validated, and processed asynchronously.', judgedAs('§4.2 POST, PUT, PATCH and DELETE')),
  rule('§7.1 204', 'Synchronous success without a response body.', judgedAs('§4.2 PUT, PATCH and DELETE')),
  rule('§7.1 304', 'Unchanged; only after If-None-Match or Modified-Since.', by.list(), async (subject) => {
    const plain = await subject.firstPage();
    demand(plain.status !== 304, plain, 'no 304 without a condition', '304');
    const { records } = await subject.firstRecords();
    const url = subject.has('get') ? subject.itemUrl(records[0]) : subject.url();
    const exchange = requireSuccess(await subject.get(url));
    const etag = exchange.headers.get(header.etag);
    if (etag === null) return cannotTell('the response has no ETag');
    const same = await subject.get(url, { [header.ifNoneMatch]: etag });
    demandStatus(same, [304], 'for If-None-Match with the ETag of the resource');
    demandNoBody(same);
    const other = await subject.get(url, { [header.ifNoneMatch]: '"restkin-doctor"' });
    demandStatus(other, [200], 'for If-None-Match with another ETag');
  }),
  rule('§7.1 304 without If-Modified-Since', 'If-Modified-Since alone gets no 304.', reasons.permitted),
  rule('§7.1 400', 'A parameter or a body is invalid.', by.list('paging'), async (subject) => {
    await subject.list();
    await subject.demandRefused({ page: 'none' }, 'an invalid `page`');
  }),
  rule('§7.1 403', 'Not authorised for the operation.', { unseen: 'it depends on the user' }),
  rule('§7.1 404', 'The requested resource does not exist.', by.list('get'), async (subject) => {
    const exchange = await subject.unknownItem();
    if (exchange.status >= 500) blockedBy('§7.1 500');
    demandStatus(exchange, [404], 'for a resource that does not exist');
  }),
  rule('§7.1 405', 'A method that the resource does not support.', by.writes(), async (writer) => {
    const { url } = await writer.made();
    const exchange = await sendInvalid(writer, { url, body: JSON.stringify(await writer.body()) });
    demandStatus(exchange, [405], 'for POST to a resource');
  }),
  rule('§7.1 406', 'The client does not accept the content type.', judgedAs('§4.3.4')),
  rule('§7.1 413', 'Bulk requests: too many bytes or items.', reasons.overLimit),
  rule('§7.1 413 without bulk', 'A single resource of any size does not get 413.', reasons.overLimit),
  rule('§7.1 415', 'The content type of the request is not supported.', by.writes(), async (writer) => {
    const headers = { [header.contentType]: 'text/x-restkin-doctor' };
    const exchange = await sendInvalid(writer, { body: JSON.stringify(await writer.body()), headers });
    demandStatus(exchange, [415], 'for a content type that is not supported');
  }),
  rule('§7.1 429', 'The throttling limit is reached.', reasons.throttled),
  rule('§7.1 503', 'Service unavailable, during an outage.', { unseen: 'it needs an outage' }),
  rule('§7.2.2', 'Every error body has `message`, also for invalid JSON.', by.writes(), async (writer) => {
    const exchange = await sendInvalid(writer, { body: `{"${markerStart}json` });
    demandRefusal(exchange, 'JSON that cannot be parsed');
    if (!isString(valueIn(exchange, 'message'))) blockedBy('§2.3 message');
  }),
  rule('§7.2.3', 'Validation failures have `errors` with each field.', by.writes(), async (writer) => {
    const { fields, exchange, codes } = await sendIncomplete(writer);
    demandRefusal(exchange, `a body without ${fields.join(', ')}`);
    const named = [...new Set(errorItemsOf(exchange).map(({ field }) => field))];
    if (named.length > 0 && !named.some(isString)) blockedBy('§2.3 errors[].field');
    const found = named.length === 0 ? 'no `errors`' : `\`errors\` that name ${showNames(named)}`;
    demand(codes.length > 0, exchange, `\`errors\` that name ${fields.join(', ')}`, found);
  }),
  rule('§7.2.4', 'Codes of items: `missingField` and `invalid`.', by.writes(), checkCodes),
  rule('§7.2.6', 'Complete list of item codes.', reasons.notShown),
  rule('§8 throttling', 'A threshold that is not shown; above it 429.', reasons.throttled),
  rule('§8 page size', 'A default, and perhaps a maximum.', judgedAs('§4.4 perPage and §4.5.3')),
  rule('§8 bulk', 'A maximum that is not shown; above it 413.', reasons.overLimit),
  rule('§9.1', 'APIs are released under semantic versioning.', reasons.forReleases),
  rule('§9.2', 'Minor and patch releases are backwards compatible.', reasons.forReleases),
  rule('§9.3', 'The path begins with the major version.', by.list(), async (subject) => {
    const { exchange, records } = await subject.list();
    const { root } = subject;
    const demandBelow = (link: unknown, weight: Weight): void => {
      if (typeof link !== 'string' || !URL.canParse(link, exchange.request.url)) return;
      const { origin, pathname, href } = new URL(link, exchange.request.url);
      // A link to another place is judged by the rules of links.
      const isBelow = origin !== root.origin || pathname.startsWith(root.pathname);
      demand(isBelow, exchange, `links below ${root.href}`, showUrl(href), weight);
    };
    for (const link of linksOf(exchange).values()) demandBelow(link, 'fatal');
    for (const { self } of records) demandBelow(self, 'minor');
  }),
  rule('§9.4', 'After a new major version the previous URI keeps working.', reasons.forReleases),
  rule('§9.4 header fields', 'A deprecated major has Deprecation, Sunset and a Link.', reasons.permitted),
] as const;
