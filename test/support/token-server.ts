import {
  json,
  type RecordedRequest,
  type RecordingServer,
  type Reply,
  type Respond,
  record,
} from './recording-server.ts';

/** How a token server differs from one where everything goes well. */
export interface TokenServerOptions {
  /** In front of the tokens' names; empty by default. */
  readonly prefix?: string;
  /** Seconds; 600 by default (§8). */
  readonly expiresIn?: number;
  /** Replaces the response to a token request; undefined for the usual one. */
  readonly token?: (form: URLSearchParams, index: number) => Reply | undefined | Promise<Reply | undefined>;
  /** What a request with a valid token gets. */
  readonly api?: Respond;
}

/** A token endpoint (§4.1) and an API (§5.2.9) on one origin, with tokens that are called by number. */
export interface TokenServer extends RecordingServer {
  /** The forms of the token requests, in order. */
  readonly forms: readonly URLSearchParams[];
  /** The requests to the API, in order. */
  readonly calls: readonly RecordedRequest[];
  /** From now on every access token given before gets 401. */
  expire(): void;
}

export const isTokenRequest = ({ url }: RecordedRequest): boolean => url.endsWith('/auth/token');

export const unauthorized = json({ message: 'Invalid or no token' }, 401);

/** A token response (§2.2). */
export const tokenReply = (access: string, refresh: string, expiresIn = 600): Reply =>
  json({
    access_token: access,
    expires_in: expiresIn,
    token_type: 'bearer',
    refresh_expires_in: 2592000,
    refresh_token: refresh,
  });

/** Starts a server whose n-th token response holds `access-n` and `refresh-n`; a refresh token works once. */
export const serveTokens = async (options: TokenServerOptions = {}): Promise<TokenServer> => {
  const { prefix = '', expiresIn = 600, token = () => undefined, api = () => json({ ok: true }) } = options;
  const forms: URLSearchParams[] = [];
  const calls: RecordedRequest[] = [];
  const valid = new Set<string>();
  const unused = new Set<string>();

  const grant = async (form: URLSearchParams): Promise<Reply> => {
    const number = forms.push(form);
    const special = await token(form, number - 1);
    if (special !== undefined) return special;
    const isRefresh = form.get('grant_type') === 'refresh_token';
    if (isRefresh && !unused.delete(form.get('refresh_token') ?? '')) return unauthorized;
    const [access, refresh] = [`${prefix}access-${number}`, `${prefix}refresh-${number}`];
    valid.add(access);
    unused.add(refresh);
    return tokenReply(access, refresh, expiresIn);
  };

  const server = await record((request, _index, response) => {
    if (isTokenRequest(request)) return grant(new URLSearchParams(request.body));
    const index = calls.push(request) - 1;
    const { authorization = '' } = request.headers;
    return valid.has(authorization.replace(/^Bearer /, '')) ? api(request, index, response) : unauthorized;
  });
  return { ...server, forms, calls, expire: () => valid.clear() };
};

/** Who sent each request, as `Authorization` says it. */
export const credentialsOf = (requests: readonly RecordedRequest[]): readonly (string | undefined)[] =>
  requests.map(({ headers }) => headers.authorization);

/** The grants of a token server, in order. */
export const grantsOf = ({ forms }: TokenServer): readonly (string | null)[] =>
  forms.map((form) => form.get('grant_type'));
