import { type DiagnoseOptions, diagnose } from 'restkin/doctor';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { office } from '../../support/endpoints.ts';
import { type Break, breakServer, findingOf, login, type Reply, reach } from './server.ts';

const rule = '§2.1 specific fields';

/** Examines a mock of an API with endpoints that is broken in one way. */
const examineOffice = async (
  change: Break = (seen, next) => next(seen),
  options: Partial<DiagnoseOptions> = {},
) => {
  const mock = createMock(office, { users: [login], generate: 3 });
  const diagnosis = await diagnose(office, { ...reach(breakServer(mock.respond, change)), ...options });
  return { ...diagnosis, mock };
};

/** Changes the response of the settings. */
const settingsAs =
  (change: (reply: Reply) => Partial<Reply>): Break =>
  async (seen, next) => {
    const reply = await next(seen);
    return seen.url.pathname === '/v1/settings' ? { ...reply, ...change(reply) } : reply;
  };

describe('GET endpoints without required parameters', () => {
  test('are requested once, and others are listed as not told', async () => {
    const diagnosis = await examineOffice();
    expect(diagnosis.counts.fail).toBe(0);
    expect(findingOf(diagnosis, rule, 'settings')?.outcome).toBe('pass');
    expect(findingOf(diagnosis, rule, 'latestOrder')?.outcome).toBe('pass');
    const reasons = {
      audio: 'its path has parameters: id',
      transcript: 'its path has parameters: id',
      'orders.history': 'its path has parameters: id',
      saveSettings: 'PUT may change something',
      report: 'POST may change something',
      'orders.cancel': 'POST may change something',
    };
    for (const [where, reason] of Object.entries(reasons))
      expect(findingOf(diagnosis, rule, where)).toMatchObject({ outcome: 'cannotTell', reason });
    const sent = diagnosis.mock.requests.map(({ method, path }) => `${method} ${path}`);
    const ofEndpoints = sent.filter((line) => !/ \/v1\/(?:orders|companies)\b/.test(line));
    expect(ofEndpoints).toEqual(['GET /v1/settings', 'GET /v1/latest-order']);
  });

  test('are judged with the login of the API, whose credentials no finding shows', async () => {
    const diagnosis = await examineOffice(settingsAs(() => ({ body: '{}' })));
    const finding = findingOf(diagnosis, rule, 'settings');
    expect(finding).toHaveProperty('exchange.request', expect.stringContaining('authorization: Basic ***'));
    expect(JSON.stringify(diagnosis)).not.toContain(login.password);
  });

  test('fail where a field does not fit, which is named without its value', async () => {
    const body = JSON.stringify({ currency: 'ada@example.com', since: 'a-secret' });
    const diagnosis = await examineOffice(settingsAs(() => ({ body })));
    expect(findingOf(diagnosis, rule, 'settings')).toMatchObject({
      outcome: 'fail',
      isFatal: true,
      expected: 'data that fits the declaration',
      found: '`since` that does not fit',
    });
    expect(diagnosis.works).toBe(false);
    expect(JSON.stringify(diagnosis)).not.toMatch(/ada@example|a-secret/);
  });

  test.each([
    ['another status', () => ({ status: 404 }), '404'],
    [
      'no JSON',
      () => ({ body: '<p>', headers: new Headers({ 'content-type': 'text/html' }) }),
      '200 with text/html',
    ],
    ['202 without `accepts`', () => ({ status: 202, body: '' }), '202 with application/json'],
  ])('fail with %s', async (_name, change, found) => {
    const diagnosis = await examineOffice(settingsAs(change));
    expect(findingOf(diagnosis, rule, 'settings')).toMatchObject({ outcome: 'fail', isFatal: true, found });
  });

  test.each([401, 403])('are not judged where this user gets %i', async (status) => {
    const finding = findingOf(await examineOffice(settingsAs(() => ({ status }))), rule, 'settings');
    expect(finding).toMatchObject({ outcome: 'cannotTell' });
    expect(finding).toHaveProperty(
      'reason',
      expect.stringMatching(new RegExp(`/v1/settings got ${status}$`)),
    );
  });

  test('are requested within the budget of requests', async () => {
    const diagnosis = await examineOffice(undefined, { maxRequests: 1 });
    expect(diagnosis.requests).toBe(1);
    expect(findingOf(diagnosis, rule, 'settings')).toMatchObject({
      outcome: 'cannotTell',
      reason: 'the budget of 1 requests is spent',
    });
  });

  test('end with the run', async () => {
    const stop = new AbortController();
    const run = examineOffice(
      (seen, next) => {
        if (seen.url.pathname === '/v1/settings') stop.abort(new Error('stopped'));
        return next(seen);
      },
      { signal: stop.signal },
    );
    await expect(run).rejects.toThrow('stopped');
  });
});
