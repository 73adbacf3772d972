import type { NamedAuthorizer } from '../auth/authorize.ts';
import { header, jsonType } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { withTokenRequestEvents } from '../http/events.ts';
import { checkHeaderFields, secretsIn } from '../http/fields.ts';
import { createIdentity } from '../http/identity.ts';
import { createRetryBudget } from '../http/retry.ts';
import { createSecrets } from '../http/secrets.ts';
import { createThrottle } from '../http/throttle.ts';
import { createTransport } from '../http/transport.ts';
import { parseBaseUrl } from '../http/url.ts';
import { type ApiDeclaration, schemeNamesOf } from '../schema/define-api.ts';
import { oncePer } from '../schema/zod.ts';
import { toRetryPolicy } from './call-options.ts';
import { type ClientOptions, readClientOptions, toSchemes } from './client-options.ts';
import { type BeginCall, createCalls, createDeprecationNotice } from './observers.ts';
import { type ApiContext, createPipeline } from './pipeline.ts';
import { createCheck } from './validation.ts';

/** What the APIs of a client share, and the context of each of them. */
export interface ClientContext {
  readonly baseUrl: string;
  readonly beginCall: BeginCall;
  /** For the collections and own endpoints of an API. */
  forApi(api: ApiDeclaration): ApiContext;
  /** For a link or an endpoint without a declaration, by the name of a scheme. */
  forScheme(name: string | undefined): ApiContext;
}

const defaultMaxResponseBytes = 32 * 1024 * 1024;

/** @throws {@link InvalidRequestError} for an invalid option */
export const createContext = (given: ClientOptions): ClientContext => {
  const options = readClientOptions(given);
  const { allowInsecure = false, maxResponseBytes = defaultMaxResponseBytes, on, trace } = options;
  const base = parseBaseUrl('baseUrl', options.baseUrl, allowInsecure);
  const fields = checkHeaderFields('headers', options.headers ?? {});
  const identity = createIdentity(options.requestIdHeader);
  const transport = createTransport(options.fetch, maxResponseBytes, identity);
  const secrets = createSecrets();
  secrets.holder()(secretsIn(fields));
  const beginCall = createCalls(on.error);
  const defaults = {
    secrets,
    timeoutMs: options.timeoutMs ?? 30_000,
    deadlineMs: options.deadlineMs ?? 120_000,
    retry: toRetryPolicy(options.retry),
  };
  const shared = {
    transport,
    throttle: createThrottle(options.concurrency ?? Number.POSITIVE_INFINITY, on.pause),
    budget: createRetryBudget(),
    observers: on,
  };
  const authContext = {
    transport: withTokenRequestEvents(transport, on),
    allowInsecure,
    secrets,
    onToken: on.token,
    trace,
  };
  const check = createCheck(options.validation, on.validation);
  const schemes = new Map<string, NamedAuthorizer>();
  for (const [name, { kind, authorizer }] of Object.entries(toSchemes(options.auth)))
    schemes.set(name, { kind, authorizer: authorizer(authContext) });

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
  const readFields = { [header.accept]: jsonType, ...fields };
  const writeFields = { ...readFields, [header.contentType]: jsonType };
  const common = { base, defaults, readFields, writeFields, on, check, beginCall, trace };

  return {
    baseUrl: base.href,
    beginCall,
    forApi: oncePer((api: ApiDeclaration) => {
      const { name } = api;
      const deliver = createPipeline(
        schemesOf(schemeNamesOf(api), `The API ${JSON.stringify(name)}`),
        shared,
      );
      return { ...common, name, deliver, onResponse: createDeprecationNotice(api, on.deprecation) };
    }),
    // A pipeline remembers only whether an API takes Basic in place of tokens, which one scheme alone cannot.
    forScheme: (name = firstScheme) => {
      const deliver = createPipeline(schemesOf([name], 'This call'), shared);
      return { ...common, name: undefined, deliver, onResponse: undefined };
    },
  };
};
