import * as z from 'zod';
import { type Connect, credentials, nextOf, perPage } from '../wire.ts';

const Token = z.object({ access_token: z.string() });
const Thing = z.looseObject({
  id: z.number(),
  self: z.string(),
  name: z.string(),
  status: z.enum(['open', 'shipped', 'cancelled']),
  city: z.string(),
  quantity: z.int(),
  price: z.number(),
  createdAt: z.iso.datetime(),
});
const Things = z.array(Thing);

/** The built-in `fetch` by hand, with every answer checked by a schema. */
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
  const { access_token: token } = Token.parse(await login.json());
  const init = { headers: { accept: 'application/json', authorization: `Bearer ${token}` } };

  return {
    get: async (id) => Thing.parse(await (await load(`${baseUrl}/v1/things/${id}`, init)).json()),
    list: async function* () {
      let url: string | undefined = `${baseUrl}/v1/things?perPage=${perPage}`;
      while (url !== undefined) {
        const response = await load(url, init);
        for (const thing of Things.parse(await response.json())) yield thing;
        url = nextOf(response.headers.get('link'));
      }
    },
  };
};
