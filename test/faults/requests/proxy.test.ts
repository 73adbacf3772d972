import { AmbiguousOutcomeError } from 'restkin';
import { createMock, serve } from 'restkin/mocks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { basicOrdering, connect, failureOf } from '../../support/basic-ordering.ts';
import { type ProxyFault, startFaultProxy } from '../../support/fault-proxy.ts';

// The mock as the server, and a proxy that loses what it says: what did the server do, and how often?

const body = { name: 'Acme', city: 'Utrecht' };

const start = async () => {
  const mock = createMock(basicOrdering, { data: { companies: [{ id: 1, ...body }] } });
  const server = await serve(mock);
  const proxy = await startFaultProxy(server.url);
  onTestFinished(async () => {
    await proxy[Symbol.asyncDispose]();
    await server.close();
  });
  // Each request on a connection of its own, so that a fault meets the request it is meant for.
  const options = { headers: { connection: 'close' }, retry: { baseDelayMs: 1 } };
  return { mock, proxy, ...connect(proxy.url, options) };
};

describe.each(['after', 'reset'] as const)('the response is lost (%s)', (fault: ProxyFault) => {
  test('a POST was done once, is not resent, and is ambiguous', async () => {
    const { companies, mock, proxy } = await start();
    proxy.faults.push(fault);
    await failureOf(companies.create(body), AmbiguousOutcomeError);
    expect(mock.requests.map(({ method, status }) => [method, status])).toEqual([['POST', 201]]);
    expect((await companies.list()).totalCount).toBe(2);
  });

  test('a GET is resent', async () => {
    const { companies, mock, proxy } = await start();
    proxy.faults.push(fault, fault);
    expect((await companies.get(1)).name).toBe('Acme');
    expect(mock.requests).toHaveLength(3);
  });

  test('a DELETE is not resent by default', async () => {
    const { companies, mock, proxy } = await start();
    proxy.faults.push(fault);
    await failureOf(companies.delete(1), AmbiguousOutcomeError);
    expect(mock.requests).toHaveLength(1);
  });
});

test('a connection that is lost before the server gets the request counts as sent, because the client cannot know', async () => {
  const { companies, mock, proxy } = await start();
  proxy.faults.push('before');
  await failureOf(companies.create(body), AmbiguousOutcomeError);
  expect(mock.requests).toHaveLength(0);
  expect(proxy.connections()).toBe(1);
});
