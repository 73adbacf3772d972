import { tracingChannel } from 'node:diagnostics_channel';
import { createClient, NotFoundError, tokenAuth } from 'restkin';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { company, failureOf, login, order } from '../../support/basic-ordering.ts';
import { ordering } from '../../support/ordering.ts';
import { json } from '../../support/recording-server.ts';
import { serveTokens } from '../../support/token-server.ts';

type Event = readonly [string, Record<string, unknown>];

/** What a subscriber of a channel sees; a copy of each context as it is then. */
const subscribe = (name: string): Event[] => {
  const events: Event[] = [];
  const keep = (phase: string) => (context: object) => void events.push([phase, { ...context }]);
  const subscribers = {
    start: keep('start'),
    end: keep('end'),
    asyncStart: keep('asyncStart'),
    asyncEnd: keep('asyncEnd'),
    error: keep('error'),
  };
  const channel = tracingChannel(name);
  channel.subscribe(subscribers);
  onTestFinished(() => {
    channel.unsubscribe(subscribers);
  });
  return events;
};

const start = async (api = () => json(order(7))) => {
  const server = await serveTokens({ api });
  onTestFinished(() => server.close());
  const auth = tokenAuth({ authUrl: server.url, ...login });
  const client = createClient({ baseUrl: server.url, auth, retry: { baseDelayMs: 1 } });
  return { server, ...client.api(ordering) };
};

describe('tracing channels', () => {
  test('restkin:request: one for each call, with method and URL and without its result', async () => {
    const events = subscribe('restkin:request');
    const { server, orders } = await start();
    await orders.get(7);
    const context = { callId: expect.any(String), method: 'GET', url: `${server.url}/v1/orders/7` };
    expect(events.map(([phase]) => phase)).toEqual(['start', 'end', 'asyncStart', 'asyncEnd']);
    expect(events[0]).toEqual(['start', context]);
    expect(events.at(-1)).toEqual(['asyncEnd', { ...context, result: undefined }]);
  });

  test('restkin:token: one for each renewal, and no token in it', async () => {
    const events = subscribe('restkin:token');
    const { server, orders } = await start();
    await Promise.all([orders.get(7), orders.get(7)]);
    await orders.get(7);
    expect(events.filter(([phase]) => phase === 'start')).toEqual([['start', { authUrl: server.url }]]);
    expect(events.at(-1)).toEqual(['asyncEnd', { authUrl: server.url, result: undefined }]);
  });

  test('restkin:page: one for each page', async () => {
    const events = subscribe('restkin:page');
    const pages = [
      json([company(1)], 200, { link: '</v1/companies?page=2>; rel="next"' }),
      json([company(2)]),
    ];
    const { server, companies } = await start(() => pages.shift() ?? json([]));
    expect(await companies.list().toArray()).toHaveLength(2);
    const started = events.filter(([phase]) => phase === 'start').map(([, { url }]) => url);
    expect(started).toEqual([`${server.url}/v1/companies`, `${server.url}/v1/companies?page=2`]);
    expect(events.at(-1)?.[1].result).toBeUndefined();
  });

  test('a failure is an error event with the error that the caller gets', async () => {
    const events = subscribe('restkin:request');
    const { orders } = await start(() => json({ message: 'no' }, 404));
    const error = await failureOf(orders.get(7), NotFoundError);
    const failures = events.filter(([phase]) => phase === 'error');
    expect(failures).toHaveLength(1);
    expect(failures[0]?.[1].error).toBe(error);
  });

  test('an abort is an error event with the reason', async () => {
    const events = subscribe('restkin:request');
    const { orders } = await start();
    await expect(orders.get(7, { signal: AbortSignal.abort('enough') })).rejects.toBe('enough');
    expect(events.find(([phase]) => phase === 'error')?.[1].error).toBe('enough');
  });

  test('without a subscriber the channel is not used', async () => {
    const channels = ['request', 'token', 'page'].map((name) => tracingChannel(`restkin:${name}`));
    const { orders } = await start(() => json([order(7)]));
    const published = channels.map((channel) => vi.spyOn(channel.start, 'publish'));
    await orders.list();
    expect(published.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
  });
});
