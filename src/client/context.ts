import { type AuthorizerContext, type NamedAuthorizer, withAuthorization } from '../auth/authorize.ts';
import { header, jsonType, type Method } from '../conventions.ts';
import type { Mask } from '../errors/error-body.ts';
import { CrossOriginUrlError } from '../errors/response-error.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { conventionsWire } from '../families/conventions-wire.ts';
import type { Wire } from '../families/wire.ts';
import { withAnyStatus } from '../http/any-status.ts';
import { withTokenRequestEvents } from '../http/events.ts';
import { withErrors } from '../http/failure.ts';
import { checkHeaderFields, type HeaderFields, secretsIn } from '../http/fields.ts';
import type { ApiRequest, ApiResponse, Send, WholeRetryPolicy } from '../http/message.ts';
import { createRetryBudget, withRetry } from '../http/retry.ts';
import { createSecrets, type Secrets } from '../http/secrets.ts';
import { createThrottle, withThrottle } from '../http/throttle.ts';
import type { Trace } from '../http/trace.ts';
import { createTransport } from '../http/transport.ts';
import { type BaseUrl, linkProblem, originOf, parseBaseUrl, resolveWithin } from '../http/url.ts';
import { requireRuntime } from '../runtime.ts';
import { type ApiDeclaration, schemeNamesOf } from '../schema/define-api.ts';
import { oncePer } from '../schema/zod.ts';
import { type AllObservers, type BeginCall, createCalls, createDeprecationNotice } from './observers.ts';
import { type ClientOptions, readClientOptions, toRetryPolicy, toSchemes } from './options.ts';
import { type CheckValues, createCheck } from './validation.ts';

/** What the calls of one client to one API have in common. */
export interface ApiContext {
  /** Name of the API; undefined for a link and an own endpoint without one. */
  readonly name: string | undefined;
  readonly base: BaseUrl;
  /** How the API is spoken to. */
  readonly wire: Wire;
  /** Header fields of every request. */
  readonly headers: HeaderFields;
  readonly secrets: Secrets;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly retry: WholeRetryPolicy;
  readonly send: Send;
  /** Undefined without an observer. */
  readonly onResponse: ((request: ApiRequest, response: ApiResponse) => void) | undefined;
  readonly check: CheckValues;
  readonly on: Pick<AllObservers, 'drift' | 'page'>;
  readonly beginCall: BeginCall;
  readonly trace: Trace | undefined;
}

const defaultMaxResponseBytes = 32 * 1024 * 1024;

/** What the APIs of a client share, and the context of each. */
export interface ClientContext {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly beginCall: BeginCall;
  /** For the collections and own endpoints of an API. */
  readonly forApi: (api: ApiDeclaration) => ApiContext;
  /** For a link or an endpoint without a declaration: the scheme with a name, or the first one. */
  readonly forScheme: (name?: string) => ApiContext;
  /** For `client.fetch`, which returns every status. */
  readonly forFetch: (name?: string) => ApiContext;
}

/** The header fields of every request of a client. */
const toHeaders = (given: HeaderFields = {}): HeaderFields => {
  const own = checkHeaderFields('createClient: headers', given);
  if (own[header.contentType] === undefined) return { [header.accept]: jsonType, ...own };
  throw new InvalidRequestError('createClient: headers cannot set content-type; each body has its own');
};

/** The schemes of a client. */
const createSchemes = (auth: ClientOptions['auth'], context: AuthorizerContext) => {
  const schemes = new Map<string, NamedAuthorizer>();
  for (const [name, { kind, authorizer }] of Object.entries(toSchemes(auth)))
    schemes.set(name, { kind, authorizer: authorizer(context) });
  const [first = ''] = schemes.keys();

  /** Those with one of the names. @throws {@link InvalidRequestError} for none */
  const named = (names: readonly string[], who: string): NamedAuthorizer[] => {
    const taken = names.map((name) => schemes.get(name)).filter((scheme) => scheme !== undefined);
    if (taken.length > 0) return taken;
    const has = [...schemes.keys()].join(', ');
    const needed = names.map((name) => JSON.stringify(name)).join(' or ');
    throw new InvalidRequestError(
      `${who} needs the scheme ${needed}, and createClient({ auth }) has ${has}; use the same name in both`,
    );
  };
  return { first, named };
};

/** @throws {@link InvalidRequestError} for an invalid option */
export const createContext = (given: ClientOptions): ClientContext => {
  requireRuntime();
  const options = readClientOptions(given);
  const { allowInsecure = false, maxResponseBytes = defaultMaxResponseBytes, on, trace } = options;
  const base = parseBaseUrl('createClient: baseUrl', options.baseUrl, allowInsecure);
  const headers = toHeaders(options.headers);
  const transport = createTransport(options.fetch, maxResponseBytes, options.requestIdHeader);
  const throttle = createThrottle(options.concurrency ?? Infinity, on);
  const budget = createRetryBudget();
  const secrets = createSecrets();
  secrets.holder()(secretsIn(headers));

  const tokenTransport = withTokenRequestEvents(transport, on);
  const authContext = { transport: tokenTransport, allowInsecure, secrets, onToken: on.token, trace };
  const schemes = createSchemes(options.auth, authContext);

  // Retry is outermost, so that each attempt asks for its credentials anew; a 401 is replayed inside, outside
  // the retry budget.
  const createPipeline = (taken: readonly NamedAuthorizer[], last = transport): Send =>
    withRetry(withErrors(withAuthorization(withThrottle(last, throttle), taken)), budget, on);

  const common = {
    base,
    headers,
    secrets,
    timeoutMs: options.timeoutMs ?? 30_000,
    deadlineMs: options.deadlineMs ?? 120_000,
    retry: toRetryPolicy(options.retry),
    on,
    check: createCheck(options.validation, on.validation, options.showValues),
    beginCall: createCalls(on.error),
    trace,
  };

  const contextFor = (send: Send, api?: ApiDeclaration): ApiContext => ({
    ...common,
    name: api?.name,
    wire: api?.wire ?? conventionsWire,
    send,
    onResponse: api && createDeprecationNotice(api, on.deprecation),
  });

  return {
    baseUrl: base.href,
    beginCall: common.beginCall,
    forApi: oncePer((api: ApiDeclaration) => {
      const taken = schemes.named(schemeNamesOf(api), `The API ${JSON.stringify(api.name)}`);
      return contextFor(createPipeline(taken), api);
    }),
    // Each call has its own: calls share no state where one scheme has no fallback.
    forScheme: (name = schemes.first) => contextFor(createPipeline(schemes.named([name], 'This call'))),
    forFetch: (name = schemes.first) => {
      const taken = schemes.named([name], 'client.fetchAs');
      return contextFor(withAnyStatus((last) => createPipeline(taken, last), transport));
    },
  };
};

/**
 * Resolves a link that is to be followed.
 *
 * @throws {@link CrossOriginUrlError} when it leads away from the base URL, or cannot be requested
 */
export const toFollowedUrl = (
  { base, secrets }: ApiContext,
  link: string,
  mask: Mask = secrets.mask,
  method: Method = 'GET',
): string => {
  const from = `${base.href}/`;
  const url = resolveWithin(base, link, from);
  if (url !== undefined) return url;
  const message = `not sent: the link ${linkProblem(base, link, from)}`;
  throw new CrossOriginUrlError({ message, status: undefined, method, url: originOf(link, mask, from) });
};
