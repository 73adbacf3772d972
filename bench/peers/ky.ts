import ky from 'ky';
import { type Connect, credentials, nextOf, perPage, type Thing } from '../wire.ts';

export const connect: Connect = async ({ baseUrl, authUrl }) => {
  const login = ky.post(`${authUrl}/auth/token`, { body: new URLSearchParams(credentials) });
  const { access_token: token } = await login.json<{ access_token: string }>();
  const api = ky.create({ prefix: `${baseUrl}/v1`, headers: { authorization: `Bearer ${token}` } });
  const links = api.extend({ prefix: '' });

  return {
    get: (id) => api.get(`things/${id}`).json<Thing>(),
    list: async function* () {
      let url: string | undefined = `${baseUrl}/v1/things?perPage=${perPage}`;
      while (url !== undefined) {
        const response = await links.get(url);
        for (const thing of await response.json<Thing[]>()) yield thing;
        url = nextOf(response.headers.get('link'));
      }
    },
  };
};
