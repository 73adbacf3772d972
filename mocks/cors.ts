import { header, methodRules, paginationHeader } from '../src/conventions.ts';
import type { Respond } from './exchange.ts';
import { type HeaderFields, withHeaders } from './message.ts';

/** Fields that a browser hides from a page of another origin unless they are named (Fetch §3.3.4). */
const exposed: readonly string[] = [
  header.link,
  ...Object.values(paginationHeader),
  header.location,
  header.etag,
  header.lastModified,
  header.retryAfter,
  header.deprecation,
  header.sunset,
  header.accept,
  header.allow,
  header.wwwAuthenticate,
];

const exposedFields: HeaderFields = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed.join(', '),
};

/** Lets pages of any origin send requests and read the responses. A preflight does not reach the mock. */
export const withCors =
  (respond: Respond): Respond =>
  async (request) => {
    const { method, headers: asked } = request;
    // OPTIONS is a method of the conventions too (§4.2): only the field that a browser adds makes it a preflight.
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
