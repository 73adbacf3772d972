import { type ApiDeclaration, basicAuth, type Client, type ClientOptions, createClient } from 'restkin';

/** A request as a test answers it. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

const statuses: Readonly<Record<string, number>> = { GET: 200, POST: 201, PUT: 204, PATCH: 204, DELETE: 204 };

/** A client of an API whose answers a test makes up, value by value; Basic, so that nothing else is asked. */
export const connect = <const A extends ApiDeclaration>(
  declaration: A,
  answer: (asked: Asked) => unknown,
  options: Partial<ClientOptions> = {},
) => {
  const asked: Asked[] = [];
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
      asked.push(one);
      const status = statuses[request.method] ?? 200;
      const headers = { 'content-type': 'application/json', location: `${request.url}/1` };
      const body = status === 204 ? null : JSON.stringify(answer(one));
      return new Response(body, { status, headers });
    },
    ...options,
  });
  return {
    client,
    api: client.api(declaration),
    asked,
    /** The bodies that were sent, in order. */
    bodies: () => asked.map(({ body }) => body).filter((body) => body !== undefined),
  };
};
