import { ofetch } from 'ofetch';
import { type Connect, credentials, nextOf, perPage, type Thing } from '../wire.ts';

export const connect: Connect = async ({ baseUrl, authUrl }) => {
  const { access_token: token } = await ofetch<{ access_token: string }>(`${authUrl}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams(credentials),
  });
  const api = ofetch.create({ headers: { accept: 'application/json', authorization: `Bearer ${token}` } });

  return {
    get: (id) => api<Thing>(`${baseUrl}/v1/things/${id}`),
    list: async function* () {
      let url: string | undefined = `${baseUrl}/v1/things?perPage=${perPage}`;
      while (url !== undefined) {
        const response = await api.raw<Thing[]>(url);
        for (const thing of response._data ?? []) yield thing;
        url = nextOf(response.headers.get('link'));
      }
    },
  };
};
