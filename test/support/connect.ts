import { type ApiDeclaration, basicAuth, type Client, type ClientOptions, createClient } from 'restkin';

/** A request that a test responds to. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

const statuses: Readonly<Record<string, number>> = { GET: 200, POST: 201, PUT: 204, PATCH: 204, DELETE: 204 };

/**
 * A client of an API whose responses a test makes, value by value; with Basic, so that there are no token
 * requests.
 */
export const connect = <const A extends ApiDeclaration>(
  declaration: A,
  respond: (sent: SentRequest) => unknown,
  options: Partial<ClientOptions> = {},
) => {
  const sent: SentRequest[] = [];
  const client: Client = createClient({
    baseUrl: 'https://api.test',
    auth: basicAuth({ username: 'ada', password: 'lovelace' }),
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const text = await request.text();
      const one = {
        method: request.method,
        url: request.url,
        body: text === '' ? undefined : JSON.parse(text),
      };
      sent.push(one);
      const status = statuses[request.method] ?? 200;
      const headers = { 'content-type': 'application/json', location: `${request.url}/1` };
      const body = status === 204 ? null : JSON.stringify(respond(one));
      return new Response(body, { status, headers });
    },
    ...options,
  });
  return {
    client,
    api: client.api(declaration),
    sent,
    /** The bodies that were sent, in order. */
    bodies: () => sent.map(({ body }) => body).filter((body) => body !== undefined),
  };
};
