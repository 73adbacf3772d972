import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import OAuth2Server from '@node-oauth/oauth2-server';
import Provider, { errors } from 'oidc-provider';

export const user = { username: 'ada', password: 'lovelace' } as const;
export const client = { id: 'shop', secret: 'shop-secret-value' } as const;

/** What a token server was asked, and what it found. */
export interface TokenServer extends AsyncDisposable {
  readonly url: string;
  /** The `grant_type` of each token request, in order. */
  readonly grants: readonly string[];
  /** How many refresh tokens were sent more than once. */
  readonly reused: () => number;
}

const listen = async (open: (url: string) => RequestListener): Promise<TokenServer> => {
  const grants: string[] = [];
  const refreshTokens: string[] = [];
  let listener: RequestListener = () => undefined;
  const receive = async (
    request: IncomingMessage & { body?: unknown },
    response: ServerResponse,
  ): Promise<void> => {
    const body = Object.fromEntries(new URLSearchParams(await text(request)));
    grants.push(String(body.grant_type));
    if (body.refresh_token !== undefined) refreshTokens.push(body.refresh_token);
    // Both servers take a body that was parsed before them.
    request.body = body;
    listener(request, response);
  };
  const server = createServer((request, response) => void receive(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  listener = open(url);
  return {
    url,
    grants,
    reused: () => refreshTokens.length - new Set(refreshTokens).size,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** `@node-oauth/oauth2-server` with its tokens in memory. */
export const startNodeOAuth = (): Promise<TokenServer> =>
  listen(() => {
    const tokens = new Map<string, OAuth2Server.Token>();
    const application = { id: client.id, grants: ['password', 'refresh_token'] };
    const server = new OAuth2Server({
      accessTokenLifetime: 600,
      model: {
        getClient: async (id, secret) =>
          id === client.id && (secret === null || secret === client.secret) ? application : false,
        getUser: async (username, password) =>
          username === user.username && password === user.password ? { username } : false,
        saveToken: async (token, owner, who) => {
          const saved = { ...token, client: owner, user: who };
          tokens.set(String(token.refreshToken), saved);
          return saved;
        },
        getRefreshToken: async (refreshToken) => {
          const token = tokens.get(refreshToken);
          return token === undefined ? false : { ...token, refreshToken };
        },
        revokeToken: async ({ refreshToken }) => tokens.delete(refreshToken),
        getAccessToken: async () => false,
      },
    });
    const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const answer = new OAuth2Server.Response();
      const asked = new OAuth2Server.Request({
        headers: request.headers,
        method: request.method ?? '',
        query: {},
        body: (request as { body?: unknown }).body,
      });
      // An error of the server has filled the response, too.
      await server.token(asked, answer).catch(() => undefined);
      response.writeHead(answer.status ?? 500, { ...answer.headers, 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    };
    return (request, response) => void respond(request, response);
  });

/** `oidc-provider` with the password grant, which it leaves to its users. */
export const startOidcProvider = (): Promise<TokenServer> =>
  listen((url) => {
    const provider = new Provider(url, {
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          grant_types: ['password', 'refresh_token'],
          redirect_uris: [],
          response_types: [],
        },
      ],
      routes: { token: '/auth/token' },
      features: { devInteractions: { enabled: false } },
      rotateRefreshToken: true,
      findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    });
    const scope = 'openid offline_access';
    const grantPassword = async (context: PasswordContext): Promise<void> => {
      const { params, client: asking } = context.oidc;
      if (params.username !== user.username || params.password !== user.password)
        throw new errors.InvalidGrant('wrong username or password');
      const grant = new provider.Grant({ accountId: user.username, clientId: asking.clientId });
      grant.addOIDCScope(scope);
      const grantId = await grant.save();
      const common = { accountId: user.username, client: asking, grantId, gty: 'password', scope };
      const access = new provider.AccessToken(common);
      const refresh = new provider.RefreshToken(common);
      context.body = {
        access_token: await access.save(),
        refresh_token: await refresh.save(),
        expires_in: access.expiration,
        token_type: 'Bearer',
      };
    };
    provider.registerGrantType('password', grantPassword, ['username', 'password']);
    return provider.callback();
  });

interface PasswordContext {
  readonly oidc: {
    readonly params: { readonly username?: string; readonly password?: string };
    readonly client: { readonly clientId: string };
  };
  body: unknown;
}
