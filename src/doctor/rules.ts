/** What the conventions say: each numbered rule, table row and bullet, as this package understands it. */
const stated = {
  '§1 every API': 'Every API of the family follows the same conventions, over HTTP.',
  '§1 resource kinds': 'The resource kinds that are named are illustrations.',
  '§1 own rules':
    'An API may add content types, authentication styles or rules of its own; each API states them.',
  '§1 test instances': 'Many APIs have a separate test instance.',
  '§1 business functions': 'Business functions of the individual APIs.',

  '§2.1 id': 'A number, on every resource and nested resource; always returned, also under field limiting.',
  '§2.1 self': 'An absolute URI, only where the resource can be fetched on its own; then always returned.',
  '§2.1 nested resource':
    'An object with its own id and self; a large one is these two alone until its expansion is requested.',
  '§2.1 field names': 'Field names are camelCase; paths of nested fields have dots.',
  '§2.1 timestamps': 'Timestamps are ISO 8601 strings in UTC.',
  '§2.1 arrays': 'Arrays of nested objects are allowed.',
  '§2.1 links': 'No links but self and the paging links appear in representations.',
  '§2.1 specific fields': 'Fields of specific resources.',

  '§2.2 access_token': 'A JWT; the bearer credential.',
  '§2.2 expires_in': 'Seconds until the access token expires (600).',
  '§2.2 token_type': 'It is `bearer`.',
  '§2.2 refresh_expires_in': 'Seconds until the refresh token expires (2592000).',
  '§2.2 refresh_token': 'A JWT; a credential for a single use.',

  '§2.3 message': 'A summary for humans; in every error body.',
  '§2.3 errors': 'One item per field in error; only for validation failures.',
  '§2.3 errors[].field': 'Name or dotted path of the offending field; always there.',
  '§2.3 errors[].code': 'Machine code, for example `missingField` or `invalid`; always there.',
  '§2.3 errors[].message': 'Detail text; optional.',
  '§2.3 errors[].reference':
    'A URI that describes the requirements; optional, on some specific validation errors only.',

  '§3 states and transitions': 'States and transitions of resources.',

  '§4.1 method and path': 'POST {auth_url}/auth/token; the test environment has another auth URL.',
  '§4.1 Content-Type': 'The request is application/x-www-form-urlencoded.',
  '§4.1 process': 'It follows the token request of OpenID Connect.',
  '§4.1 response': 'A JSON body as in §2.2.',
  '§4.1 failures': 'Failures are 400 and 401.',
  '§4.1 password': 'This grant requires `username` and `password`.',
  '§4.1 refresh_token': 'This grant requires `refresh_token`.',

  '§4.2 GET': 'Retrieves a resource or resources: 200, and no request body.',
  '§4.2 POST': 'Creates: 201 with Location and the created resource, or 202 without it.',
  '§4.2 PUT': 'Replaces an entire resource: 204 or 202, without a body.',
  '§4.2 PATCH': 'Updates part of a resource: 204 or 202, without a body.',
  '§4.2 DELETE': 'Deletes a resource: 202 or 204, without a body on either side.',
  '§4.2 OPTIONS':
    'Discovers methods: 200 without a body, the methods of the URI in the Accept response header.',
  '§4.2 HEAD': 'Not supported: 405.',
  '§4.2 TRACE': 'Disallowed: 405.',
  '§4.2 TRACK': 'Disallowed: 405.',
  '§4.2 endpoints of individual APIs': 'Endpoints beyond the token endpoint.',

  '§4.3.1': 'Most APIs support JSON; an API may support other content types.',
  '§4.3.2': 'The client states the content types that it accepts in Accept.',
  '§4.3.3':
    'The content type of the response matches Accept; of several, the API picks one by its own precedence.',
  '§4.3.4': 'When the API supports none of the listed types, the response is 415.',

  '§4.4 undeclared': 'Query parameters are only for endpoints that declare support.',
  '§4.4 page': 'On a collection GET: selects the page of results.',
  '§4.4 perPage': 'On a collection GET: records per page; above the maximum of the endpoint 400.',
  '§4.4 sort':
    'On a collection GET: field names applied in order, `-` for descending, every returned field unless narrowed; else 400.',
  '§4.4 fields': 'On a GET: restricts the returned fields; id and self are always included.',
  '§4.4 expand': 'On a GET: returns all fields of a nested resource instead of id and self.',

  '§4.5 Link':
    'URIs with the relations first, prev, next and last, as applicable; no prev and first on page 1.',
  '§4.5 X-Pagination-Total-Pages': 'Total number of pages.',
  '§4.5 X-Pagination-Total-Count': 'Total number of records.',
  '§4.5 X-Pagination-Current-Page': 'Current page number.',
  '§4.5 X-Pagination-Page-Size': 'Page size.',
  '§4.5.1': 'An endpoint that cannot supply totals omits Total-Pages and Total-Count.',
  '§4.5.2': 'Without totals, Link holds only the next URI, and only when more records are available.',
  '§4.5.3': 'Every endpoint that pages has a default page size, and may have a maximum.',

  '§5 scheme': 'Each API uses one of two schemes, or a style of its own; each API states which.',

  '§5.1.1': 'Username and password are joined with a single colon.',
  '§5.1.2': 'The joined string is encoded in base64.',
  '§5.1.3': 'It is sent as `Authorization: Basic <BASE64_CREDENTIALS>`.',

  '§5.2.1': 'A token is obtained with `grant_type=password`, username and password.',
  '§5.2.2': 'Every request carries `Authorization: Bearer <ACCESS_TOKEN>`.',
  '§5.2.3': 'The access token is valid for 10 minutes; expires_in gives the remaining seconds.',
  '§5.2.4': 'After expiry a new token is obtained, by the password request or by a refresh request.',
  '§5.2.5': 'A refresh token is valid for 30 days; refresh_expires_in gives the seconds.',
  '§5.2.6': 'A refresh request returns the shape of §2.2, with a new access token and a new refresh token.',
  '§5.2.7': 'A refresh token can be used once only.',
  '§5.2.8': 'For the test environment, tokens are obtained and refreshed at its own auth URL.',
  '§5.2.9': 'A missing or invalid token gets 401; a valid one without permission gets 403.',
  '§5.2 own style': 'Own-style authentication of older APIs.',

  '§6 events': 'Events, webhooks, notifications.',

  '§7.1 200': 'GET: success.',
  '§7.1 201': 'POST only: resource created.',
  '§7.1 202': 'POST, PUT, PATCH, DELETE: validated, and processed asynchronously.',
  '§7.1 204': 'PUT, PATCH, DELETE: synchronous success without a response body.',
  '§7.1 304': 'GET: unchanged; only when the client sent If-None-Match or Modified-Since.',
  '§7.1 400':
    'A query parameter or a body is missing or invalid; perPage above the maximum; unsupported sort.',
  '§7.1 401': 'Invalid or no token; on the token endpoint a wrong username or password.',
  '§7.1 403': 'Authenticated, but not authorised for the operation.',
  '§7.1 404': 'The requested resource does not exist.',
  '§7.1 405': 'HEAD, TRACE and TRACK always; a method that the resource does not support.',
  '§7.1 406': 'GET: the client does not accept the content type of the resource.',
  '§7.1 413': 'Bulk requests: too large in bytes or in number of items.',
  '§7.1 415': 'The content type of the request body is not supported; nothing in Accept is supported.',
  '§7.1 429': 'The throttling limit is reached.',
  '§7.1 500': 'Processing error; invalid input of the client is 400 instead.',
  '§7.1 503': 'Service unavailable, during an outage.',

  '§7.2.1': 'Errors that the input causes are 400.',
  '§7.2.2': 'Every error body has `message`, for example for JSON that cannot be parsed.',
  '§7.2.3': 'Validation failures have a general `message`, and `errors` with each field.',
  '§7.2.4': 'Codes of items: `missingField` and `invalid`, the latter usually with a message.',
  '§7.2.5': 'Token endpoint: 400 when parameters are invalid or missing.',
  '§7.2.6': 'Complete list of item codes.',

  '§8 access token lifetime': '600 seconds.',
  '§8 refresh token lifetime': '2592000 seconds.',
  '§8 refresh token uses': 'One.',
  '§8 throttling': 'A threshold that is not shown; exceeding it gives 429.',
  '§8 page size': 'Each paging endpoint has a default and may have a maximum; exceeding that gives 400.',
  '§8 bulk': 'A maximum of bytes and items that is not shown; exceeding it gives 413.',

  '§9.1': 'APIs are released under semantic versioning.',
  '§9.2': 'Minor and patch releases are backwards compatible.',
  '§9.3': 'A major version is a path segment: `/v<major>/<resource path>`.',
  '§9.4': 'After a new major version the previous URI keeps working; it is deprecated.',
} as const;

