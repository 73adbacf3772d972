import { basicAuth, createClient, type Fetch, InvalidCredentialsError, tokenAuth } from 'restkin';
import { sealed } from 'restkin/sealed';
import type { Case, Surroundings } from '../case.ts';
import { connect } from '../connect.ts';
import { logins, stock } from '../declaration.ts';
import { expectEqual, expectTrue, rejectionAs } from '../expect.ts';
import type { Stage } from '../stage.ts';

const clientAt = ({ apiUrl, authUrl }: Stage, password: string) =>
  connect({ apiUrl, authUrl }, { auth: tokenAuth({ authUrl, username: 'ada', password }) });

/** Tokens as a person's login gives them: asked of the token endpoint by hand. */
const askTokens = async ({ authUrl }: Stage) => {
  const body = new URLSearchParams({ grant_type: 'password', ...logins.ada });
  const response = await fetch(`${authUrl}/auth/token`, { method: 'POST', body });
  const tokens = (await response.json()) as Readonly<Record<'access_token' | 'refresh_token', string>>;
  return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token };
};

const shareLogin = async (stage: Stage, { openSqlite }: Surroundings): Promise<void> => {
  const opened = await openSqlite?.();
  if (opened === undefined) throw new Error('There is no SQLite here');
  const { apiUrl, authUrl } = stage;
  const key = crypto.getRandomValues(new Uint8Array(32));
  // Two schemes, as two processes have them.
  const [first, second] = [1, 2].map(() => {
    const store = sealed(opened.store, key);
    return connect({ apiUrl, authUrl }, { auth: tokenAuth({ authUrl, ...logins.ada, store }) });
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

/** A refresh that the server has done, and whose answer is lost. */
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
export const authentication: readonly Case[] = [
  {
    name: '§5.2.1 the first call logs in, once for all calls that wait for it',
    run: async (stage) => {
      const { orders } = connect(stage);
      await Promise.all([1, 2, 3, 4, 5].map((id) => orders.get(id)));
      const { grants, requests } = await stage.seen();
      expectEqual(grants, ['password 200'], 'Grants');
      expectEqual(
        requests.map(({ status }) => status),
        [200, 200, 200, 200, 200],
        'Answers',
      );
    },
  },
  {
    name: '§5.2.4 many calls with an expired token lead to one refresh, and all of them succeed',
    run: async (stage) => {
      const { orders } = connect(stage);
      await orders.get(1);
      await stage.advance({ minutes: 11 });
      const ids = Array.from({ length: 20 }, (_, index) => index + 1);
      const found = await Promise.all(ids.map((id) => orders.get(id)));
      expectEqual(
        found.map(({ id }) => id),
        ids,
        'Orders',
      );
      expectEqual((await stage.seen()).grants, ['password 200', 'refresh_token 200'], 'Grants');
    },
  },
  {
    name: '§5.2.7 each refresh token is sent once: every renewal uses the latest one',
    run: async (stage) => {
      const { orders } = connect(stage);
      for (const id of [1, 2, 3, 4]) {
        await orders.get(id);
        await stage.advance({ minutes: 11 });
      }
      const refreshed = 'refresh_token 200';
      expectEqual((await stage.seen()).grants, ['password 200', refreshed, refreshed, refreshed], 'Grants');
    },
  },
  {
    name: '§5.2.7 a refresh token whose response is lost is not resent: the password follows',
    run: (stage) => loseRefresh(stage),
  },
  {
    name: '§5.2.7 the same with the `fetch` that the production guide advises',
    needs: 'advisedFetch',
    run: (stage, { advisedFetch }) => loseRefresh(stage, advisedFetch),
  },
  {
    name: '§5.2.3 a token whose `exp` has passed is renewed before it is used, without a 401',
    run: async (stage) => {
      await stage.advance({ minutes: -20 });
      const tokens = await askTokens(stage);
      await stage.advance({ minutes: 20 });
      const { authUrl } = stage;
      await connect(stage, { auth: tokenAuth({ authUrl, tokens }) }).orders.get(1);
      const { grants, requests } = await stage.seen();
      expectEqual(grants, ['password 200', 'refresh_token 200'], 'Grants');
      expectEqual(requests.length, 1, 'Requests');
    },
  },
  {
    name: '§7.1 a wrong password is `InvalidCredentialsError`, is not resent, and no message holds it',
    run: async (stage) => {
      const { orders } = clientAt(stage, 'canary-4711');
      for (const id of [1, 2]) {
        const error = await rejectionAs(InvalidCredentialsError, orders.get(id));
        const told = `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
        expectTrue(!told.includes('canary'), 'The password stands in the error');
      }
      expectEqual((await stage.seen()).grants, ['password 401'], 'Grants');
    },
  },
  {
    name: '§5.1 Basic credentials are sent as UTF-8',
    run: async ({ apiUrl }) => {
      const client = createClient({ baseUrl: apiUrl, auth: basicAuth(logins.zoe) });
      expectEqual((await client.api(stock).parts.get(7)).name, 'Company 7', 'Name');
    },
  },
  {
    name: '§5.2.7 two clients share one login in an encrypted SQLite store',
    needs: 'openSqlite',
    run: shareLogin,
  },
];
