// What a test page has: the sources, bundled, as the global `restkin`.
import { indexedDbStore } from '../../src/adapters/indexeddb.ts';
import { sealed } from '../../src/adapters/sealed.ts';
import { createClient, type Fetch, ReauthenticationRequiredError, tokenAuth } from '../../src/index.ts';

export * from '../../src/index.ts';
export { checkTokenStore } from '../support/token-store-rules.ts';
export { indexedDbStore, sealed };

/** How a page takes part in a login. */
export interface Part {
  /** Sent with each request, so that the server knows the tab. */
  readonly tab: string;
  readonly leaseMs: number;
  /** Only the tab of a person who logs in has it. */
  readonly password?: string;
}

/** A client of the server that the page came from. */
export const openClient = ({ tab, leaseMs, password }: Part) => {
  const fetchAs: Fetch = (input, init) => {
    const request = new Request(input, init);
    request.headers.set('x-tab', tab);
    return fetch(request);
  };
  const credentials = () => {
    if (password === undefined) throw new ReauthenticationRequiredError('nobody is logged in');
    return { username: 'ada', password };
  };
  const store = indexedDbStore();
  const url = location.origin;
  const auth = tokenAuth({
    authUrl: url,
    username: 'ada',
    credentials,
    store,
    leaseMs,
    timeoutMs: leaseMs / 2,
  });
  const events: unknown[] = [];
  const client = createClient({
    baseUrl: url,
    auth,
    fetch: fetchAs,
    on: { token: (event) => events.push(event) },
  });
  /** One call; the name of its error when it fails. */
  const call = (): Promise<string | undefined> =>
    Promise.resolve(client.request({ method: 'GET', path: 'v1/things' })).then(
      () => undefined,
      ({ name }: Error) => name,
    );
  return { auth, call, events };
};

/** Calls one after the other as long as the page is there, and reports each failure. */
const keepCalling = async (
  tab: string,
  call: () => Promise<string | undefined>,
  reportTo: string,
): Promise<void> => {
  for (;;) {
    const failure = await call();
    if (failure !== undefined) {
      const body = JSON.stringify({ tab, failure });
      await fetch(reportTo, { method: 'POST', mode: 'no-cors', body }).catch(() => undefined);
    }
    await new Promise((resolve) => setTimeout(resolve, failure === undefined ? 5 : 50));
  }
};

/** Lets the client of a SharedWorker, which outlives each tab, make the calls. */
const callInWorker = (leaseMs: number): (() => Promise<string | undefined>) => {
  const { port } = new SharedWorker(`/page.js?lease=${leaseMs}`);
  return () =>
    new Promise((resolve) => {
      port.onmessage = ({ data }: MessageEvent<string | undefined>) => resolve(data);
      port.postMessage('call');
    });
};

/** What such a worker does. */
const serveTabs = (part: Part): void => {
  const { call } = openClient(part);
  addEventListener('connect', (event) => {
    const [port] = (event as MessageEvent).ports;
    if (port === undefined) return;
    port.onmessage = () => void call().then((failure) => port.postMessage(failure));
  });
};

const given = new URLSearchParams(location.search);
const [tab, reports, leaseMs] = [given.get('tab'), given.get('reports'), Number(given.get('lease'))];
if (!('document' in globalThis)) serveTabs({ tab: 'worker', leaseMs });
else if (tab !== null && reports !== null) {
  const call = given.has('worker') ? callInWorker(leaseMs) : openClient({ tab, leaseMs }).call;
  void keepCalling(tab, call, reports);
}
