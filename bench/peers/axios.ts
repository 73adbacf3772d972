import { Agent } from 'node:http';
import axios from 'axios';
import { type Connect, credentials, nextOf, perPage, type Thing } from '../wire.ts';

export const connect: Connect = async ({ baseUrl, authUrl }) => {
  const httpAgent = new Agent({ keepAlive: true });
  const login = await axios.post<{ access_token: string }>(
    `${authUrl}/auth/token`,
    new URLSearchParams(credentials),
    { httpAgent },
  );
  const api = axios.create({
    baseURL: `${baseUrl}/v1/`,
    httpAgent,
    headers: { accept: 'application/json', authorization: `Bearer ${login.data.access_token}` },
  });

  return {
    get: async (id) => (await api.get<Thing>(`things/${id}`)).data,
    list: async function* () {
      let url: string | undefined = `things?perPage=${perPage}`;
      while (url !== undefined) {
        const { data, headers } = await api.get<Thing[]>(url);
        for (const thing of data) yield thing;
        url = nextOf(headers.link);
      }
    },
  };
};
