import { basicAuth, createClient, type Fetch, TokenRequestError, tokenAuth } from 'restkin';
import { sealed } from 'restkin/sealed';
import type { Case, Surroundings } from '../case.ts';
import { connect } from '../connect.ts';
import { logins, stock } from '../declaration.ts';
import { expectEqual, rejectionAs } from '../expect.ts';
import type { Stage } from '../stage.ts';

const shareLogin = async (stage: Stage, { openSqlite }: Surroundings): Promise<void> => {
  const opened = await openSqlite?.();
  if (opened === undefined) throw new Error('There is no SQLite here');
  const { authUrl } = stage;
  const key = crypto.getRandomValues(new Uint8Array(32));
  // Two schemes, as two processes have them.
  const [first, second] = [1, 2].map(() => {
    const store = sealed(opened.store, key);
    return connect(stage, { auth: tokenAuth({ authUrl, ...logins.ada, store }) });
  });
  try {
    await first?.orders.get(1);
    await second?.orders.get(2);
    await stage.advance({ minutes: 11 });
    await Promise.all([first?.orders.get(3), second?.orders.get(4)]);
  } finally {
    await opened.close();
  }
  expectEqual((await stage.seen()).grants, ['password 200', 'refresh_token 200'], 'Grants');
};

/** A refresh that the server has done, and whose response is lost. */
const loseRefresh = async (stage: Stage, fetch?: Fetch): Promise<void> => {
  const { orders } = connect(stage, fetch && { fetch });
  await orders.get(1);
  await stage.advance({ minutes: 11 });
  await stage.fault({ token: true, cut: 'response' });
  await orders.get(2);
  const { grants } = await stage.seen();
  const refreshes = grants.filter((grant) => grant.startsWith('refresh_token'));
  expectEqual(refreshes.length, 1, 'Refresh requests at the server');
  expectEqual(grants.at(-1), 'password 200', 'Last grant');
};

/** §5. */
export const loginCases: readonly Case[] = [
  {
    name: '§5.2.4 many calls with an expired token lead to one refresh, and all of them succeed',
    run: async (stage) => {
      const { orders } = connect(stage);
      await orders.get(1);
      await stage.advance({ minutes: 11 });
      await Promise.all(Array.from({ length: 20 }, (_, index) => orders.get(index + 1)));
      expectEqual((await stage.seen()).grants, ['password 200', 'refresh_token 200'], 'Grants');
    },
  },
  {
    name: '§5.2.7 a refresh token whose response is lost is not resent: the password follows',
    run: (stage) => loseRefresh(stage),
  },
  {
    name: '§5.2.7 the same with the `fetch` that the guide to runtimes advises',
    needs: 'advisedFetch',
    run: (stage, { advisedFetch }) => loseRefresh(stage, advisedFetch),
  },
  {
    name: '§5.2.7 two clients share one login in an encrypted SQLite store',
    needs: 'openSqlite',
    run: shareLogin,
  },
  {
    name: '§5.1 Basic credentials are sent as UTF-8',
    run: async ({ apiUrl }) => {
      const client = createClient({ baseUrl: apiUrl, auth: basicAuth(logins.zoe) });
      expectEqual((await client.api(stock).parts.get(7)).name, 'Company 7', 'Name');
    },
  },
  {
    name: 'a redirect of the token endpoint is `TokenRequestError`, and the password is not sent there',
    run: async (stage) => {
      const headers = { location: `${stage.otherUrl}/auth/token` };
      await stage.fault({ token: true, status: 307, headers, times: 10 });
      await rejectionAs(TokenRequestError, connect(stage).orders.get(1));
      expectEqual((await stage.seen()).atOther, [], 'Requests at the other origin');
    },
  },
];
