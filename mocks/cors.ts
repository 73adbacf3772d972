import { header, methodRules, paginationHeader } from '../src/conventions.ts';
import { checkOf, isObject } from '../src/options.ts';
import type { Respond } from './exchange.ts';
import { type HeaderFields, withHeaders } from './message.ts';

/**
 * Whether a browser hides a field from a page of another origin unless it is named (Fetch §3.3.4): a new one
 * must decide.
 */
const isHidden: Readonly<Record<keyof typeof header, boolean>> = {
  accept: true,
  allow: true,
  deprecation: true,
  etag: true,
  lastModified: true,
  link: true,
  location: true,
  retryAfter: true,
  sunset: true,
  wwwAuthenticate: true,
  // Of requests.
  authorization: false,
  ifModifiedSince: false,
  ifNoneMatch: false,
  modifiedSince: false,
  // Shown without being named, or of no use to a page.
  contentEncoding: false,
  contentLength: false,
  contentType: false,
  date: false,
};

const names = Object.keys(isHidden) as readonly (keyof typeof header)[];

const exposed: readonly string[] = [
  ...Object.values(paginationHeader),
  ...names.filter((name) => isHidden[name]).map((name) => header[name]),
];

const exposedFields: HeaderFields = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed.join(', '),
};

const isMock = (mock: unknown): boolean => isObject(mock) && typeof mock.respond === 'function';
const checkMock = checkOf(isMock, 'what createMock returned');

/**
 * Lets pages of any origin send requests to a mock and read the responses. A preflight does not reach it.
 *
 * @throws `InvalidRequestError` for anything but a mock, such as its API
 */
export const withCors = (mock: { readonly respond: Respond }): Respond => {
  checkMock('The mock of serve or handlers', mock ?? null);
  const { respond } = mock;
  return async (request) => {
    const { method, headers: asked } = request;
    // OPTIONS is a method of the conventions too (§4.2): only the field that a browser adds makes it a
    // preflight.
    if (method === 'OPTIONS' && asked.has('access-control-request-method')) {
      const headers = {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': Object.keys(methodRules).join(', '),
        'access-control-allow-headers': asked.get('access-control-request-headers') ?? '',
      };
      return new Response(null, { status: 204, headers });
    }
    const response = await respond(request);
    if (!asked.has('origin') || response.type === 'error') return response;
    return withHeaders(response, (headers) => {
      // A fault may set these fields itself, for example to hide a header.
      for (const [name, value] of Object.entries(exposedFields)) {
        if (!headers.has(name)) headers.set(name, value);
      }
    });
  };
};
