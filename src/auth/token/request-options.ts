import { authScheme, header, tokenPath } from '../../conventions.ts';
import { formEncode, toBase64 } from '../../http/encoding.ts';
import type { HeaderFields } from '../../http/fields.ts';
import { checkName, checkOf, checkPart, createReader, isObject } from '../../options.ts';

/** A client that is registered at the token endpoint. */
export interface OAuthClient {
  /** Sent as `client_id`. */
  readonly id: string;
  /** Sent as `client_secret`; absent for a public client. */
  readonly secret?: string | undefined;
  /** `basic`: in `Authorization`, the default where there is a secret. `body`: in the form, the default elsewhere. */
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
}

const isStrings = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((one) => typeof one === 'string');

const readClient = createReader<OAuthClient>({
  id: checkName,
  secret: checkName,
  authentication: checkOf((value) => value === 'basic' || value === 'body', "'basic' or 'body'"),
});

/** The checks of these options, for the reader of {@link tokenAuth}. */
export const tokenRequestChecks = {
  client: checkPart(readClient),
  scope: checkName,
  params: checkOf(isStrings, 'an object with strings'),
  tokenPath: checkName,
};

/** What each token request has beside its grant. */
export type TokenRequestParts = ReturnType<typeof toTokenRequestParts>;

export const toTokenRequestParts = ({ client, scope, params, tokenPath: path }: TokenRequestOptions) => {
  const { id = '', secret = '', authentication = secret === '' ? 'body' : 'basic' } = client ?? {};
  // RFC 6749 §2.3.1: both are encoded as in a form, so that a colon within is none between them.
  const login = `${formEncode(id)}:${formEncode(secret)}`;
  const isBasic = authentication === 'basic';
  const headers: HeaderFields = isBasic
    ? { [header.authorization]: `${authScheme.basic} ${toBase64(login)}` }
    : {};
  const inForm = isBasic ? {} : { ...(id && { client_id: id }), ...(secret && { client_secret: secret }) };
  return {
    path: (path ?? tokenPath).replace(/^\/+/, ''),
    headers,
    form: { ...params, ...inForm },
    /** Only with a password. */
    passwordForm: scope === undefined ? {} : { scope },
    secrets: secret === '' ? [] : [secret, login],
    /** Distinguishes chains; `{}` where no option is given. The secret may be rotated, and is no part of it. */
    identity: JSON.stringify({ client: client?.id, scope, params, path }),
  };
};
