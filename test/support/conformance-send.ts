import { request } from 'node:http';
import type { ApiDeclaration } from 'restkin';

/** The user of the tests. */
export const login = { username: 'ada', password: 'lovelace' } as const;

/** `Authorization` of {@link login}, written out: the base64 of `ada:lovelace`. */
export const basicField = 'Basic YWRhOmxvdmVsYWNl';

/** A JSON object that nothing is known of. */
export type Row = Readonly<Record<string, unknown>>;

/** A response that was read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
}

/** What a request by plain `fetch` differs in from a GET with credentials. */
export interface SendOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a text as it is. */
  readonly body?: unknown;
  /** Sends no `Authorization` but that of `headers`. */
  readonly anonymous?: boolean;
}

/** Sends a request to a path, or to an absolute URL. */
export type Send = (path: string, options?: SendOptions) => Promise<Answer>;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Reads a response to its end. */
export const toAnswer = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
};

/** Asks the token endpoint (§4.1); the password grant of {@link login} by default. */
export const requestToken = async (
  authUrl: string,
  form: Readonly<Record<string, string>> = { grant_type: 'password', ...login },
): Promise<Answer> =>
  toAnswer(await fetch(`${authUrl}/auth/token`, { method: 'POST', body: new URLSearchParams(form) }));

/** A field of a JSON object that is a text. */
export const textOf = (json: unknown, name: string): string => String((json as Row)[name]);

/** The rows of a JSON array; a test that expects them expects an array. */
export const rowsOf = ({ json }: Answer): readonly Row[] => json as readonly Row[];

/** The ids of rows. */
export const idsOf = (rows: readonly { readonly id?: unknown }[]): readonly unknown[] =>
  rows.map(({ id }) => id);

/** The targets of the `Link` field of a response, by relation. */
export const linksOf = ({ headers }: Answer): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...(headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="([^"]*)"/g)].map(([, target, relation]) => [
      relation,
      target,
    ]),
  );

/** Sends requests with credentials of {@link login}: a token that is asked for once, or Basic. */
export const createSend = (url: string, authUrl: string, auth: ApiDeclaration['auth']): Send => {
  let bearer: Promise<string> | undefined;
  const authorization = async (): Promise<string> => {
    if (auth === 'basic') return basicField;
    bearer ??= requestToken(authUrl).then(({ json }) => `Bearer ${textOf(json, 'access_token')}`);
    return bearer;
  };
  return async (path, { method = 'GET', headers, body, anonymous = false } = {}) =>
    toAnswer(
      await fetch(new URL(path, url), {
        method,
        headers: {
          ...(anonymous ? {} : { authorization: await authorization() }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
};

/** The status of the response to a method that `fetch` refuses to send. */
export const statusBySocket = (url: string, method: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method }, (incoming) => {
      incoming.resume();
      incoming.once('end', () => resolve(incoming.statusCode));
    });
    sent.once('error', reject);
    sent.end();
  });
