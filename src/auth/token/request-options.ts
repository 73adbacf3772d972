import { authScheme, header, tokenPath } from '../../conventions.ts';
import { formEncode, toBase64 } from '../../http/encoding.ts';
import { type HeaderFields, secretsIn } from '../../http/fields.ts';
import { checkBoolean, checkName, checkOf, checkPart, createReader, isObject } from '../../options.ts';

/** A client that is registered at the token endpoint. */
export interface OAuthClient {
  /** Sent as `client_id`. */
  readonly id: string;
  /** Sent as `client_secret`; absent for a public client. */
  readonly secret?: string | undefined;
  /**
   * `basic`: in `Authorization`, the default where there is a secret. `body`: in the form, the default
   * elsewhere.
   */
  readonly authentication?: 'basic' | 'body' | undefined;
}

/** What a token endpoint wants beyond §4.1. Nothing is sent that is not given. */
export interface TokenRequestOptions {
  /** The client that authenticates at the token endpoint (RFC 6749 §2.3.1). */
  readonly client?: OAuthClient | undefined;
  /** The scope that a password login asks for; a refresh keeps it. */
  readonly scope?: string | undefined;
  /** Further parameters of each token request, such as `audience`. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** The path of the token endpoint below `authUrl`; `auth/token` by default (§4.1). */
  readonly tokenPath?: string | undefined;
  /**
   * Whether a refresh token works once, and each refresh returns another one (§5.2.7, RFC 9700 §4.14.2); true
   * by default. With false a refresh token is sent until the server refuses it or returns another one, also
   * after a request whose response was lost: such a login survives the end of its process without a password.
   * A server that does rotate ends a login whose refresh token is sent twice.
   */
  readonly refreshTokenRotation?: boolean | undefined;
}

const isStrings = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((one) => typeof one === 'string');

const readClient = createReader<OAuthClient>(
  {
    id: checkName,
    secret: checkName,
    authentication: checkOf((value) => value === 'basic' || value === 'body', "'basic' or 'body'"),
  },
  { required: ['id'] },
);

/** The checks of these options, for the reader of {@link tokenAuth}. */
export const tokenRequestChecks = {
  client: checkPart(readClient),
  scope: checkName,
  params: checkOf(isStrings, 'an object with strings'),
  tokenPath: checkName,
  refreshTokenRotation: checkBoolean,
};

/** What each token request has beside its grant. */
export interface TokenRequestParts {
  /** The path of the token endpoint below `authUrl`, without a slash at its beginning. */
  readonly path: string;
  readonly headers: HeaderFields;
  readonly form: Readonly<Record<string, string>>;
  /** Only with a password. */
  readonly passwordForm: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** Distinguishes chains; `{}` where no option is given. The secret may be rotated, and is no part of it. */
  readonly identity: string;
}

/**
 * What distinguishes the chains of two logins: neither the order of `params` nor the way in which a path is
 * written.
 */
const toIdentity = ({ client, scope, params = {} }: TokenRequestOptions, path: string): string => {
  const sorted = Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({
    client: client?.id,
    scope,
    params: sorted.length === 0 ? undefined : Object.fromEntries(sorted),
    path: path === tokenPath ? undefined : path,
  });
};

export const toTokenRequestParts = (options: TokenRequestOptions): TokenRequestParts => {
  const { client, scope, params } = options;
  const { id = '', secret = '', authentication = secret === '' ? 'body' : 'basic' } = client ?? {};
  // RFC 6749 §2.3.1: each is encoded as in a form, so that the only colon is the one between them.
  const login = `${formEncode(id)}:${formEncode(secret)}`;
  const isBasic = authentication === 'basic';
  const headers: HeaderFields = isBasic
    ? { [header.authorization]: `${authScheme.basic} ${toBase64(login)}` }
    : {};
  const inForm = isBasic ? {} : { ...(id && { client_id: id }), ...(secret && { client_secret: secret }) };
  const path = (options.tokenPath ?? tokenPath).replace(/^\/+/, '');
  return {
    path,
    headers,
    form: { ...params, ...inForm },
    passwordForm: scope === undefined ? {} : { scope },
    secrets: [...(secret === '' ? [] : [secret, login]), ...secretsIn(params)],
    identity: toIdentity(options, path),
  };
};
