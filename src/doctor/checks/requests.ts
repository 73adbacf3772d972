import { authScheme, header, jsonType, operationMethods, paginationHeader } from '../../conventions.ts';
import { isJson, parseMediaType } from '../../headers/media-type.ts';
import { isObject } from '../../options.ts';
import { type Exchange, linksOf, nameOf } from '../exchange.ts';
import { type Checks, cannotTell, demand, demandNoBody, demandStatus, notDeclared } from '../judgement.ts';
import {
  demandRefused,
  getUnknown,
  isSameResource,
  itemUrl,
  list,
  needs,
  needsNo500,
  needsSuccess,
  type Subject,
  someItem,
} from '../subject.ts';

const unknownType = 'text/x-restkin-doctor';

const typeOf = ({ headers }: Exchange): string => headers.get(header.contentType) ?? 'no Content-Type';

/** The response to the list, whatever its status. */
const firstPage = async (subject: Subject, headers?: Readonly<Record<string, string>>): Promise<Exchange> => {
  needs(subject, 'list');
  return subject.get(subject.url(), headers);
};

const checkAuthorized = (scheme: string, applies: boolean) => async (subject: Subject) => {
  if (subject.takesTokens !== applies) notDeclared(`the API is not examined with ${scheme}`);
  const exchange = await firstPage(subject);
  demand(exchange.status !== 401, exchange, `the credentials are taken as ${scheme}`, '401');
};

/** A GET that can be repeated with a condition: of one resource, or of the list. */
const conditional = async (subject: Subject): Promise<Exchange> =>
  subject.operations.includes('get') ? someItem(subject) : needsSuccess(await firstPage(subject));

/** The methods of a collection that OPTIONS must list. */
const methodsOf = ({ operations }: Subject): readonly string[] =>
  (['list', 'create'] as const)
    .filter((operation) => operations.includes(operation))
    .map((operation) => operationMethods[operation]);

/** Header fields that a client reads, and a browser hides from other origins unless they are exposed. */
const neededFields = [
  header.link,
  ...Object.values(paginationHeader),
  header.etag,
  header.location,
  header.retryAfter,
  header.deprecation,
  header.sunset,
];

const origin = 'https://restkin-doctor.example';

