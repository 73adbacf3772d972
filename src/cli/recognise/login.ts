// How a list is asked for, and the code with which a program asks for it.
import { type AuthScheme, basicAuth, customAuth, tokenAuth } from '../../index.ts';
import { literal, membersOf, quote } from '../import/print/code.ts';
import type { Io } from '../io.ts';
import {
  credentialsOf,
  readHeaders,
  refuseAuthUrl,
  requireScheme,
  tokenRequestOf,
  urlsOf,
} from '../login.ts';

/** The login of a client. */
export interface Login {
  /** Its kind is the scheme that the API takes. */
  readonly auth: AuthScheme;
  /** Header fields beside it. */
  readonly headers: Readonly<Record<string, string>>;
  /** False where nothing was given. */
  readonly isLoggedIn: boolean;
  /** The options of `createClient` for it, without the secrets. */
  readonly code: string;
  /** The options of `restkin get` for it, without the secrets; undefined where it has none. */
  readonly getOptions: readonly string[] | undefined;
}

/** Stands for a value that is not shown. */
export const hidden = '…';

/** An object literal on one line, without the members that are undefined. */
const objectCode = (members: Readonly<Record<string, string | undefined>>): string => {
  const parts = membersOf(members);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
};

const hide = (values: object): string =>
  objectCode(Object.fromEntries(Object.keys(values).map((name) => [name, hidden])));

/**
 * The fields of `--header` alone, or with the login of the environment where they have none.
 *
 * @param tokenUrl - that of `--auth-url`
 */
export const loginOf = (given: readonly string[], io: Io, tokenUrl?: string): Login => {
  const headers = readHeaders(given);
  if (headers.authorization !== undefined) refuseAuthUrl('--header Authorization', tokenUrl);
  const credentials = credentialsOf(io);
  if (credentials === undefined || headers.authorization !== undefined) {
    const code = `auth: customAuth(() => (${hide(headers)}))`;
    const getOptions = Object.keys(headers).map((name) => `--header=${name}: ${hidden}`);
    return { auth: customAuth(() => headers), headers: {}, isLoggedIn: given.length > 0, code, getOptions };
  }
  // The header fields of `get` stand for a login.
  const isLoginAlone = given.length === 0;
  const headersCode = isLoginAlone ? '' : `, headers: ${hide(headers)}`;
  const { authUrl } = urlsOf({ authUrl: tokenUrl }, io);
  requireScheme('auth URL', authUrl);
  if (authUrl === undefined) {
    const code = `auth: basicAuth(${hide(credentials)})${headersCode}`;
    const getOptions = isLoginAlone ? [] : undefined;
    return { auth: basicAuth(credentials), headers, isLoggedIn: true, code, getOptions };
  }
  const { client, scope, tokenPath } = tokenRequestOf(io);
  const options = {
    authUrl: quote(authUrl),
    username: hidden,
    password: hidden,
    client: client && objectCode({ id: hidden, secret: client.secret && hidden }),
    scope: literal(scope),
    tokenPath: literal(tokenPath),
  };
  return {
    auth: tokenAuth({ authUrl, ...credentials, client, scope, tokenPath }),
    headers,
    isLoggedIn: true,
    code: `auth: tokenAuth(${objectCode(options)})${headersCode}`,
    getOptions: isLoginAlone ? [`--auth-url=${authUrl}`] : undefined,
  };
};
