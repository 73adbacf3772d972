/**
 * Examines a server: does it keep the conventions, and does its data fit the declaration?
 *
 * @module restkin/doctor
 */

import { checkBasicCredentials, checkCredentials } from '../auth/basic.ts';
import { checkFields } from '../http/message.ts';
import { createSecrets } from '../http/secrets.ts';
import { parseBaseUrl } from '../http/url.ts';
import { type ApiDeclaration, type Fetch, InvalidRequestError } from '../index.ts';
import { parameterNamesOf } from '../schema/collection.ts';
import { schemeNamesOf } from '../schema/define-api.ts';
import { checkCount, checkPositive, checkSignal, createReader } from '../schema/read-options.ts';
import { examine } from './examine.ts';
import type { Diagnosis, Finding } from './finding.ts';

export type {
  Diagnosis,
  Failed,
  Finding,
  Outcome,
  Passed,
  Proposal,
  ShownExchange,
  Undecided,
} from './finding.ts';
export type { RuleId } from './rules.ts';

/** Options of {@link diagnose}. */
export interface DiagnoseOptions {
  /** Where the API lives, without its version. */
  readonly baseUrl: string;
  /** Where the token endpoint lives (§4.1); required for an API that takes tokens and not Basic. */
  readonly authUrl?: string | undefined;
  /** The user to log in as. */
  readonly username?: string | undefined;
  /** The password of the user. */
  readonly password?: string | undefined;
  /** The header fields that authorise requests to an API with its own style of authentication (§5). Their values are secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Values for the parameters of paths, by name; by default ids of the collections above. */
  readonly pathParameters?: Readonly<Record<string, string | number>> | undefined;
  /** Bodies for `allowWrites`, by the key of the collection; by default a copy of the first resource of its list. */
  readonly bodies?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /** Whether resources may be created, changed and deleted again; `false` by default. */
  readonly allowWrites?: boolean | undefined;
  /** Whether a used refresh token may be presented, on a login of its own; `false` by default. It may end other logins. */
  readonly allowReuse?: boolean | undefined;
  /** Whether plain `http:` to other hosts than this one is allowed; `false` by default. */
  readonly allowInsecure?: boolean | undefined;
  /** How many requests may be sent; 500 by default. The removal of what was created is not bound by it. */
  readonly maxRequests?: number | undefined;
  /** How many collections are read at the same time; 1 by default, so that requests are sent one at a time. Writes always are. */
  readonly concurrency?: number | undefined;
  /** How many records of each collection are compared with the declaration; 100 by default. */
  readonly sample?: number | undefined;
  /** For one request, in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Sends the requests; the runtime's own by default. */
  readonly fetch?: Fetch | undefined;
  /** Stops the diagnosis. What it created is removed before it rejects. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each finding as soon as there is one. */
  readonly onFinding?: ((finding: Finding) => void) | undefined;
}

const readOptions = createReader<DiagnoseOptions>({
  baseUrl: undefined,
  authUrl: undefined,
  username: undefined,
  password: undefined,
  headers: undefined,
  pathParameters: undefined,
  bodies: undefined,
  allowWrites: undefined,
  allowReuse: undefined,
  allowInsecure: undefined,
  maxRequests: checkCount,
  concurrency: checkCount,
  sample: checkCount,
  timeoutMs: checkPositive,
  fetch: undefined,
  signal: checkSignal,
  onFinding: undefined,
});

/** @throws `InvalidRequestError` for a value or a body that nothing of the API takes */
const checkNames = (api: ApiDeclaration, { pathParameters = {}, bodies = {} }: DiagnoseOptions): void => {
  const keys = Object.keys(api.collections);
  const parameters = Object.values(api.collections).flatMap(({ path }) => parameterNamesOf(path));
  const check = (option: string, kind: string, names: readonly string[], known: readonly string[]): void => {
    const unknown = names.find((name) => !known.includes(name));
    if (unknown === undefined) return;
    const all = known.length === 0 ? 'none' : [...new Set(known)].join(', ');
    throw new InvalidRequestError(
      `\`${option}\`: the API "${api.name}" has no ${kind} ${JSON.stringify(unknown)}; it has ${all}`,
    );
  };
  check('pathParameters', 'path parameter', Object.keys(pathParameters), parameters);
  check('bodies', 'collection', Object.keys(bodies), keys);
};

/** The URL of the token endpoint; undefined where the API is examined with Basic or header fields of its own. */
const authUrlOf = (api: ApiDeclaration, { authUrl, headers, allowInsecure = false }: DiagnoseOptions) => {
  const schemes = schemeNamesOf(api);
  if (!schemes.includes('token') || headers !== undefined) return undefined;
  if (authUrl !== undefined) return parseBaseUrl('authUrl', authUrl, allowInsecure);
  if (schemes.includes('basic')) return undefined;
  throw new InvalidRequestError(`The API "${api.name}" takes tokens; pass \`authUrl\` to diagnose()`);
};

/**
 * Examines a server by the rules of the conventions, and its data by the declaration. It sends one request at a time, and
 * only reads unless `allowWrites` or `allowReuse` say more. No finding holds a credential, a token or the value of a field
 * other than `id`, except values that an enum does not declare.
 *
 * @param api - what `defineApi` returned
 * @throws `InvalidRequestError` for options that cannot be used; the reason of `signal` when it is aborted
 * @example
 * ```ts
 * const { findings, counts } = await diagnose(ordering, { baseUrl, authUrl, username, password });
 * for (const finding of findings) {
 *   if (finding.outcome === 'fail') console.log(finding.rule, finding.where, finding.expected, finding.found);
 * }
 * console.log(counts.pass, counts.fail);
 * ```
 */
export const diagnose = async (api: ApiDeclaration, given: DiagnoseOptions): Promise<Diagnosis> => {
  const options = readOptions(given, 'diagnose');
  const { username, password, allowInsecure = false } = options;
  const headers = options.headers && checkFields('headers', options.headers);
  const base = parseBaseUrl('baseUrl', options.baseUrl, allowInsecure);
  const schemes = schemeNamesOf(api);
  if (headers === undefined && !schemes.includes('token') && !schemes.includes('basic')) {
    throw new InvalidRequestError(
      `The API "${api.name}" has its own authentication scheme (§5); pass its \`headers\` to diagnose()`,
    );
  }
  checkNames(api, options);
  options.signal?.throwIfAborted();
  const authUrl = authUrlOf(api, options);
  const check = authUrl === undefined ? checkBasicCredentials : checkCredentials;
  return examine({
    api,
    base,
    authUrl,
    credentials: username === undefined || password === undefined ? undefined : check({ username, password }),
    headers,
    secrets: createSecrets(),
    pathParameters: options.pathParameters ?? {},
    bodies: options.bodies ?? {},
    allowWrites: options.allowWrites ?? false,
    allowReuse: options.allowReuse ?? false,
    concurrency: options.concurrency ?? 1,
    sample: options.sample ?? 100,
    fetch: options.fetch,
    timeoutMs: options.timeoutMs ?? 10_000,
    maxRequests: options.maxRequests ?? 500,
    signal: options.signal,
    onFinding: options.onFinding ?? (() => undefined),
  });
};