/** What the conventions leave open, and how this package reads it. */
const readings = {
  '§2.1 self of what exists':
    'A self is present only if the mock can serve exactly that resource; a collection that can only be listed gives none.',
  '§4.2 bare arrays':
    'The body of a collection GET is a JSON array; what belongs to the page is in header fields.',
  '§4.2 bulk requests':
    'A bulk request is a POST of a JSON array: all of it or nothing; 201 has an array in the same order, and the collection as Location.',
  '§4.3.4 or 406': 'Where no type in Accept is supported, a GET gets 406 (§7.1), and every other method 415.',
  '§4.4 sort of an unexpanded resource':
    'A field of a nested resource (`company.name`) sorts also when the resource is not expanded.',
  '§4.4 expand of several':
    'Names in expand are separated by commas, as in fields; a dotted name expands a resource inside another one.',
  '§4.5 exposed header fields':
    'A server that lets pages of other origins read its responses exposes the header fields of the conventions.',
  '§5.2.7 or 400':
    'A refresh token that cannot be used gets 401; a server may say 400 (RFC 6749), and the mock has it as an option.',
  '§7.1 304 without If-Modified-Since':
    'Only If-None-Match and Modified-Since lead to a 304, and never for a resource that changed within the same second.',
  '§7.1 413 without bulk': 'A single resource of any size does not get 413.',
  '§7.1 415 of the coding': 'A request body with a content coding, or a charset other than UTF-8, gets 415.',
  '§7.1 400 of the amount':
    'A body that is nested too deep, or has more errors than can be listed, is invalid input: 400 with the first 100 errors.',
  '§9.4 header fields':
    'A deprecated major says so in Deprecation (RFC 9745), Sunset (RFC 8594) and a Link to its successor (RFC 5829).',
} as const;

