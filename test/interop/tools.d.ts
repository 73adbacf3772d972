// What is used of the software of others. It is installed for `npm run interop` only, and the types are
// checked without it.

declare module '@node-oauth/oauth2-server' {
  namespace OAuth2Server {
    interface Token {
      readonly accessToken: string;
      readonly refreshToken?: string;
    }
    class Request {
      constructor(options: {
        readonly headers: object;
        readonly method: string;
        readonly query: object;
        readonly body: unknown;
      });
    }
    class Response {
      readonly status?: number;
      readonly headers?: Record<string, string>;
      readonly body?: unknown;
    }
  }
  class OAuth2Server {
    constructor(options: {
      readonly accessTokenLifetime: number;
      readonly model: {
        getClient(id: string, secret: string | null): Promise<object | false>;
        getUser(username: string, password: string): Promise<object | false>;
        saveToken(token: OAuth2Server.Token, client: object, user: object): Promise<OAuth2Server.Token>;
        getRefreshToken(refreshToken: string): Promise<object | false>;
        revokeToken(token: { readonly refreshToken: string }): Promise<boolean>;
        getAccessToken(accessToken: string): Promise<false>;
      };
    });
    token(request: OAuth2Server.Request, response: OAuth2Server.Response): Promise<unknown>;
  }
  export default OAuth2Server;
}

declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  interface Saved {
    readonly expiration: number;
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }
  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (
      values: object,
    ) => Saved;
    readonly AccessToken: new (
      values: object,
    ) => Saved;
    readonly RefreshToken: new (
      values: object,
    ) => Saved;
    registerGrantType<C>(
      name: string,
      grant: (context: C) => Promise<void>,
      parameters: readonly string[],
    ): void;
    callback(): RequestListener;
  }
  export const errors: { readonly InvalidGrant: new (detail: string) => Error };
}

declare module '@hey-api/openapi-ts' {
  /** Generates a client. */
  export function createClient(options: {
    readonly input: string;
    readonly output: string;
    readonly plugins: readonly string[];
    readonly logs: { readonly level: 'silent' };
  }): Promise<unknown>;
}
