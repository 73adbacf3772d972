import { type Connect, credentials, nextOf, perPage, type Thing } from '../wire.ts';

/** The built-in `fetch` by hand: the reference that everything is compared with. */
export const connect: Connect = async ({ baseUrl, authUrl }) => {
  const load = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    if (!response.ok) throw new Error(`${url} was answered with ${response.status}`);
    return response;
  };
  const login = await load(`${authUrl}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams(credentials),
  });
  const { access_token: token } = (await login.json()) as { access_token: string };
  const init = { headers: { accept: 'application/json', authorization: `Bearer ${token}` } };

  return {
    get: async (id) => (await load(`${baseUrl}/v1/things/${id}`, init)).json() as Promise<Thing>,
    list: async function* () {
      let url: string | undefined = `${baseUrl}/v1/things?perPage=${perPage}`;
      while (url !== undefined) {
        const response = await load(url, init);
        for (const thing of (await response.json()) as Thing[]) yield thing;
        url = nextOf(response.headers.get('link'));
      }
    },
  };
};
