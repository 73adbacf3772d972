import { request } from 'undici';
import { type Connect, credentials, nextOf, perPage, type Thing } from '../wire.ts';

/** undici's `request`: the fastest that Node has, without the objects of `fetch`. */
export const connect: Connect = async ({ baseUrl, authUrl }) => {
  const login = await request(`${authUrl}/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(credentials).toString(),
  });
  const { access_token: token } = (await login.body.json()) as { access_token: string };
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  const load = async (url: string) => {
    const response = await request(url, { headers });
    if (response.statusCode !== 200) throw new Error(`${url} was answered with ${response.statusCode}`);
    return { link: String(response.headers.link ?? ''), data: await response.body.json() };
  };

  return {
    get: async (id) => (await load(`${baseUrl}/v1/things/${id}`)).data as Thing,
    list: async function* () {
      let url: string | undefined = `${baseUrl}/v1/things?perPage=${perPage}`;
      while (url !== undefined) {
        const { link, data } = await load(url);
        for (const thing of data as Thing[]) yield thing;
        url = nextOf(link);
      }
    },
  };
};
