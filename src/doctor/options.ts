import { checkBasicCredentials, checkCredentials } from '../auth/basic.ts';
import { type TokenRequestOptions, tokenRequestChecks } from '../auth/token/request-options.ts';
import { checkFields } from '../http/fields.ts';
import { createSecrets, type Secrets } from '../http/secrets.ts';
import { type BaseUrl, parseBaseUrl } from '../http/url.ts';
import { type ApiDeclaration, type Credentials, type Fetch, InvalidRequestError } from '../index.ts';
import {
  checkBoolean,
  checkCount,
  checkFunction,
  checkPositive,
  checkSignal,
  createReader,
} from '../options.ts';
import { parameterNamesOf } from '../schema/collection.ts';
import { isDeclaration, schemeNamesOf } from '../schema/define-api.ts';
import type { Finding } from './finding.ts';

/** Options of {@link diagnose}. */
export interface DiagnoseOptions extends TokenRequestOptions {
  /** Where the API lives, without its version. */
  readonly baseUrl: string;
  /** Where the token endpoint lives (§4.1); required for an API that takes tokens and not Basic. */
  readonly authUrl?: string | undefined;
  /** The user to log in as. */
  readonly username?: string | undefined;
  /** The password of the user. */
  readonly password?: string | undefined;
  /**
   * Header fields that authorise requests to an API with its own style of authentication (§5). Their values
   * are secret.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Values for the parameters of paths, by name; by default ids from the collections above. */
  readonly pathParameters?: Readonly<Record<string, string | number>> | undefined;
  /**
   * Bodies for `allowWrites`, by the key of the collection; by default a copy of the first resource of its
   * list.
   */
  readonly bodies?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /** Whether resources may be created, changed and deleted again; `false` by default. */
  readonly allowWrites?: boolean | undefined;
  /** Whether plain `http:` to hosts other than this one is allowed; `false` by default. */
  readonly allowInsecure?: boolean | undefined;
  /** How many requests may be sent; 500 by default. The removal of what was created is not limited by it. */
  readonly maxRequests?: number | undefined;
  /** The time limit of one request in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Sends the requests; the runtime's own by default. */
  readonly fetch?: Fetch | undefined;
  /** Stops the diagnosis. What it created is removed before it rejects. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each finding as soon as there is one. */
  readonly onFinding?: ((finding: Finding) => void) | undefined;
  /**
   * Called with the URL of each resource that was created and could not be removed, also where `signal` stops
   * the diagnosis.
   */
  readonly onLeftBehind?: ((url: string) => void) | undefined;
}

/** The checked options of a diagnosis. */
export interface Examination extends Omit<DiagnoseOptions, 'baseUrl' | 'authUrl'> {
  readonly api: ApiDeclaration;
  readonly base: BaseUrl;
  /** Undefined where the API is examined with Basic or with header fields of its own. */
  readonly authUrl: BaseUrl | undefined;
  readonly credentials: Credentials | undefined;
  readonly secrets: Secrets;
}

const readOptions = createReader<DiagnoseOptions>({
  baseUrl: undefined,
  authUrl: undefined,
  username: undefined,
  password: undefined,
  ...tokenRequestChecks,
  headers: undefined,
  pathParameters: undefined,
  bodies: undefined,
  allowWrites: checkBoolean,
  allowInsecure: checkBoolean,
  maxRequests: checkCount,
  timeoutMs: checkPositive,
  fetch: checkFunction,
  signal: checkSignal,
  onFinding: checkFunction,
  onLeftBehind: checkFunction,
});

/** Refuses names that are not known. */
const checkNames = (given: object | undefined, owner: string, known: readonly string[]): unknown =>
  createReader<object>(Object.fromEntries(known.map((name) => [name, undefined])))(given, owner);

const authUrlOf = (api: ApiDeclaration, { authUrl, headers, allowInsecure = false }: DiagnoseOptions) => {
  const schemes = schemeNamesOf(api);
  const takesTokens = schemes.includes('token') && headers === undefined;
  if (takesTokens && authUrl !== undefined) return parseBaseUrl('diagnose: authUrl', authUrl, allowInsecure);
  if (headers !== undefined || schemes.includes('basic')) return undefined;
  throw new InvalidRequestError(
    takesTokens
      ? `The API "${api.name}" takes tokens; pass \`authUrl\` to diagnose()`
      : `The API "${api.name}" has its own authentication scheme (§5); pass its \`headers\` to diagnose()`,
  );
};

export const readExamination = (api: ApiDeclaration, given: DiagnoseOptions): Examination => {
  if (!isDeclaration(api)) throw new InvalidRequestError('diagnose needs what defineApi returned');
  const options = readOptions(given, 'diagnose');
  const { username, password } = options;
  const parameters = Object.values(api.collections).flatMap(({ path }) => parameterNamesOf(path));
  const headers = options.headers && checkFields('diagnose: headers', options.headers);
  const base = parseBaseUrl('diagnose: baseUrl', options.baseUrl, options.allowInsecure ?? false);
  checkNames(options.pathParameters, 'diagnose: pathParameters', parameters);
  checkNames(options.bodies, 'diagnose: bodies', Object.keys(api.collections));
  const authUrl = authUrlOf(api, options);
  const check = authUrl === undefined ? checkBasicCredentials : checkCredentials;
  const isComplete = username !== undefined && password !== undefined;
  const credentials = isComplete ? check('diagnose', { username, password }) : undefined;
  return { ...options, api, base, authUrl, credentials, headers, secrets: createSecrets() };
};
