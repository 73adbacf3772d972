import { collection, defineApi, type Events, resource, UnexpectedResponseError } from 'restkin';
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { connect } from '../../support/connect.ts';

const isoDate = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
const shop = defineApi({
  name: 'shop',
  version: 1,
  auth: 'basic',
  collections: {
    things: collection('things', resource({ name: z.string() }), { paging: true }),
    dated: collection('dated', resource({ at: isoDate }), { paging: true }),
  },
});
const self = 'https://api.test/v1/things/1';
const wrong = { id: 1, self, name: 5 };
const text = '2026-01-02T03:04:05.000Z';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('validation', () => {
  test.each([undefined, 'throw'] as const)('%s: what does not fit is an error', async (validation) => {
    const { api } = connect(shop, () => wrong, validation && { validation });
    await expect(api.things.get(1)).rejects.toMatchObject({ issues: [{ path: 'name' }] });
  });

  test('warn: the raw value is returned, and the observer gets the paths that do not match', async () => {
    const events: Events['validation'][] = [];
    const on = { validation: (event: Events['validation']) => events.push(event) };
    const { api } = connect(shop, () => wrong, { validation: 'warn', on });
    expect(await api.things.get(1)).toEqual(wrong);
    expect(events).toEqual([
      {
        callId: expect.any(String),
        method: 'GET',
        url: self,
        issues: [{ path: 'name', message: expect.stringContaining('string') }],
      },
    ]);
  });

  test('warn: without an observer it is written to the console, without the value', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { api } = connect(shop, () => ({ ...wrong, name: ['hush'] }), { validation: 'warn' });
    await api.things.get(1);
    expect(warned).toHaveBeenCalledOnce();
    expect(warned.mock.calls[0]?.join()).toMatch(/GET .*\/v1\/things\/1 .* name: /);
    expect(warned.mock.calls[0]?.join()).not.toContain('hush');
  });

  test('off: the raw value is returned silently', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const told = vi.fn<() => void>();
    const { api } = connect(shop, () => wrong, { validation: 'off', on: { validation: told } });
    expect(await api.things.get(1)).toEqual(wrong);
    expect(await api.dated.get(1)).toEqual(wrong);
    expect([warned.mock.calls, told.mock.calls]).toEqual([[], []]);
  });

  test.each(['warn', 'off'] as const)(
    '%s: records that fit are decoded beside one that does not',
    async (validation) => {
      const rows = [
        { id: 1, self, at: text },
        { id: 2, self, at: 'yesterday' },
        { id: 3, self, at: text },
      ];
      const on = { validation: () => undefined };
      const { api } = connect(shop, () => rows, { validation, on });
      const { items } = await api.dated.list();
      expect(items.map(({ at }) => at)).toEqual([new Date(text), 'yesterday', new Date(text)]);
    },
  );

  test.each(['warn', 'off'] as const)('%s: a list is still a list', async (validation) => {
    for (const body of [{}, 'text', null]) {
      const { api } = connect(shop, () => body, { validation });
      await expect(api.things.list()).rejects.toThrow(UnexpectedResponseError);
    }
  });
});
