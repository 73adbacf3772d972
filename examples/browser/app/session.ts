// Who is logged in: in all tabs, and after a reload.
import { useSyncExternalStore } from 'react';
import { createClient, ReauthenticationRequiredError, tokenAuth } from 'restkin';
import { indexedDbStore } from 'restkin/indexeddb';
import { queries } from 'restkin/query';
import { ordering } from '../../ordering.ts';

const apiUrl = document.querySelector<HTMLMetaElement>('meta[name=api]')?.content ?? '';

// The tokens are in IndexedDB, for every tab. The name of the user tells a tab which login to continue.
const store = indexedDbStore();
const nameKey = 'username';

const open = (username: string, password?: string) => {
  const credentials = () => {
    if (password === undefined) throw new ReauthenticationRequiredError('nobody is logged in');
    return { username, password };
  };
  // A late call of an earlier login ends no newer one.
  const end = (): void => {
    if (current?.client === orders) leave();
  };
  const auth = tokenAuth({ authUrl: apiUrl, username, credentials, store });
  const client = createClient({
    baseUrl: apiUrl,
    auth,
    on: {
      token: ({ reason }) => {
        if (reason === 'reauthenticationRequired') end();
      },
    },
  });
  const { orders } = client.api(ordering);
  return {
    username,
    client: orders,
    orders: queries(client, ordering).orders,
    signOut: () => auth.signOut().finally(end),
  };
};

/** The login of this tab, with the client and the queries of its orders. */
export type Session = ReturnType<typeof open>;

const kept = localStorage.getItem(nameKey);
let current: Session | undefined = kept === null ? undefined : open(kept);
const listeners = new Set<() => void>();

const change = (next: Session | undefined): void => {
  current = next;
  for (const listener of listeners) listener();
};

const leave = (): void => {
  localStorage.removeItem(nameKey);
  change(undefined);
};

// Another tab logged in, or out.
addEventListener('storage', ({ key, newValue }) => {
  if (key === nameKey) change(newValue === null ? undefined : open(newValue));
});

/** Logs in: the first request sends the password. */
export const logIn = async (username: string, password: string): Promise<void> => {
  const next = open(username, password);
  await next.client.list({ perPage: 1 });
  localStorage.setItem(nameKey, username);
  change(next);
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The session; undefined when nobody is logged in. */
export const useSession = (): Session | undefined => useSyncExternalStore(subscribe, () => current);
