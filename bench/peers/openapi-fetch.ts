import createClient from 'openapi-fetch';
import { type Connect, credentials, nextOf, perPage, type Thing } from '../wire.ts';

/** As openapi-typescript writes it. */
interface Paths {
  '/v1/things': {
    get: {
      parameters: { query: { page: number; perPage: number } };
      responses: { 200: { content: { 'application/json': Thing[] } } };
    };
  };
  '/v1/things/{id}': {
    get: {
      parameters: { path: { id: number } };
      responses: { 200: { content: { 'application/json': Thing } } };
    };
  };
}

/** openapi-fetch makes URLs from the paths of a document, so it reads the next page by its number. */
export const connect: Connect = async ({ baseUrl, authUrl }) => {
  const login = await fetch(`${authUrl}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams(credentials),
  });
  const { access_token: token } = (await login.json()) as { access_token: string };
  const api = createClient<Paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
  const load = async (page: number) => {
    const query = { page, perPage };
    const { data, response } = await api.GET('/v1/things', { params: { query } });
    return { data: data ?? [], next: nextOf(response.headers.get('link')) };
  };

  return {
    get: async (id) => {
      const { data, response } = await api.GET('/v1/things/{id}', { params: { path: { id } } });
      if (data === undefined) throw new Error(`The answer was ${response.status}`);
      return data;
    },
    list: async function* () {
      for (let page: number | undefined = 1; page !== undefined; ) {
        const { data, next } = await load(page);
        for (const thing of data) yield thing;
        page = next === undefined ? undefined : page + 1;
      }
    },
  };
};
