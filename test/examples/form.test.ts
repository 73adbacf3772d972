import { createMock, serve } from 'restkin/mocks';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { ordering } from '../../examples/ordering.ts';
import { compileExample, installExample } from './example-package.ts';
import { startExample } from './example-process.ts';

const good = {
  'device.model': 'M1',
  'device.serial': 'S-1',
  'lines.0.sku': 'SKU-1',
  'lines.0.quantity': '2',
  'company.id': '1',
};

const startSite = async () => {
  const mock = createMock(ordering, {
    data: { companies: [{ id: 1, name: 'Fish & <b>Chips</b>', city: 'Utrecht' }] },
    users: [
      { username: 'ada', password: 'lovelace', permissions: ({ method }) => method !== 'POST' || mayPost },
    ],
  });
  let mayPost = true;
  const api = await serve(mock);
  onTestFinished(() => api.close());
  const site = startExample(['examples/form/main.ts'], { API_URL: api.url, PORT: '0' });
  const [, origin = ''] = await site.printed(/^(http:\/\/127\.0\.0\.1:\d+)\/$/m);
  const read = async (response: Response) => ({
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    location: response.headers.get('location'),
    text: await response.text(),
  });
  return {
    mock,
    api,
    site,
    forbid: () => {
      mayPost = false;
    },
    get: async (path: string) => read(await fetch(origin + path)),
    post: async (form: Readonly<Record<string, string>>, from = origin) =>
      read(
        await fetch(`${origin}/orders`, {
          method: 'POST',
          body: new URLSearchParams(form),
          headers: { origin: from },
          redirect: 'manual',
        }),
      ),
  };
};

/** The fields that a page shows an error at. */
const fieldsInError = (text: string) => [...text.matchAll(/data-field="([^"]+)"/g)].map(([, name]) => name);

beforeAll(() => installExample('form'), 60_000);

test('it compiles', async () => expect(await compileExample('form')).toBe(''), 30_000);

test('a form becomes an order, and its page shows the company, escaped', async () => {
  const { mock, get, post } = await startSite();
  expect((await get('/')).text).toContain('name="device.model"');
  const placed = await post(good);
  expect(placed).toMatchObject({ status: 303, location: '/orders/1' });
  expect(mock.state.row('orders', 1)).toMatchObject({
    device: { model: 'M1', serial: 'S-1' },
    company: { id: 1 },
  });
  const { status, text } = await get('/orders/1');
  expect(status).toBe(200);
  expect(text).toContain('M1 (S-1) for Fish &amp; &lt;b&gt;Chips&lt;/b&gt;: open');
});

test('an invalid form is shown again with its input, escaped, and a message at each field in error', async () => {
  const { mock, post } = await startSite();
  const typed = '"><script>alert(1)</script>';
  const { status, text } = await post({
    ...good,
    'device.model': typed,
    'device.serial': '',
    'lines.0.quantity': '-2',
    'company.id': 'none',
  });
  expect(status).toBe(422);
  expect(fieldsInError(text)).toEqual(['device.serial', 'lines.0.quantity', 'company.id']);
  expect(text.match(/aria-invalid/g)).toHaveLength(4); // one stands in the style sheet
  expect(text).not.toContain('<script>');
  expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
  expect(mock.state.rows('orders')).toEqual([]);
});

test('an empty number is an error at its field, not a 0', async () => {
  const { mock, post } = await startSite();
  const { status, text } = await post({ ...good, 'lines.0.quantity': '' });
  expect([status, fieldsInError(text)]).toEqual([422, ['lines.0.quantity']]);
  // A 0 would be a number that is too small.
  expect(text).toContain('expected number, received string');
  expect(mock.state.rows('orders')).toEqual([]);
});

test('what may not be done, or comes from another site, is 403, and nothing is placed', async () => {
  const { mock, forbid, post } = await startSite();
  const foreign = await post(good, 'https://evil.example');
  expect(foreign).toMatchObject({ status: 403, text: expect.stringContaining('another site') });
  forbid();
  expect(await post(good)).toMatchObject({
    status: 403,
    text: expect.stringContaining('You may not do this'),
  });
  expect(mock.state.rows('orders')).toEqual([]);
});

test('an order whose response is lost is not placed again, and the page says that it may be there', async () => {
  const { mock, post } = await startSite();
  mock.faults.next({ method: 'POST', cut: 'response' });
  expect(await post(good)).toMatchObject({
    status: 502,
    text: expect.stringContaining('may have been placed'),
  });
  expect(mock.state.rows('orders')).toHaveLength(1);
});

test('an unreachable API is 503, and no password and no token is in the log', async () => {
  const { api, site, get, post } = await startSite();
  await post(good);
  await api.close();
  expect(await get('/orders/1')).toMatchObject({ status: 503, retryAfter: '5' });
  site.child.kill();
  const { stderr } = await site.ended;
  expect(stderr).toContain('ECONNREFUSED');
  expect(stderr).not.toMatch(/lovelace|Bearer|eyJ/);
});
