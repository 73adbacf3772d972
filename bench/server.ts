// The API over plain node:http, in a process of its own. Responses are prepared: the client is measured.
//
// {origin}/{records}/{delayMs}/v1/things is a list of so many records that answers after so long.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { perPage, type Thing } from './wire.ts';

const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEiLCJleHAiOjQxMDI0NDQ4MDB9.c2lnbmF0dXJl';
const tokenAnswer = JSON.stringify({
  access_token: token,
  refresh_token: 'cmVmcmVzaA',
  token_type: 'bearer',
  expires_in: 600,
  refresh_expires_in: 2_592_000,
});
const json = 'application/json';
const mostPrepared = 2_000;
const prepared = new Map<string, Buffer>();

const toThing = (base: string, id: number): Thing => ({
  id,
  self: `${base}/v1/things/${id}`,
  name: `Thing number ${id}`,
  status: id % 3 === 0 ? 'open' : 'shipped',
  city: 'Utrecht',
  quantity: id % 7,
  price: (id % 1000) / 4,
  createdAt: '2026-01-02T03:04:05Z',
});

const toBody = (base: string, records: number, page: number): Buffer => {
  const key = `${base} ${page}`;
  const known = prepared.get(key);
  if (known !== undefined) return known;
  const first = (page - 1) * perPage + 1;
  const length = Math.max(0, Math.min(perPage, records - first + 1));
  const body = Buffer.from(
    JSON.stringify(Array.from({ length }, (_, index) => toThing(base, first + index))),
  );
  if (prepared.size < mostPrepared) prepared.set(key, body);
  return body;
};

const answerList = (response: ServerResponse, base: string, records: number, page: number): void => {
  const last = Math.ceil(records / perPage);
  const link = (number: number, relation: string): string =>
    `<${base}/v1/things?page=${number}&perPage=${perPage}>; rel="${relation}"`;
  const links = [
    ...(page > 1 ? [link(1, 'first'), link(page - 1, 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next')] : []),
    link(last, 'last'),
  ];
  const body = toBody(base, records, page);
  response.writeHead(200, {
    'content-type': json,
    'content-length': body.length,
    link: links.join(', '),
    'x-pagination-total-pages': last,
    'x-pagination-total-count': records,
    'x-pagination-current-page': page,
    'x-pagination-page-size': perPage,
  });
  response.end(body);
};

const sendJson = (response: ServerResponse, status: number, body: string): void => {
  response.writeHead(status, { 'content-type': json, 'content-length': Buffer.byteLength(body) }).end(body);
};

/** The name of a scheme has no case; Octokit writes it small. */
const isAuthorized = (field = ''): boolean => /^bearer /i.test(field) && field.slice(7) === token;

const answer = ({ url = '/', headers }: IncomingMessage, response: ServerResponse): void => {
  const [path = '', query = ''] = url.split('?', 2);
  const [, records = '', delayMs = '', , , id] = path.split('/');
  const base = `http://${headers.host}/${records}/${delayMs}`;
  const page = Number(new URLSearchParams(query).get('page') ?? 1);
  if (path === '/auth/token') sendJson(response, 200, tokenAnswer);
  else if (!isAuthorized(headers.authorization)) sendJson(response, 401, '{"message":"Unauthorized"}');
  else if (id !== undefined) sendJson(response, 200, JSON.stringify(toThing(base, Number(id))));
  else if (delayMs === '0') answerList(response, base, Number(records), page);
  else setTimeout(answerList, Number(delayMs), response, base, Number(records), page);
};

const server = createServer((request, response) => {
  // A request is answered when its body has arrived; GET has none.
  if (request.method === 'POST') request.resume().once('end', () => answer(request, response));
  else answer(request, response);
});
// Nothing is to reconnect while it is measured.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) process.send?.(address.port);
});
process.once('disconnect', () => process.exit());