const notShown = 'the conventions do not show it';

/** Why the conventions alone give nothing to test. */
const empty = {
  '§1 resource kinds': 'no behaviour follows from an illustration',
  '§1 business functions': notShown,
  '§2.1 specific fields': notShown,
  '§3 states and transitions': notShown,
  '§4.2 endpoints of individual APIs': notShown,
  '§5.2 own style': notShown,
  '§6 events': notShown,
  '§7.2.6': `${notShown}; the list is open`,
} as const satisfies Partial<Record<keyof typeof stated, string>>;

/** The id of a rule in a finding of {@link diagnose}: its section (§), and a name where the conventions give no number. */
export type RuleId = keyof typeof stated | keyof typeof readings;

/** The rules that have nothing to test. */
export type EmptyRuleId = keyof typeof empty;

/** A rule of the conventions. */
export interface Rule {
  /** See {@link RuleId}. */
  readonly id: string;
  /** The rule in one line. */
  readonly says: string;
  /** True for a rule that says how this package reads what the conventions leave open. */
  readonly reading?: boolean;
  /** Why the conventions alone give nothing to test. */
  readonly nothing?: string | undefined;
}

/** Each rule in one line. Its keys are the ids. */
export const says: Readonly<Record<RuleId, string>> = { ...stated, ...readings };

const whyEmpty: Readonly<Record<string, string>> = empty;

/**
 * Every rule of the conventions, in their order: the list behind the tests of the conventions, and the
 * findings of a diagnosis.
 */
export const rules: readonly (Rule & { readonly id: RuleId })[] = (Object.keys(says) as RuleId[]).map(
  (id) => ({
    id,
    says: says[id],
    reading: Object.hasOwn(readings, id),
    nothing: whyEmpty[id],
  }),
);

/** `§4.4` of `§4.4 sort`, `§4.5` of `§4.5.1`: the section that a rule belongs to. */
export const sectionOf = ({ id }: Pick<Rule, 'id'>): string => /^§\d+(?:\.\d+(?= |\.))?/.exec(id)?.[0] ?? id;