/** The rules of single requests to a collection (§4.2, §4.3, §5, §7.1, §9.3). */
export const requestChecks = {
  '§4.2 GET': async (subject) => {
    const exchange = await firstPage(subject);
    const { status, json } = exchange;
    if (status === 401 || status === 403) cannotTell(`${nameOf(exchange.request)} got ${status}`);
    if (status === 304) cannotTell('see §7.1 304');
    demandStatus(exchange, [200]);
    if (!subject.operations.includes('get') || !Array.isArray(json) || json.length === 0) return;
    const [first] = json as readonly unknown[];
    if (!isObject(first)) return;
    const item = await subject.get(itemUrl(subject, first));
    if (item.status === 403) cannotTell(`${nameOf(item.request)} got 403`);
    demandStatus(item, [200], 'for a resource of the list');
    demand(isSameResource(item, first), item, 'the resource with this id', 'another body');
  },
  '§4.2 bare arrays': async (subject) => {
    const exchange = needsSuccess(await firstPage(subject));
    const { json } = exchange;
    const found = Array.isArray(json)
      ? 'an array of something else'
      : `a JSON value of the type ${typeof json}`;
    demand(Array.isArray(json) && json.every(isObject), exchange, 'a JSON array of resources', found);
  },
  '§4.2 OPTIONS': async (subject) => {
    needs(subject, 'list');
    const exchange = await subject.send({ method: 'OPTIONS' });
    demandStatus(exchange, [200]);
    demandNoBody(exchange);
    const accept = exchange.headers.get(header.accept);
    const listed = (accept ?? '').split(',').map((name) => name.trim().toUpperCase());
    const lacking = methodsOf(subject).filter((method) => !listed.includes(method));
    const expected = `\`Accept\` lists ${methodsOf(subject).join(', ')}`;
    const found = accept === null ? 'no `Accept`' : `\`Accept\` lacks ${lacking.join(', ')}`;
    demand(lacking.length === 0, exchange, expected, found);
  },
  '§4.2 HEAD': async (subject) => {
    const exchange = await subject.send({ method: 'HEAD' });
    demandStatus(exchange, [405]);
  },
  '§4.3.1': async (subject) => {
    const exchange = await firstPage(subject);
    if (exchange.status !== 200) needsSuccess(exchange);
    const type = typeOf(exchange);
    demand(isJson(parseMediaType(type)), exchange, `the content type ${jsonType}`, type);
    demand(exchange.json !== undefined, exchange, 'a body of JSON', 'a body that is not JSON');
  },
  '§4.3.3': async (subject) => {
    const usual = needsSuccess(await firstPage(subject));
    if (!isJson(parseMediaType(typeOf(usual)))) cannotTell('see §4.3.1');
    const accept = `${unknownType}, ${jsonType}`;
    const exchange = await firstPage(subject, { [header.accept]: accept });
    demandStatus(exchange, [200], `for Accept: ${accept}`);
    const type = parseMediaType(typeOf(exchange));
    const isListed = isJson(type) || type === unknownType;
    demand(isListed, exchange, 'a content type that Accept lists', typeOf(exchange));
  },
  '§4.3.4': async (subject) => {
    needsSuccess(await firstPage(subject));
    const exchange = await firstPage(subject, { [header.accept]: unknownType });
    demandStatus(exchange, [406, 415], `for Accept: ${unknownType}`);
  },
  '§5.1.3': checkAuthorized(authScheme.basic, false),
  '§5.2.2': checkAuthorized(authScheme.bearer, true),
  '§5.2.9': async (subject) => {
    const none = await subject.send({}, { isAnonymous: true });
    demandStatus(none, [401], 'without credentials');
    if (!subject.takesTokens) return;
    const wrong = { [header.authorization]: `${authScheme.bearer} restkin-doctor-invalid` };
    const invalid = await subject.send({ headers: wrong }, { isAnonymous: true });
    demandStatus(invalid, [401], 'for an invalid token');
  },
  '§7.1 304': async (subject) => {
    const plain = await firstPage(subject);
    demand(plain.status !== 304, plain, 'no 304 without a condition', '304');
    const exchange = await conditional(subject);
    const { url } = exchange.request;
    const etag = exchange.headers.get(header.etag);
    const modified = exchange.headers.get(header.lastModified);
    if (etag === null) {
      if (modified === null) return cannotTell('the response has neither ETag nor Last-Modified');
      const since = await subject.get(url, { [header.modifiedSince]: modified });
      demandStatus(since, [304, 200]);
      return;
    }
    const same = await subject.get(url, { [header.ifNoneMatch]: etag });
    demandStatus(same, [304], 'for If-None-Match with the ETag of the resource');
    demandNoBody(same);
    const other = await subject.get(url, { [header.ifNoneMatch]: '"restkin-doctor"' });
    demandStatus(other, [200], 'for If-None-Match with another ETag');
  },
  '§7.1 400': async (subject) => {
    needs(subject, 'list');
    if (subject.options.paging === undefined) notDeclared('no query parameter with a format is declared');
    await list(subject);
    await demandRefused(subject, { page: 'none' }, 'an invalid `page`');
  },
  '§7.1 404': async (subject) => {
    needs(subject, 'get');
    const exchange = await getUnknown(subject);
    needsNo500(exchange, 'an unknown id');
    demandStatus(exchange, [404], 'for a resource that does not exist');
  },
  '§9.3': async (subject) => {
    const { exchange, records } = await list(subject);
    const { root } = subject;
    const links = [...linksOf(exchange).values(), ...records.map(({ self }) => self)];
    for (const link of links) {
      if (typeof link !== 'string' || !URL.canParse(link, exchange.request.url)) continue;
      const { origin, pathname } = new URL(link, exchange.request.url);
      // A link to another place is judged by the rules of links.
      if (origin !== root.origin) continue;
      demand(pathname.startsWith(root.pathname), exchange, `links below ${root.href}`, pathname);
    }
  },
  '§4.5 exposed header fields': async (subject) => {
    const exchange = needsSuccess(await firstPage(subject, { origin }));
    const { headers } = exchange;
    if (headers.get('access-control-allow-origin') === null) {
      cannotTell('pages of another origin may not read the response: it has no Access-Control-Allow-Origin');
    }
    const exposed = headers.get('access-control-expose-headers');
    const names = (exposed ?? '').toLowerCase().split(/\s*,\s*/);
    if (names.includes('*')) return;
    const hidden = neededFields.filter((name) => headers.has(name) && !names.includes(name));
    const expected = `Access-Control-Expose-Headers names ${hidden.join(', ')}`;
    const found = exposed === null ? 'there is no such header field' : 'it lacks them';
    demand(hidden.length === 0, exchange, expected, found);
  },
} as const satisfies Checks<Subject>;
