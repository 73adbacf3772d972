import type { NamedAuthorizer } from '../auth/with-authorization.ts';
import { InvalidRequestError } from '../errors/request-error.ts';
import { defaultSupportHeaders } from '../http/error-context.ts';
import { checkHeaderFields, secretsIn } from '../http/header-fields.ts';
import { withTokenRequestEvents } from '../http/request-events.ts';
import { createRetryBudget } from '../http/retry-budget.ts';
import { createSecrets } from '../http/secrets.ts';
import { createTransport } from '../http/transport.ts';
import { maskUrl, parseBaseUrl } from '../http/url.ts';
import { createCache } from '../http/with-cache.ts';
import { createThrottle } from '../http/with-throttle.ts';
import type { DriftEvent } from '../paging/drift.ts';
import type { ApiDeclaration } from '../schema/define-api.ts';
import { createApiLimits } from './api-limits.ts';
import { toCallDefaults } from './call-options.ts';
import { type ClientOptions, readClientOptions, toObserver, toSchemes } from './client-options.ts';
import { createDeprecationNotice } from './deprecation-notice.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { type BeginCall, createCalls } from './open-call.ts';
import { createPipeline } from './pipeline.ts';
import { toValueCheck } from './validation.ts';

/** What a client has that its APIs share, and how one of them is connected to it. */
export interface Connection {
  readonly beginCall: BeginCall;
  /** For the collections and own endpoints of an API. */
  connectApi(api: ApiDeclaration): Exchange;
  /** For a link or an endpoint that no declaration is given for; the API that serves it is found by its path. */
  connectDirect(auth: string | undefined): Exchange;
}

const defaultMaxResponseBytes = 32 * 1024 * 1024;
const ignore = (): void => undefined;

/** @throws {@link InvalidRequestError} for an option that cannot be used */
export const createConnection = (given: ClientOptions): Connection => {
  const options = readClientOptions(given);
  const { allowInsecure = false, on } = options;
  const base = parseBaseUrl('baseUrl', options.baseUrl, allowInsecure);
  const fields = checkHeaderFields('headers', options.headers ?? {});
  const transport = createTransport({
    fetch: options.fetch,
    maxResponseBytes: options.maxResponseBytes ?? defaultMaxResponseBytes,
  });
  const secrets = createSecrets();
  secrets.add(secretsIn(fields), true);
  const { mask } = secrets;
  const supportHeaders = (options.supportHeaders ?? defaultSupportHeaders).map((name) => name.toLowerCase());
  const beginCall = createCalls(toObserver(on.error), mask);
  const defaults = {
    ...toCallDefaults(options.timeoutMs, options.deadlineMs, options.retry),
    mask,
    supportHeaders,
  };
  const shared = {
    transport,
    throttle: createThrottle(options.concurrency ?? Number.POSITIVE_INFINITY),
    budget: createRetryBudget(),
    cache: options.cache && createCache(options.cache),
    observers: {
      request: toObserver(on.request),
      response: toObserver(on.response),
      retry: toObserver(on.retry),
    },
  };
  const authContext = {
    transport: withTokenRequestEvents(transport, shared.observers),
    allowInsecure,
    secrets,
    supportHeaders,
    onToken: toObserver(on.token),
  };
  const driftObserver = toObserver(on.drift) ?? ignore;
  const onDrift = (event: DriftEvent): void => driftObserver({ ...event, url: maskUrl(event.url, mask) });
  const check = toValueCheck(options.validation, toObserver(on.validation));
  const schemes = new Map<string, NamedAuthorizer>(
    Object.entries(toSchemes(options.auth)).map(([name, { kind, authorizer }]) => [
      name,
      { kind, authorizer: authorizer(authContext) },
    ]),
  );

  const schemesOf = (names: readonly string[], who: string): NamedAuthorizer[] => {
    const taken = names.map((name) => schemes.get(name)).filter((scheme) => scheme !== undefined);
    if (taken.length > 0) return taken;
    const has = [...schemes.keys()].join(', ');
    const needed = names.map((name) => JSON.stringify(name)).join(' or ');
    throw new InvalidRequestError(
      `${who} needs the scheme ${needed} and this client has ${has}; pass it in createClient({ auth })`,
    );
  };

  const [firstScheme = ''] = schemes.keys();
  const limits = createApiLimits(base.href);
  const apis = new WeakMap<ApiDeclaration, Exchange>();
  const direct = new Map<string, Exchange>();

  return {
    beginCall,
    connectApi: (api) => {
      const known = apis.get(api);
      if (known !== undefined) return known;
      const names = typeof api.auth === 'string' ? [api.auth] : api.auth;
      const taken = schemesOf(names, `The API ${JSON.stringify(api.name)}`);
      const onAnswer = createDeprecationNotice(api, toObserver(on.deprecation), mask);
      const deliver = createPipeline(taken, limits.add(api), shared);
      const watch = { onAnswer, onDrift, check, beginCall };
      const exchange = createExchange(base, defaults, fields, deliver, watch);
      apis.set(api, exchange);
      return exchange;
    },
    connectDirect: (auth = firstScheme) => {
      const known = direct.get(auth);
      if (known !== undefined) return known;
      const deliver = createPipeline(schemesOf([auth], 'This call'), limits.takeTurn, shared);
      const exchange = createExchange(base, defaults, fields, deliver, {
        onAnswer: undefined,
        onDrift,
        check,
        beginCall,
      });
      direct.set(auth, exchange);
      return exchange;
    },
  };
};
