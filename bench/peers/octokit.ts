import { Octokit } from '@octokit/core';
import { paginateRest } from '@octokit/plugin-paginate-rest';
import { type Connect, credentials, perPage, type Thing } from '../wire.ts';

const Paginating = Octokit.plugin(paginateRest);

export const connect: Connect = async ({ baseUrl, authUrl }) => {
  const login = await fetch(`${authUrl}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams(credentials),
  });
  const { access_token: token } = (await login.json()) as { access_token: string };
  // A JSON web token is sent as Bearer.
  const octokit = new Paginating({ baseUrl, auth: token });

  return {
    get: async (id) => (await octokit.request<Thing>('GET /v1/things/{id}', { id })).data,
    list: async function* () {
      for await (const { data } of octokit.paginate.iterator<Thing>('GET /v1/things', { perPage })) {
        for (const thing of data) yield thing;
      }
    },
  };
};
